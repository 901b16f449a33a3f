internal import Foundation
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
    case .local, .agent: Set(ConformanceCase.Need.allCases)
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

struct LocalStore: CaseStore {
  let home: String
  private let local: LocalBackend
  var backend: any KeychainBackend { local }

  init(home: String) {
    self.home = home
    local = LocalBackend(location: VaultLocation(home: home))
  }

  func set(_ key: String, _ value: JSON) throws(Problem) {
    // Without a passcode there is nothing to lock, and nothing that could ask for anybody.
    if key == "lock", value == .text("unlocked") { return }
    throw Problem("the local backend has no \(key) yet")
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
