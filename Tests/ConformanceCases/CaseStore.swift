internal import AgentFixtures
internal import Dispatch
internal import Foundation
internal import Glibc
internal import Synchronization
internal import ThumbturnAgentClient
internal import ThumbturnAuthentication
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
  /// The same, with the real fprintd and a virtual reader. As root only.
  case fprintd

  /// Whether there is one in this version.
  public var isBuilt: Bool { true }

  /// What it cannot do yet, so that cases that need it are pending over it.
  public var missing: Set<ConformanceCase.Need> {
    switch self {
    case .local: [.references, .contexts, .enrolment, .prompts]
    case .memory, .agent, .fprintd: [.references]
    }
  }
}

/// An empty keychain for one case, and what the case may do to its surroundings.
protocol CaseStore {
  var backend: any KeychainBackend { get }
  /// One row of `env.set` that is not about the caller.
  func set(_ key: String, _ value: JSON) throws(Problem)
  /// Has somebody show, in this context, what opens everything.
  func authenticate(_ context: AuthenticationContext) throws(Problem)
  func end()
}

extension CaseStore {
  func authenticate(_ context: AuthenticationContext) throws(Problem) {
    context.keep(
      VerifiedSession(
        id: [UInt8](repeating: 0, count: VerifiedSession.idCount), shown: Set(Factor.allCases), onEnd: { _ in }))
  }
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

  /// The passcode of every case.
  static func secret() throws(AgentFailure) -> SharedSecret {
    do { return SharedSecret(try SecretBytes(copying: "1234".utf8Span.span)) } catch {
      throw AgentFailure(KeychainError(.outOfMemory))
    }
  }

  private static func passcode() throws(KeychainError) -> Passcode {
    do { return try Passcode(try secret()) } catch { throw KeychainError(.outOfMemory) }
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
    // Nobody can be asked here, so it does not matter what they would answer.
    case ("auth", .text("success")), ("auth", .text("cancel")), ("auth", .text("fail")): break
    case ("lock", _), ("passcode", _), ("auth", _): throw Problem("unknown value of \(key)")
    default: throw Problem("the local backend has no \(key) yet")
    }
  }

  func end() {
    local.close()
    try? FileManager.default.removeItem(atPath: home)
  }
}

/// A vault behind the tests' own agent, in a process of its own for each case.
final class AgentStore: CaseStore {
  private let home: String
  private var answersNow = "success"
  private var changesCount = 0
  private var agent: SpawnedAgent
  private let person: Person
  private let link: AgentLink
  private let control: AgentControl
  let backend: any KeychainBackend

  /// - Parameter reader: The real one; nil is a scripted one.
  init(home: String, template: String, reader: RealReader? = nil) throws(Problem) {
    self.home = home
    person = Person(home, reader)
    do { try FileManager.default.copyItem(atPath: template, toPath: home) } catch {
      throw Problem("the vault cannot be copied")
    }
    try person.does("success")
    try person.enrols(["right-index-finger"])
    agent = try Self.start(home, reader)
    guard agent.isReady(), let vaultID = Vault.identifierBytes(at: VaultLocation(home: home)) else {
      throw Problem("the agent does not listen: \(agent.printed)")
    }
    link = PersonSession.link(home, vaultID: vaultID)
    control = AgentControl(link)
    backend = RemoteBackend(link)
    try unlock()
  }

  private static func start(_ home: String, _ reader: RealReader?) throws(Problem) -> SpawnedAgent {
    do {
      guard let reader else { return try SpawnedAgent(["vault", home]) }
      return try SpawnedAgent(
        ["vault-with-reader", home], environment: ["DBUS_SYSTEM_BUS_ADDRESS": reader.busAddress])
    } catch { throw Problem("the agent cannot be started") }
  }

  private func unlock() throws(Problem) {
    try run { (control) throws(AgentFailure) in try control.unlock(try LocalStore.secret()) }
  }

