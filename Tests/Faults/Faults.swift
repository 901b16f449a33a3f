import Foundation
import ThumbturnVault

/// Faults on purpose, against the program and the engine of the same build. `scripts/faults` runs it.
@main
enum Faults {
  private static let usage = "Faults kill|passcode|errors|power|contention|canary|all [--short] [--programs FOLDER]"

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
    case "script": try PowerHarness.script()
    case "contend": try Contender.program(Array(arguments.dropFirst()))
    case "passcode" where arguments.count == 2 && PasscodeChange(rawValue: arguments[1]) != nil:
      try PasscodeChange.program([arguments[1]])
    case "hold": try StoppedHolder.program(Array(arguments.dropFirst()))
    case "place": say(try VaultLocation.standard().vaultFolder)
    default:
      try harness(
        arguments.contains("all") ? ["canary", "contention", "kill", "passcode", "errors", "power"] : [verb], arguments)
    }
  }

  private static func harness(_ verbs: [String], _ arguments: [String]) throws {
    let harness = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let base = unsafe access("/dev/shm", W_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory()
    let scratch = base + "/thumbturn-faults-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: scratch, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { Files.remove(scratch) }
    let built = (harness as NSString).deletingLastPathComponent
    // Where the build is there is a disk; a folder for temporary files is often memory.
    let diskScratch = built + "/faults-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: diskScratch, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { Files.remove(diskScratch) }
    // Programs of another build can be tried, with a fault in them: the judge stays this one, which has none.
    let programs =
      arguments.firstIndex(of: "--programs").flatMap { $0 + 1 < arguments.count ? arguments[$0 + 1] : nil } ?? built
    let setting = Setting(
      program: programs + "/thumbturn", harness: programs + "/Faults", isShort: arguments.contains("--short"),
      scratch: scratch,
      diskScratch: diskScratch)
    for verb in verbs {
      let began = Date()
      switch verb {
      case "kill":
        var kill = KillHarness(setting)
        try kill.run()
      case "passcode": try PasscodeHarness(setting: setting).run()
      case "errors":
        var errors = ErrorHarness(setting)
        try errors.run()
      case "power":
        var power = PowerHarness(setting)
        try power.run()
      case "contention": try ContentionHarness(setting).run()
      case "canary": try CanaryHarness(setting: setting).run()
      default: throw Fault(usage)
      }
      say("\(verb): ok, \(Int(Date().timeIntervalSince(began))) s")
    }
  }
}
