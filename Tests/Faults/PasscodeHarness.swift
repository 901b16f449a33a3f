import Foundation
import ThumbturnCrypto
import ThumbturnKeychain
import ThumbturnVault

/// What is done to the passcode, with the cheapest derivation: the harness itself is the program that is killed.
enum PasscodeChange: String, CaseIterable {
  case set
  case change
  case changeAndRotate = "change-and-rotate"
  case remove
  case removeAndRotate = "remove-and-rotate"

  var old: String? { self == .set ? nil : "old" }
  var new: String? { self == .remove || self == .removeAndRotate ? nil : "new" }
  private var rotates: Bool { self == .changeAndRotate || self == .removeAndRotate }

  func run(on backend: LocalBackend) throws {
    try backend.changePasscode(from: Self.passcode(old), to: Self.passcode(new), rotates: rotates)
  }

  static func passcode(_ text: String?) throws -> Passcode? { try text.map { try Passcode(shared(Array($0.utf8))) } }

  static func backend(_ home: String) -> LocalBackend {
    var surroundings = VaultSurroundings()
    surroundings.cost = .least
    return LocalBackend(location: VaultLocation(home: home), surroundings)
  }

  /// `Faults passcode CHANGE`: the change on the vault of THUMBTURN_HOME.
  static func program(_ arguments: [String]) throws {
    guard arguments.count == 1, let change = PasscodeChange(rawValue: arguments[0]),
      let home = ProcessInfo.processInfo.environment["THUMBTURN_HOME"]
    else { throw Fault("passcode " + allCases.map(\.rawValue).joined(separator: "|")) }
    let backend = backend(home)
    defer { backend.close() }
    try change.run(on: backend)
    say("done")
  }
}

/// Kills each change of the passcode at every call that changes a disk: the vault opens with the old or the new one, and
/// nothing is missing but what dies with the passcode.
struct PasscodeHarness {
  private static let classes: [ProtectionClass] = [
    .whenUnlocked, .afterFirstUnlock, .always, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly,
  ]

  let setting: Setting
  private var home: String { setting.scratch + "/passcode" }

  func run() throws {
    try setting.checkInjection()
    var triedCount = 0
    var endings: [String: Int] = [:]
    for (turn, change) in PasscodeChange.allCases.enumerated() {
      let step = try step(change)
      try selfTest(step, change)
      let injection = try Injection(step, Injection.changing, setting)
      for call in Injection.changing {
        guard let range = injection.occurrences[call] else { continue }
        for number in Injection.sample(range, countMax: setting.isShort ? 1 : nil, turn: turn) {
          try step.picture.put(at: home)
          let ending = try setting.run(
            [setting.harness] + step.arguments, home: home,
            strace: ["-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(call):signal=KILL:when=\(number)"])
          guard ending.wasKilled || ending.exitCode == 0 else {
            throw Fault("\(step.title), \(call) \(number): ended by itself: \(ending.errorText)")
          }
          triedCount += ending.wasKilled ? 1 : 0
          let state = try verdict(change, isDone: !ending.wasKilled || !ending.output.isEmpty, "\(call) \(number)")
          endings["\(change.rawValue) \(state)", default: 0] += 1
        }
      }
    }
    say("passcode: " + endings.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    say("passcode: \(triedCount) kill points tried, none left a vault that does not open or lacks an item")
    if !setting.isShort {
      for change in PasscodeChange.allCases where endings["\(change.rawValue) old", default: 0] == 0 {
        throw Fault("passcode: \(change.rawValue) was never killed before its commit")
      }
    }
  }

  private func step(_ change: PasscodeChange) throws -> Step {
    Files.remove(home)
    try FileManager.default.createDirectory(
      atPath: home, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    let backend = PasscodeChange.backend(home)
    if change.old != nil { try PasscodeChange.changePasscodeOfNew(backend) }
    for protection in Self.classes where change.old != nil || protection != .whenPasscodeSetThisDeviceOnly {
      _ = try backend.add(
        NewItem(
          .genericPassword, [.account: .text(protection.code)], secret: try shared(Array(protection.code.utf8)),
          protectionClass: protection), for: Caller())
    }
    backend.close()
    return Step(
      title: "passcode \(change.rawValue)", arguments: ["passcode", change.rawValue], input: [],
      picture: try Picture(of: home), before: [:], after: [:], program: setting.harness)
  }

  /// A vault that opens with neither, and one that lacks an item, must be seen.
  private func selfTest(_ step: Step, _ change: PasscodeChange) throws {
    try step.picture.put(at: home)
    let backend = PasscodeChange.backend(home)
    if change.old != nil { try backend.unlock(try PasscodeChange.passcode("old").unsafelyPresent()) }
    try backend.delete(ItemQuery(.genericPassword, [.account: .text("ak")]), for: Caller())
    backend.close()
    guard (try? verdict(change, isDone: false, "self-test")) == nil else {
      throw Fault("passcode, self-test: a lost item was not noticed")
    }
  }

  /// Which state it is in: old or new.
  private func verdict(_ change: PasscodeChange, isDone: Bool, _ place: String) throws -> String {
    func fault(_ text: String) -> Fault { Fault("passcode \(change.rawValue), \(place): \(text)") }
    let backend = PasscodeChange.backend(home)
    defer { backend.close() }
    let hasPasscode = try backend.status().hasPasscode
    var state: String?
    for (name, text) in [("new", change.new), ("old", change.old)] where (text != nil) == hasPasscode {
      guard let passcode = try PasscodeChange.passcode(text) else {
        state = name
        break
      }
      do throws(KeychainError) { try backend.unlock(passcode) } catch {
        guard error.cause?.code == .wrongPasscode else { throw fault("\(error)") }
        continue
      }
      state = name
      break
    }
    guard let state else { throw fault("it opens with neither passcode") }
    guard state == "new" || !isDone else { throw fault("it said that it was done, and was not") }
    var expected = Set(Self.classes.map(\.code))
    if change.old == nil || state == "new" && change.new == nil { expected.remove("akpu") }
    // The next writer finishes what is half done.
    _ = try backend.add(
      NewItem(.genericPassword, [.account: .text("next")], secret: try shared([1]), protectionClass: .always),
      for: Caller())
    try backend.delete(ItemQuery(.genericPassword, [.account: .text("next")]), for: Caller())
    let found = try backend.find(ItemQuery(.genericPassword, limit: .all, wantsSecret: true), for: Caller())
    for item in found {
      guard case .text(let account) = item.attributes[.account],
        item.secret?.withBytes({ $0.copied() }) == Array(account.utf8), expected.remove(account) != nil
      else { throw fault("another item, or another secret") }
    }
    guard expected.isEmpty else { throw fault("missing: \(expected.sorted())") }
    let report = try backend.check()
    guard report.isClean else { throw fault("not clean: \(report.findings)") }
    return state
  }
}

extension PasscodeChange {
  fileprivate static func changePasscodeOfNew(_ backend: LocalBackend) throws {
    try backend.changePasscode(from: nil, to: passcode("old"))
  }
}

extension Optional {
  /// The value, which the caller knows to be there.
  fileprivate func unsafelyPresent() throws -> Wrapped {
    guard let self else { throw Fault("a value that must be there is not") }
    return self
  }
}
