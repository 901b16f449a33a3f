import Foundation
import Glibc
import Synchronization
package import ThumbturnAgentClient
package import ThumbturnAuthentication
import ThumbturnCrypto
import ThumbturnKeychain
import ThumbturnVault

/// What another program asks an agent for, that needs a person.
package enum PersonSession {
  /// A place at which the scripted prompts can be shown.
  package static func place() -> PromptPlace {
    var place = PromptPlace()
    place.terminal = "/dev/pts/77"
    return place
  }

  /// The way to the agent of a home, for a program with a place.
  package static func link(_ home: String, vaultID: [UInt8]) -> AgentLink {
    AgentLink(SocketPlace(folder: home), vaultID: vaultID) { place() }
  }

  /// Has the person at the agent of a home asked, and waits; whether something was shown.
  package static func shows(_ requirement: Requirement, in context: AuthenticationContext, to home: String) -> Bool {
    let backend = SeatedBackend(
      LocalBackend(location: VaultLocation(home: home)), agentAt: SocketPlace(folder: home)
    ) { place() }
    let ended = DispatchSemaphore(value: 0)
    let isShown = Mutex(false)
    backend.evaluate(requirement, AuthenticationTexts(reason: "a test"), in: context, anew: true) { result in
      if case .success = result { isShown.withLock { $0 = true } }
      ended.signal()
    }
    return ended.wait(timeout: .now() + 60) == .success && isShown.withLock { $0 }
  }

  /// Reads an item as any program does, and says what came: `secret TEXT`, or the code.
  package static func fetch(_ home: String, _ account: String) throws -> String {
    guard let vaultID = Vault.identifierBytes(at: VaultLocation(home: home)) else { throw KeychainError(.itemNotFound) }
    let keychain = RemoteBackend(link(home, vaultID: vaultID))
    do throws(KeychainError) {
      let found = try keychain.find(
        ItemQuery(.genericPassword, [.account: .text(account)], wantsSecret: true), for: Caller())
      return "secret \(text(found))"
    } catch { return "\(error.code)" }
  }

  /// Reads an item with sessions of somebody else's, as a patched program might: `secret TEXT`, `needs`, or the code.
  package static func reach(_ home: String, _ account: String, sessions: [[UInt8]]) throws -> String {
    guard let vaultID = Vault.identifierBytes(at: VaultLocation(home: home)) else { throw KeychainError(.itemNotFound) }
    return try reach(RawClient(SocketPlace(folder: home)), vaultID, account, sessions: sessions)
  }

  /// The same over a connection without manners, which says hello first.
  package static func reach(
    _ client: RawClient, _ vaultID: [UInt8], _ account: String, sessions: [[UInt8]], saysHello: Bool = true
  ) throws -> String {
    if saysHello { guard try client.sayHello(vaultID) else { return "no hello" } }
    let query = ItemQuery(.genericPassword, [.account: .text(account)], wantsSecret: true)
    client.send(try Encoding.packet(.find(query, Caller(), Evidence(sessions: sessions))).bytes)
    guard let answer = client.receive(), !answer.isEmpty else { return "nothing" }
    switch try Encoding.reply(answer, to: .find) {
    case .answer(.items(let found)): return "secret \(text(found))"
    case .answer(.needsAuthentication): return "needs"
    case .answer(.failed(let failure)): return "\(failure.error.code)"
    default: return "something else"
    }
  }

  /// Shows something, reads with the name of that on a connection more and less, leaves altogether, and comes back with it.
  package static func comeBack(_ home: String, _ account: String) throws -> String {
    guard let vaultID = Vault.identifierBytes(at: VaultLocation(home: home)) else { throw KeychainError(.itemNotFound) }
    let place = SocketPlace(folder: home)
    var said: [String] = []
    var session: [[UInt8]] = []
    do {
      let first = try RawClient(place)
      guard try first.sayHello(vaultID) else { return "no hello" }
      let request = EvaluationRequest(id: 1, .owner, AuthenticationTexts(), at: Self.place())
      first.send(try Encoding.packet(.evaluate(request)).bytes)
      while let answer = first.receive(seconds: 30), !answer.isEmpty {
        guard case .answer(.evaluated(let result)) = try Encoding.reply(answer, to: .evaluate) else { continue }
        session = (try? result.get().session).map { [$0] } ?? []
        break
      }
      said.append(session.isEmpty ? "failure" : "success")
      do { said[0] += " " + (try reach(RawClient(place), vaultID, account, sessions: session)) }
      // The other connection is gone, this one is not.
      usleep(200_000)
      said.append(try reach(first, vaultID, account, sessions: session, saysHello: false))
    }
    usleep(500_000)
    said.append(try reach(RawClient(place), vaultID, account, sessions: session))
    return said.joined(separator: ", ")
  }

  private static func text(_ found: [FoundItem]) -> String {
    found.map { $0.secret.map { $0.withBytes { String(decoding: $0.copied(), as: UTF8.self) } } ?? "none" }.joined(
      separator: ",")
  }
}
