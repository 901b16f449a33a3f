internal import ThumbturnCrypto
internal import ThumbturnVault

/// What stands in the secret box of an item: its data, and the further secrets of an internet password.
struct ItemSecrets: Sendable {
  var data: SharedSecret?
  var extra: [Attribute: SharedSecret]

  init(data: SharedSecret? = nil, extra: [Attribute: SharedSecret] = [:]) {
    self.data = data
    self.extra = extra
  }

  /// Checks secrets that come from outside, before a vault is opened or made for them.
  ///
  /// - Throws: ``KeychainError/Code/dataTooLarge`` when they have more than 16 MiB together,
  ///   ``KeychainError/Code/noSuchAttribute`` for a further secret that the class does not have.
  init(
    _ data: SharedSecret?, _ extra: [Attribute: SharedSecret], of itemClass: ItemClass
  ) throws(KeychainError) {
    guard extra.keys.allSatisfy(AttributeDefinition.extraSecrets(of: itemClass).contains) else {
      throw KeychainError(.noSuchAttribute)
    }
    self.init(data: data, extra: extra)
    guard countBytes <= RecordLimits.secretCountMax else { throw KeychainError(.dataTooLarge) }
  }

  /// All bytes together.
  var countBytes: Int { extra.values.reduce(data?.count ?? 0) { $0 + $1.count } }

  /// The fields of the secret box, in ascending order.
  var fields: [SecretField] {
    var fields = extra.map { SecretField(number: $0.key.rawValue, secret: $0.value) }
    if let data { fields.append(SecretField(number: Attribute.data.rawValue, secret: data)) }
    return fields.sorted { $0.number < $1.number }
  }
}

extension AttributeDefinition {
  /// The secrets that items of a class have beside their data.
  package static func extraSecrets(of itemClass: ItemClass) -> [Attribute] {
    itemClass == .internetPassword ? inetExtraSecrets : []
  }

  private static let inetExtraSecrets = table.filter(\.isExtraSecret).map(\.attribute)
}

/// Opens the secrets of one find, and counts them.
struct SecretOpening {
  private let wantsData: Bool
  private let wantsExtra: Bool
  private let countBytesMax: Int
  private var countBytes = 0

  /// Those that a query asks for, with at most `countBytesMax` bytes together.
  init(_ query: ItemQuery, countBytesMax: Int) {
    wantsData = query.wantsSecret
    wantsExtra = query.wantsSecret && query.wantsExtraSecrets
    self.countBytesMax = countBytesMax
  }

  /// - Throws: ``VaultError/Code/outOfMemory`` when a find would open more than 256 MiB, and what opening throws.
  mutating func open(
    _ record: borrowing OpenRecord, _ itemClass: ItemClass, _ release: PolicyRelease? = nil
  ) throws(VaultError) -> ItemSecrets {
    var secrets = ItemSecrets()
    guard wantsData else { return secrets }
    if let bytes = try record.openSecret(field: Attribute.data.rawValue, release) { secrets.data = SharedSecret(bytes) }
    if wantsExtra {
      for attribute in AttributeDefinition.extraSecrets(of: itemClass) {
        guard let bytes = try record.openSecret(field: attribute.rawValue, release) else { continue }
        // A copy of its own: what the vault hands out holds on to the whole box.
        do throws(CryptoError) {
          secrets.extra[attribute] = SharedSecret(try SecretBytes(copying: bytes.bytes))
        } catch {
          throw VaultError(.outOfMemory, "no memory for a secret")
        }
      }
    }
    countBytes += secrets.countBytes
    guard countBytes <= countBytesMax else {
      throw VaultError(.outOfMemory, "the secrets of one find are at most 256 MiB")
    }
    return secrets
  }
}
