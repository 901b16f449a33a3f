internal import TestFixtures
internal import ThumbturnCrypto
internal import ThumbturnVault

@testable internal import ThumbturnKeychain

/// A backend over a vault of its own.
struct Scratch {
  let home: TemporaryHome
  let backend: LocalBackend

  init() throws {
    home = try TemporaryHome()
    backend = LocalBackend(location: home.location)
  }

  /// Closes the vault; until then its folder stays, also when a test uses the backend alone.
  func end() { backend.close() }

  /// The same vault, opened once more, as another process would.
  func another() -> LocalBackend { LocalBackend(location: home.location) }
}

let me = Caller()

func secret(_ text: String) throws -> SharedSecret { try secret(Array(text.utf8)) }
func secret(_ bytes: [UInt8]) throws -> SharedSecret { SharedSecret(try SecretBytes(copying: bytes.span)) }

func password(
  _ service: String, _ account: String, _ text: String = "s3cret", _ more: [Attribute: AttributeValue] = [:]
) throws -> NewItem {
  NewItem(
    .genericPassword, more.merging([.service: .text(service), .account: .text(account)]) { $1 },
    secret: try secret(text))
}

func query(_ attributes: [Attribute: AttributeValue] = [:], limit: ItemQuery.Limit = .all) -> ItemQuery {
  ItemQuery(.genericPassword, attributes, limit: limit, wantsSecret: true)
}

extension FoundItem {
  /// The secret as text, for tests alone.
  var text: String? { secret?.withBytes { String(decoding: $0.copied(), as: UTF8.self) } }
}

extension [FoundItem] {
  var accounts: [AttributeValue?] { map { $0.attributes[.account] } }
}
