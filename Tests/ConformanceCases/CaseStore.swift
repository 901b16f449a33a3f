internal import Foundation
internal import ThumbturnCrypto
internal import ThumbturnKeychain
internal import ThumbturnTestSupport
internal import ThumbturnVault

/// What cases run over.
public enum CaseBackend: String, CaseIterable, Sendable {
  /// The vault of this process, in a scratch folder.
  case local
  /// Memory, with locks, a passcode and a person at the sensor.
  case memory
  /// The process that holds unlocked keys.
  case agent

  /// Whether there is one in this version.
  public var isBuilt: Bool { self != .agent }

  /// What it cannot do yet, so that cases that need it are pending over it.
  public var missing: Set<ConformanceCase.Need> {
    switch self {
    case .local, .agent: [.references, .contexts, .authentication, .enrolment, .constraints]
    case .memory: [.references, .contexts]
    }
  }
}

/// An empty keychain for one case, and what the case may do to its surroundings.
protocol CaseStore {
  var backend: any KeychainBackend { get }
  /// One row of `env.set` that is not about the caller.
  func set(_ key: String, _ value: JSON) throws(Problem)
  func end()
}

/// A vault with a passcode, copied for each case from one that was made for the run: to set a passcode takes longer.
struct LocalStore: CaseStore {
  private let home: String
  private let local: LocalBackend
  var backend: any KeychainBackend { local }

  /// Makes the vault that is copied.
  static func makeTemplate(at home: String) throws(Problem) {
    let backend = makeBackend(home)
    defer { backend.close() }
    do throws(KeychainError) {
      try backend.changePasscode(from: nil, to: try passcode())
    } catch { throw Problem("the vault cannot be made: \(error)") }
  }

  init(home: String, template: String) throws(Problem) {
    self.home = home
    do { try FileManager.default.copyItem(atPath: template, toPath: home) } catch {
      throw Problem("the vault cannot be copied")
    }
    local = Self.makeBackend(home)
    try unlock()
  }

  private static func makeBackend(_ home: String) -> LocalBackend {
    var surroundings = VaultSurroundings()
    surroundings.cost = .least
    return LocalBackend(location: VaultLocation(home: home), surroundings)
  }

  private static func passcode() throws(KeychainError) -> Passcode {
    do {
      return try Passcode(try SecretBytes(copying: "1234".utf8Span.span))
    } catch { throw KeychainError(.outOfMemory) }
  }

  private func unlock() throws(Problem) {
    try run { (local) throws(KeychainError) in try local.unlock(try Self.passcode()) }
  }

  private func run(_ body: (LocalBackend) throws(KeychainError) -> Void) throws(Problem) {
    do throws(KeychainError) { try body(local) } catch { throw Problem("the surroundings cannot be made: \(error)") }
  }

  func set(_ key: String, _ value: JSON) throws(Problem) {
    switch (key, value) {
    case ("lock", .text("unlocked")): try unlock()
    case ("lock", .text("locked")): try run { (local) throws(KeychainError) in try local.lock() }
    case ("lock", .text("beforeFirstUnlock")): local.forgetKeys()
    case ("passcode", .boolean(false)):
      try run { (local) throws(KeychainError) in try local.changePasscode(from: try Self.passcode(), to: nil) }
    case ("passcode", .boolean(true)):
      try run { (local) throws(KeychainError) in try local.changePasscode(from: nil, to: try Self.passcode()) }
    case ("lock", _), ("passcode", _): throw Problem("unknown value of \(key)")
    default: throw Problem("the local backend has no \(key) yet")
    }
  }

  func end() {
    local.close()
    try? FileManager.default.removeItem(atPath: home)
  }
}

struct MemoryStore: CaseStore {
  private let memory = MemoryBackend()
  var backend: any KeychainBackend { memory }

  func set(_ key: String, _ value: JSON) throws(Problem) {
    switch (key, value) {
    case ("lock", .text("unlocked")): memory.lockState = .unlocked
    case ("lock", .text("locked")): memory.lockState = .locked
    case ("lock", .text("beforeFirstUnlock")): memory.lockState = .beforeFirstUnlock
    case ("passcode", .boolean(let isSet)): memory.hasPasscode = isSet
    case ("auth", .text("success")): memory.answer = .success
    case ("auth", .text("cancel")): memory.answer = .cancel
    case ("auth", .text("fail")): memory.answer = .failure
    case ("biometryEnrolled", .boolean(let isEnrolled)): memory.isBiometryEnrolled = isEnrolled
    case ("enrolment", .text("changed")): memory.changeEnrolment()
    default: throw Problem("unknown value of \(key)")
    }
  }

  func end() {}
}
