import Foundation
import ThumbturnCrypto
import ThumbturnKeychain
import ThumbturnVault

/// The names of an item.
struct Name: Hashable {
  let service: String
  let account: String
}

/// What must be in the vault: every item with its secret.
typealias Content = [Name: [UInt8]]

/// One change, as one call makes it.
enum Change {
  case set(Name, [UInt8])
  case remove(Name)
  /// Every item of the service in one transaction.
  case setAll(service: String, [UInt8])
  /// Closes the vault and opens it anew at the next call: the log goes into the database and its file is removed.
  case reopen

  func apply(to content: inout Content) {
    switch self {
    case .set(let name, let secret): content[name] = secret
    case .remove(let name): content[name] = nil
    case .setAll(let service, let secret):
      for name in content.keys where name.service == service { content[name] = secret }
    case .reopen: break
    }
  }

  func run(on backend: LocalBackend) throws {
    let caller = Caller()
    switch self {
    case .set(let name, let secret):
      do throws(KeychainError) {
        try backend.update(name.query, with: ItemChange(secret: try shared(secret)), for: caller)
      } catch {
        guard error.code == .itemNotFound else { throw error }
        _ = try backend.add(
          NewItem(.genericPassword, name.attributes, secret: try shared(secret), protectionClass: .afterFirstUnlock),
          for: caller)
      }
    case .remove(let name): try backend.delete(name.query, for: caller)
    case .setAll(let service, let secret):
      try backend.update(
        ItemQuery(.genericPassword, [.service: .text(service)], limit: .all),
        with: ItemChange(secret: try shared(secret)), for: caller)
    case .reopen: backend.close()
    }
  }
}

extension Name {
  var attributes: [Attribute: AttributeValue] { [.service: .text(service), .account: .text(account)] }
  var query: ItemQuery { ItemQuery(.genericPassword, attributes) }
}

func shared(_ bytes: [UInt8]) throws(KeychainError) -> SharedSecret {
  do { return SharedSecret(try SecretBytes(copying: bytes.span)) } catch {
    throw KeychainError(VaultError(.outOfMemory, "no memory for a test's secret"))
  }
}

extension LocalBackend {
  /// Everything in the vault; nothing where there is none.
  func content() throws -> Content {
    let found: [FoundItem]
    do throws(KeychainError) {
      found = try find(ItemQuery(.genericPassword, limit: .all, wantsSecret: true), for: Caller())
    } catch {
      guard error.code == .itemNotFound else { throw error }
      found = []
    }
    var content: Content = [:]
    for item in found {
      guard case .text(let service) = item.attributes[.service], case .text(let account) = item.attributes[.account],
        let secret = item.secret
      else { throw Fault("an item without service, account or secret") }
      guard
        content.updateValue(secret.withBytes { $0.copied() }, forKey: Name(service: service, account: account)) == nil
      else { throw Fault("two items with the same names") }
    }
    return content
  }
}

/// Opens the vault anew and holds it against what was acknowledged.
enum Verdict {
  private static let probe = Name(service: "probe", account: "next write")

  /// Nil when the vault holds exactly one of `allowed`, takes the next write, and leaves no stray file.
  static func fault(at home: String, allowed: [Content]) -> String? {
    do {
      let backend = LocalBackend(location: VaultLocation(home: home))
      var content = try backend.content()
      guard allowed.contains(content) else { return difference(content, allowed) }
      let status = try backend.status()
      guard status.itemCount == (status.isPresent ? content.count : 0) else {
        return "the header counts \(status.itemCount) items, there are \(content.count)"
      }
      try Change.set(probe, [1, 2, 3]).run(on: backend)
      content[probe] = [1, 2, 3]
      guard try backend.content() == content else { return "the next write is not there" }
      backend.close()
      return try strayFile(home)
    } catch let error as KeychainError {
      return "the vault does not open: \(error.code) \(error)"
    } catch {
      return "the vault does not open: \(error)"
    }
  }

  private static func strayFile(_ home: String) throws -> String? {
    var names = Set(try FileManager.default.contentsOfDirectory(atPath: home + "/vault"))
    for name in ["keybag", "seat.lock", "writer.lock"] {
      guard names.remove(name) != nil else { return "\(name) is not there" }
    }
    guard names.count == 1, let database = names.first, database.hasPrefix("vault-"), database.hasSuffix(".db") else {
      return "stray files: \(names.sorted())"
    }
    let keys = try FileManager.default.contentsOfDirectory(atPath: home + "/device")
    guard keys.count == 1, keys[0].count == 35 else { return "stray device keys: \(keys.sorted())" }
    return nil
  }

  private static func difference(_ content: Content, _ allowed: [Content]) -> String {
    let wanted = allowed[0]
    let missing = wanted.keys.filter { content[$0] == nil }.count
    let other = wanted.filter { content[$0.key] != nil && content[$0.key] != $0.value }.count
    let more = content.keys.filter { wanted[$0] == nil }.count
    return "acknowledged changes lost or half done: of \(wanted.count) items \(missing) missing, \(other) with another "
      + "secret, \(more) too many"
  }
}
