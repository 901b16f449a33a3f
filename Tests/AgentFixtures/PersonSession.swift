import Foundation
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

  private static func text(_ found: [FoundItem]) -> String {
    found.map { $0.secret.map { $0.withBytes { String(decoding: $0.copied(), as: UTF8.self) } } ?? "none" }.joined(
      separator: ",")
  }
}
