import AgentFixtures
import Foundation
import Testing
import TestFixtures
import ThumbturnAgent
import ThumbturnAgentClient
import ThumbturnCrypto
import ThumbturnKeychain
import ThumbturnVault

/// A vault with a passcode, and the tests' own agent of it in another process.
/// Used from one thread, but for what never changes.
final class VaultAgent: @unchecked Sendable {
  static let passcode = "1234"
  let home = try? TemporaryHome()
  let path: String
  let vaultID: [UInt8]
  private var process: SpawnedAgent?

  /// Makes the vault in this process, with an item of each class in `classes`, and starts the agent.
  init(
    passcode: String? = VaultAgent.passcode, classes: [ProtectionClass] = ProtectionClass.allCases,
    isStarted: Bool = true, isSimulated: Bool = false
  ) throws {
    path = try #require(home).path
    let backend = Self.local(path)
    defer { backend.close() }
    if isSimulated { try backend.createSimulated() }
    if let passcode {
      try backend.changePasscode(from: nil, to: Passcode(text(passcode)))
    } else {
      _ = try backend.add(item("first"), for: Caller())
      try backend.delete(query("first"), for: Caller())
    }
    for protection in classes { _ = try backend.add(item(protection.code, protection), for: Caller()) }
    vaultID = try backend.status().vaultIDBytes
    backend.close()
    if isStarted { try start() }
  }

  /// The vault in this process, with the agent's clock and cost.
  static func local(_ path: String) -> LocalBackend {
    LocalBackend(location: VaultLocation(home: path), VaultSeams.surroundings(path).vault)
  }

  var local: LocalBackend { Self.local(path) }
  var place: SocketPlace { SocketPlace(folder: path) }
  var link: AgentLink { AgentLink(place, vaultID: vaultID) }
  var control: AgentControl { AgentControl(link) }
  var keychain: RemoteBackend { RemoteBackend(link) }
  var agent: SpawnedAgent { get throws { try #require(process) } }

  func start() throws {
    let started = try SpawnedAgent(["vault", path])
    try #require(started.isReady(), "\(started.printed)")
    process = started
  }

  func kill() throws {
    try agent.end(SIGKILL)
    process = nil
  }

  /// Ends it as systemd does; its exit code.
  func terminate() throws -> Int32? {
    let agent = try agent
    Glibc.kill(agent.process, SIGTERM)
    let code = agent.waitForEnd(seconds: 10)
    process = nil
    return code
  }

  /// Every file of vault and device key by its name; sockets and what the tests put there are left out.
  func files() throws -> [String: Data] {
    try #require(home).files().filter { $0.key.hasPrefix("vault/") || $0.key.hasPrefix("device/") }
  }
}

/// A passcode or secret of this text.
func text(_ text: String) throws -> SharedSecret { try Samples.secret(Array(text.utf8)) }

/// A generic password whose secret tells its account.
func item(
  _ account: String, _ protection: ProtectionClass = .whenUnlocked, group: String? = nil
) throws -> NewItem {
  var item = NewItem(
    .genericPassword, [.service: .text("s"), .account: .text(account)], secret: try text("secret of \(account)"),
    protectionClass: protection)
  if let group { item.attributes[.accessGroup] = .text(group) }
  return item
}

func query(_ account: String? = nil, group: String? = nil, limit: ItemQuery.Limit = .all) -> ItemQuery {
  var query = ItemQuery(.genericPassword, limit: limit)
  if let account { query.attributes[.account] = .text(account) }
  if let group { query.attributes[.accessGroup] = .text(group) }
  query.wantsSecret = true
  return query
}

extension FoundItem {
  var text: String? { secret.map { $0.withBytes { String(decoding: $0.copied(), as: UTF8.self) } } }
  var account: String? { if case .text(let text)? = attributes[.account] { text } else { nil } }
}

/// The keychain's code of what is thrown; nil when nothing is.
func code(_ body: () throws -> Void) -> KeychainError.Code? { failure(body)?.code }

/// The vault's code of what is thrown.
func cause(_ body: () throws -> Void) -> VaultError.Code? { failure(body)?.cause?.code }

/// The keychain's error of what is thrown, in process or by an agent.
func failure(_ body: () throws -> Void) -> KeychainError? {
  do {
    try body()
    return nil
  } catch {
    if let failure = error as? AgentFailure { return failure.error }
    guard let known = error as? KeychainError else {
      Issue.record("no error of the keychain: \(error)")
      return KeychainError(.unimplemented)
    }
    return known
  }
}

/// How long something takes, in seconds.
func seconds(_ body: () throws -> Void) rethrows -> Double {
  let began = ContinuousClock.now
  try body()
  return (ContinuousClock.now - began) / .seconds(1)
}

/// Whether something becomes true within so many seconds.
func becomes(within seconds: Double = 10, _ condition: () throws -> Bool) rethrows -> Bool {
  let end = ContinuousClock.now + .seconds(seconds)
  repeat {
    if try condition() { return true }
    usleep(1_000)
  } while ContinuousClock.now < end
  return false
}

/// Whether a test that needs something may go on; with THUMBTURN_REQUIRE_ALL it fails instead.
func has(_ isThere: Bool, _ what: String, _ name: String = #function) -> Bool {
  guard !isThere else { return true }
  if ProcessInfo.processInfo.environment["THUMBTURN_REQUIRE_ALL"] != nil {
    Issue.record("\(name) was left out: it needs \(what)")
  } else {
    print("skipped: \(name) was left out: it needs \(what)")
  }
  return false
}

/// A start of the machine.
func newBootID() -> Identifier {
  let bytes = (0..<16).map { _ in UInt8.random(in: 0...255) }
  return Identifier(bytes.span)
}