  private func run(_ body: (AgentControl) throws(AgentFailure) -> Void) throws(Problem) {
    do throws(AgentFailure) { try body(control) } catch { throw Problem("the surroundings cannot be made: \(error)") }
  }

  func set(_ key: String, _ value: JSON) throws(Problem) {
    switch (key, value) {
    case ("lock", .text("unlocked")): try unlock()
    case ("lock", .text("locked")): try run { (control) throws(AgentFailure) in try control.lock() }
    case ("lock", .text("beforeFirstUnlock")): try restart()
    case ("passcode", .boolean(false)):
      try run { (control) throws(AgentFailure) in try control.removePasscode(try LocalStore.secret()) }
    case ("passcode", .boolean(true)):
      try run { (control) throws(AgentFailure) in try control.setPasscode(try LocalStore.secret()) }
    case ("auth", .text(let answer)) where ["success", "cancel", "fail"].contains(answer):
      try person.does(answer)
      answersNow = answer
    case ("biometryEnrolled", .boolean(let isEnrolled)): try person.enrols(isEnrolled ? ["right-index-finger"] : [])
    case ("enrolment", .text("changed")):
      changesCount += 1
      try person.enrols(["right-index-finger", changesCount % 2 == 1 ? "left-thumb" : "left-index-finger"])
    default: throw Problem("unknown value of \(key)")
    }
  }

  /// The agent believes nobody: somebody has to show it.
  func authenticate(_ context: AuthenticationContext) throws(Problem) {
    let before = answersNow
    try set("auth", .text("success"))
    defer { try? set("auth", .text(before)) }
    for requirement in [Requirement.finger, .passcode] {
      guard PersonSession.shows(requirement, in: context, to: home) else {
        throw Problem("nobody could show what opens everything")
      }
    }
  }

  /// What comes of asking for a finger, in a context of its own.
  func finger() -> String {
    let backend = SeatedBackend(
      LocalBackend(location: VaultLocation(home: home)), agentAt: SocketPlace(folder: home)
    ) { PersonSession.place() }
    let isThere = DispatchSemaphore(value: 0)
    let said = Mutex("no answer")
    let context = AuthenticationContext()
    backend.evaluate(.finger, AuthenticationTexts(reason: "a test"), in: context, anew: true) { result in
      said.withLock { said in
        switch result {
        case .success: said = "recognised"
        case .failure(let failure): said = "\(failure)"
        }
      }
      isThere.signal()
    }
    return isThere.wait(timeout: .now() + 80) == .success ? said.withLock { $0 } : "no answer"
  }

  /// Another agent, to which nobody has given the passcode yet.
  private func restart() throws(Problem) {
    agent.end(SIGTERM)
    agent = try Self.start(home, person.reader)
    guard agent.isReady() else { throw Problem("the agent does not listen: \(agent.printed)") }
  }

  func end() {
    agent.end(SIGTERM)
    try? FileManager.default.removeItem(atPath: home)
  }
}

/// What somebody does at the reader and the prompts of the tests' own agent.
private struct Person {
  private let home: String
  /// The real one; nil is a scripted one.
  let reader: RealReader?

  init(_ home: String, _ reader: RealReader?) {
    self.home = home
    self.reader = reader
  }

  func does(_ answer: String) throws(Problem) {
    let (fingers, answers) =
      switch answer {
      case "success": (["match"], ["passcode type 1234"])
      case "cancel": ([], ["finger cancel", "passcode cancel"])
      default: (["no-match"], ["passcode type wrong"])
      }
    try script("fingers-always", fingers)
    try script("answers-always", answers)
    try reader?.does(answer)
  }

  /// - Parameter fingers: None is a reader without any.
  func enrols(_ fingers: [String]) throws(Problem) {
    try script("sensor", [fingers.isEmpty ? "none" : "ready \(fingers.joined(separator: " "))"])
    try reader?.enrols(fingers)
  }

  private func script(_ name: String, _ lines: [String]) throws(Problem) {
    do { try Script.write(home, name, lines) } catch { throw Problem("nobody can be told what to do") }
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
