import Foundation

/// Looks for secrets of its own in everything that the program leaves and says: files, output, errors.
struct CanaryHarness {
  let setting: Setting

  func run() throws {
    let home = setting.scratch + "/canary"
    let secrets = ["canary-7f3a91c2-small", "canary-" + String(repeating: "b81e55d0", count: 900)]
    var said: [UInt8] = []
    for (index, secret) in secrets.enumerated() {
      for _ in 0..<2 {
        let ending = try setting.run(
          [setting.program, "set", "svc", "account \(index)"], input: Array(secret.utf8), home: home)
        guard ending.exitCode == 0 else { throw Fault("canary: \(ending.errorText)") }
        said += ending.output + ending.errors
      }
    }
    for arguments in [["list"], ["status"], ["list", "--json"], ["rm", "svc", "account 1"], ["get", "svc", "gone"]] {
      let ending = try setting.run([setting.program] + arguments, home: home)
      said += ending.output + ending.errors
    }
    let got = try setting.run([setting.program, "get", "svc", "account 0"], home: home)
    guard Self.holds(got.output, Array(secrets[0].utf8)) else { throw Fault("canary: the search finds nothing at all") }
    said += got.errors
    var places = try Picture(of: home).files
    places["what the program said"] = said
    for secret in secrets {
      for (name, bytes) in places where Self.holds(bytes, Array(secret.utf8.prefix(24).dropLast(3))) {
        throw Fault("a secret was found in: \(name)")
      }
    }
    say("canary: \(secrets.count) secrets, \(places.count) places, none found")
  }

  private static func holds(_ bytes: [UInt8], _ wanted: [UInt8]) -> Bool {
    guard bytes.count >= wanted.count else { return false }
    return Data(bytes).range(of: Data(wanted)) != nil
  }
}
