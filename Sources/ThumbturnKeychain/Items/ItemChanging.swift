internal import ThumbturnVault

/// A change that was checked, for items of one class.
struct ItemChanging: Sendable {
  private let attributes: [Attribute: AttributeValue]
  private let protectionClass: ProtectionClass?
  private let isSynchronizable: Bool?
  private let secrets: ItemSecrets
  private let now: Double

  /// - Throws: What ``ItemContent/stored(_:in:)``, ``Caller/groups(named:writes:)`` and ``ItemSecrets`` throw.
  init(_ change: ItemChange, of itemClass: ItemClass, _ caller: Caller, now: Double) throws(KeychainError) {
    var attributes = try ItemContent.stored(change.attributes, in: itemClass)
    if let named = attributes[.accessGroup] { _ = try caller.groups(named: named, writes: true) }
    if let isSynchronizable = change.isSynchronizable { try caller.checkSynchronizable(isSynchronizable) }
    attributes[.modificationDate] = nil
    self.attributes = attributes
    protectionClass = change.accessControl?.protectionClass ?? change.protectionClass
    isSynchronizable = change.isSynchronizable
    secrets = try ItemSecrets(change.secret, change.extraSecrets, of: itemClass)
    self.now = now
  }

  /// The item as it is to be.
  func changed(_ old: ItemContent) -> ItemContent {
    var item = old
    item.attributes.merge(attributes) { $1 }
    item.attributes[.modificationDate] = .date(Self.modification(after: old, now: now))
    if let protectionClass { item.protectionClass = protectionClass }
    if let isSynchronizable { item.isSynchronizable = isSynchronizable }
    return item
  }

  /// Changes one item.
  func apply(
    to uuid: Identifier, _ old: ItemContent, _ matching: ItemMatching, _ writer: RecordWriter
  ) throws(VaultError) {
    let item = changed(old)
    try writer.reader.keys.require(item.protectionClass)
    let draft = try item.draft(writer.reader.keys)
    let secret = try fields(of: uuid, matching, writer.reader)
    do throws(VaultError) { try writer.replace(uuid, with: draft, secret: secret) } catch {
      // What has the new key may be a damaged record, which is as good as none.
      guard error.code == .duplicate, try writer.makeWay(for: draft.primaryKey) else { throw error }
      try writer.replace(uuid, with: draft, secret: secret)
    }
  }

  /// The fields of the new secret box; nil when the old one stays. Secrets that are not named are kept.
  private func fields(
    of uuid: Identifier, _ matching: ItemMatching, _ reader: RecordReader
  ) throws(VaultError) -> [SecretField]? {
    guard !secrets.fields.isEmpty else { return nil }
    guard !AttributeDefinition.extraSecrets(of: matching.itemClass).isEmpty else { return secrets.fields }
    var old: ItemSecrets?
    try reader.forEach(try matching.candidate(uuid, reader.keys), wantsSecret: true) { (record) throws(VaultError) in
      var opening = SecretOpening()
      old = try opening.open(record, matching.itemClass)
      return .stop
    }
    guard var all = old else { throw VaultError(.damagedRecord, "the secrets of the record do not open") }
    if let data = secrets.data { all.data = data }
    all.extra.merge(secrets.extra) { $1 }
    guard all.countBytes <= RecordLimits.secretCountMax else {
      throw VaultError(.tooLarge, "the secrets of an item are at most 16 MiB together")
    }
    return all.fields
  }

  /// A change is never dated before the one before it, whatever the clock says.
  static func modification(after item: ItemContent, now: Double) -> Double {
    guard case .date(let last) = item.attributes[.modificationDate] else { return now }
    return max(now, last + 0.001)
  }
}
