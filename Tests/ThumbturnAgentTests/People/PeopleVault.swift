import AgentFixtures
import Foundation
import Synchronization
import Testing
import TestFixtures
import ThumbturnAgentClient
import ThumbturnAuthentication
import ThumbturnCrypto
import ThumbturnKeychain
import ThumbturnVault

extension AgentTests {
  /// Tests in which somebody is asked, or is not.
  @Suite("People")
  struct People {}
}

/// An unlocked vault behind an agent, with a person who does what is written down.
/// Used from one thread, but for what never changes.
final class PeopleVault: @unchecked Sendable {
  let vault: VaultAgent
  let link: AgentLink
  var home: String { vault.path }

  /// - Parameter reader: What the reader is; nil is none.
  init(reader: String? = "ready right-index", isUnlocked: Bool = true) throws {
    vault = try VaultAgent(classes: [], isStarted: false)
    link = PersonSession.link(vault.path, vaultID: vault.vaultID)
    try set("sensor", reader)
    try vault.start()
    if isUnlocked { try vault.control.unlock(text(VaultAgent.passcode)) }
  }

  func set(_ name: String, _ text: String?) throws {
    if let text {
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(home)/\(name)"), options: .atomic)
    } else {
      try? FileManager.default.removeItem(atPath: "\(home)/\(name)")
    }
  }

  func fingers(_ lines: String...) throws { try Script.write(home, "fingers", lines) }
  func answers(_ lines: String...) throws { try Script.write(home, "answers", lines) }

  var log: [String] { Script.log(home) }
  /// Waits until a line of the log begins so.
  func logs(_ start: String, times: Int = 1) -> Bool {
    becomes { Script.log(home).count { $0.hasPrefix(start) } >= times }
  }

  var keychain: RemoteBackend { RemoteBackend(link) }
  var seated: SeatedBackend {
    SeatedBackend(vault.local, agentAt: vault.place) { PersonSession.place() }
  }

  func add(_ account: String, _ conditions: AccessControl.Conditions = .userPresence) throws {
    var new = try item(account)
    new.accessControl = try #require(AccessControl(.whenUnlocked, conditions))
    _ = try keychain.add(new, for: Caller())
  }

  func read(_ account: String, _ context: AuthenticationContext? = nil) throws -> String? {
    var asked = query(account)
    asked.context = context
    asked.operationPrompt = "read it"
    return try keychain.find(asked, for: Caller()).first?.text
  }

  func code(_ account: String, _ context: AuthenticationContext? = nil) -> KeychainError.Code? {
    failure { _ = try read(account, context) }?.code
  }

  /// Another program's try to read an item.
  func other(_ words: [String]) throws -> SpawnedAgent { try SpawnedAgent(words) }

  func said(_ program: SpawnedAgent) -> String? {
    guard program.waitForEnd(seconds: 80) == 0 else { return nil }
    return program.printed.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

/// What an evaluation answers.
typealias Answer = Result<Set<Factor>, AuthenticationFailure>

extension AuthenticationBackend {
  /// Waits for an evaluation.
  func answer(
    _ requirement: Requirement, _ context: AuthenticationContext = AuthenticationContext(), anew: Bool = true
  ) -> Answer? {
    let began = begin(requirement, context, anew: anew)
    return began.wait(seconds: 80)
  }

  /// Begins one.
  func begin(
    _ requirement: Requirement, _ context: AuthenticationContext = AuthenticationContext(), anew: Bool = true
  ) -> PendingAnswer {
    let pending = PendingAnswer(context)
    evaluate(requirement, AuthenticationTexts(reason: "test"), in: context, anew: anew) { pending.put($0) }
    return pending
  }
}

/// An evaluation that runs; its context lives as long.
final class PendingAnswer: Sendable {
  let context: AuthenticationContext
  private let answers = Mutex<[Answer]>([])

  init(_ context: AuthenticationContext) { self.context = context }

  func put(_ answer: Answer) { answers.withLock { $0.append(answer) } }
  var all: [Answer] { answers.withLock { $0 } }
  func wait(seconds: Double) -> Answer? {
    _ = becomes(within: seconds) { !all.isEmpty }
    return all.first
  }
}

extension Result where Failure == AuthenticationFailure {
  var failure: AuthenticationFailure? { if case .failure(let failure) = self { failure } else { nil } }
}

func names(_ ids: [[UInt8]]) -> [String] {
  ids.map { $0.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
