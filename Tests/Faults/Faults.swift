import Foundation
import ThumbturnVault

/// Faults on purpose, against the program and the engine of the same build. `scripts/faults` runs it.
@main
enum Faults {
  private static let usage = "Faults kill|errors|power|contention|canary|all [--short]"

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do { try run(arguments) } catch {
      FileHandle.standardError.write(Data("thumbturn: error: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ arguments: [String]) throws {
    guard let verb = arguments.first else { throw Fault(usage) }
    switch verb {
    case "script": try PowerHarness.script(home: arguments[1])
    case "place": say(try VaultLocation.standard().vaultFolder)
    default: try harness(arguments.contains("all") ? ["canary", "kill", "errors", "power"] : [verb], arguments)
    }
  }

  private static func harness(_ verbs: [String], _ arguments: [String]) throws {
    let harness = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let base = unsafe access("/dev/shm", W_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory()
    let scratch = base + "/thumbturn-faults-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: scratch, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { Files.remove(scratch) }
    let setting = Setting(
      program: (harness as NSString).deletingLastPathComponent + "/thumbturn", harness: harness,
      isShort: arguments.contains("--short"), scratch: scratch)
    for verb in verbs {
      let began = Date()
      switch verb {
      case "kill":
        var kill = KillHarness(setting)
        try kill.run()
      case "errors":
        var errors = ErrorHarness(setting)
        try errors.run()
      case "power":
        var power = PowerHarness(setting)
        try power.run()
      case "canary": try CanaryHarness(setting: setting).run()
      default: throw Fault(usage)
      }
      say("\(verb): ok, \(Int(Date().timeIntervalSince(began))) s")
    }
  }
}
