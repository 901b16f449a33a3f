internal import ThumbturnCrypto
public import ThumbturnVault

/// The vault in this process: no daemon, nothing to start. Works in a container and under `swift test`.
public final class LocalBackend: KeychainBackend {
  private let vault: Vault
  /// All secrets of one find in bytes.
  let foundSecretsCountMax: Int

  /// Where its vault lies.
  public var location: VaultLocation { vault.location }

  /// Opens nothing yet: the first call does. A vault that is not there is made by the first ``add(_:for:)``.
  public convenience init(location: VaultLocation) {
    self.init(location: location, foundSecretsCountMax: RecordLimits.foundSecretsCountMax)
  }

  /// With another limit, so that a test reaches it.
  init(location: VaultLocation, foundSecretsCountMax: Int) {
    vault = Vault(location: location)
    self.foundSecretsCountMax = foundSecretsCountMax
  }

  /// As ``KeychainBackend/add(_:for:)``.
  public func add(_ item: NewItem, for caller: Caller) throws(KeychainError) -> FoundItem {
    let content = try Self.content(item, caller)
    let secret = try Self.fields(item.secret)
    let uuid = try inVault { (vault) throws(VaultError) in
      try vault.write(mayCreate: true) { (writer) throws(VaultError) -> Identifier in
        try Self.insert(content, secret, writer)
      }
    }
    return FoundItem(content, uuid, item.secret)
  }

  /// As ``KeychainBackend/find(_:for:)``.
  public func find(_ query: ItemQuery, for caller: Caller) throws(KeychainError) -> [FoundItem] {
    let matching = try ItemMatching(query, caller)
    let countMax =
      switch query.limit {
      case .all: Int.max
      case .count(let count): count
      }
    guard countMax > 0 else { throw KeychainError(.itemNotFound) }
    let (found, damagedCount) = try inVault { (vault) throws(VaultError) in
      try vault.read { (reader) throws(VaultError) -> ([FoundItem], Int) in
        var found: [FoundItem] = []
        var damagedCount = 0
        var secretsCount = 0
        let candidates = try matching.candidates(reader.keys)
        try reader.forEach(candidates, wantsSecret: query.wantsSecret, onDamaged: { _ in damagedCount += 1 }) {
          (record) throws(VaultError) in
          guard !record.isLocked else { throw VaultError(.classKeyLocked, "the class key is locked") }
          let content = try ItemContent(record, query.itemClass)
          guard matching.accepts(content) else { return .goOn }
          var secret: SharedSecret?
          if query.wantsSecret, let bytes = try record.openSecret(field: Attribute.data.rawValue) {
            secretsCount += bytes.count
            guard secretsCount <= foundSecretsCountMax else {
              throw VaultError(.outOfMemory, "the secrets of one find are at most 256 MiB")
            }
            secret = SharedSecret(bytes)
          }
          found.append(FoundItem(content, record.uuid, secret))
          return found.count < countMax ? .goOn : .stop
        }
        return (found, damagedCount)
      }
    }
    guard found.isEmpty else { return found }
    // A damaged record is as if it were not there (SECITEM.md §14.3); whoever asks why is told.
    guard damagedCount == 0 else {
      throw .notFound(because: VaultError(.damagedRecord, "a record that fits does not verify", part: .database))
    }
    throw KeychainError(.itemNotFound)
  }

  /// As ``KeychainBackend/update(_:with:for:)``.
  public func update(_ query: ItemQuery, with change: ItemChange, for caller: Caller) throws(KeychainError) {
    let matching = try ItemMatching(query, caller)
    var changes = try ItemContent.stored(change.attributes, in: query.itemClass)
    if let named = changes[.accessGroup] { _ = try AccessGroups.own(named, caller) }
    changes[.modificationDate] = nil
    if let protection = change.protectionClass {
      try Self.refuseWithoutPasscode(protection, isConstrained: change.isConstrained)
    } else if change.isConstrained {
      throw KeychainError(.authenticationFailed)
    }
    let secret = try change.secret.map { (secret) throws(KeychainError) in try Self.fields(secret) }
    let now = Self.now()
    let count = try inVault { (vault) throws(VaultError) in
      try vault.write(mayCreate: false) { (writer) throws(VaultError) -> Int in
        let items = try Self.matches(matching, writer, takesLocked: false)
        for case (let uuid, let old?) in items {
          var item = old
          item.attributes.merge(changes) { $1 }
          item.attributes[.modificationDate] = .date(Self.modification(after: old, now: now))
          if let protection = change.protectionClass { item.protectionClass = protection }
          if let isSynchronizable = change.isSynchronizable { item.isSynchronizable = isSynchronizable }
          let draft = try item.draft(writer.reader.keys)
          do throws(VaultError) { try writer.replace(uuid, with: draft, secret: secret) } catch {
            // What has the new key may be a damaged record, which is as good as none.
            guard error.code == .duplicate, try writer.makeWay(for: draft.primaryKey) else { throw error }
            try writer.replace(uuid, with: draft, secret: secret)
          }
        }
        return items.count
      }
    }
    guard count > 0 else { throw KeychainError(.itemNotFound) }
  }

  /// As ``KeychainBackend/delete(_:for:)``.
  public func delete(_ query: ItemQuery, for caller: Caller) throws(KeychainError) {
    let matching = try ItemMatching(query, caller)
    let count = try inVault { (vault) throws(VaultError) in
      try vault.write(mayCreate: false) { (writer) throws(VaultError) -> Int in
        let items = try Self.matches(matching, writer, takesLocked: true)
        for (uuid, _) in items { try writer.delete(uuid) }
        // A damaged record is gone for find; here its tags decide, so that it can be got rid of.
        return items.count + (try writer.deleteDamaged(try matching.candidates(writer.reader.keys)))
      }
    }
    guard count > 0 else { throw KeychainError(.itemNotFound) }
  }

  /// What can be said of the vault without a secret. Makes nothing.
  public func status() throws(KeychainError) -> VaultStatus {
    try inVault { (vault) throws(VaultError) in try vault.status() }
  }

  /// Closes the vault's files; the next call opens them again. A program that ends without this loses nothing.
  public func close() { vault.close() }
}

extension LocalBackend {
  func inVault<Result>(
    _ body: (Vault) throws(VaultError) -> Result
  ) throws(KeychainError) -> Result {
    do throws(VaultError) { return try body(vault) } catch { throw KeychainError(error) }
  }

  /// What a new item becomes, checked and dated now.
  static func content(_ item: NewItem, _ caller: Caller) throws(KeychainError) -> ItemContent {
    var attributes = try ItemContent.stored(item.attributes, in: item.itemClass)
    let groups = try AccessGroups.all(caller)
    let group = try attributes[.accessGroup].map { (named) throws(KeychainError) in
      try AccessGroups.own(named, caller)
    }
    attributes[.accessGroup] = .text(group ?? groups[0])
    let now = now()
    attributes[.creationDate] = .date(now)
    attributes[.modificationDate] = .date(now)
    let content = ItemContent(
      itemClass: item.itemClass, attributes: attributes,
      protectionClass: item.protectionClass ?? (item.itemClass == .certificate ? .always : .whenUnlocked),
      isSynchronizable: item.isSynchronizable)
    try refuseWithoutPasscode(content.protectionClass, isConstrained: item.isConstrained)
    return content
  }

  /// Inserts an item, unless its primary key is taken.
  static func insert(
    _ content: ItemContent, _ secret: [SecretField], _ writer: RecordWriter
  ) throws(VaultError) -> Identifier {
    let draft = try content.draft(writer.reader.keys)
    guard try writer.makeWay(for: draft.primaryKey) else {
      throw VaultError(.duplicate, "an item with this primary key exists")
    }
    return try writer.insert(draft, secret: secret)
  }

  /// Every match of a query, before anything is changed. A locked one has no content, and its tags alone say that it is
  /// one: that is enough for a delete.
  private static func matches(
    _ matching: ItemMatching, _ writer: RecordWriter, takesLocked: Bool
  ) throws(VaultError) -> [(Identifier, ItemContent?)] {
    var items: [(Identifier, ItemContent?)] = []
    let candidates = try matching.candidates(writer.reader.keys)
    try writer.reader.forEach(candidates, wantsSecret: false) { (record) throws(VaultError) in
      guard !record.isLocked else {
        guard takesLocked else { throw VaultError(.classKeyLocked, "the class key is locked") }
        items.append((record.uuid, nil))
        return .goOn
      }
      let content = try ItemContent(record, matching.query.itemClass)
      if matching.accepts(content) { items.append((record.uuid, content)) }
      return .goOn
    }
    return items
  }

  /// There is no passcode in this version: nothing may hang on one (SECITEM.md §15, VAULT.md §3).
  private static func refuseWithoutPasscode(
    _ protection: ProtectionClass, isConstrained: Bool
  ) throws(KeychainError) {
    if isConstrained || protection == .whenPasscodeSetThisDeviceOnly { throw KeychainError(.authenticationFailed) }
  }

  /// The fields of a secret box. A secret that is too large is refused before a vault is opened, or made.
  static func fields(_ secret: SharedSecret?) throws(KeychainError) -> [SecretField] {
    guard let secret else { return [] }
    guard secret.count <= RecordLimits.secretCountMax else { throw KeychainError(.dataTooLarge) }
    return [SecretField(number: Attribute.data.rawValue, secret: secret)]
  }

  /// Seconds since 2001-01-01 00:00 UTC.
  private static func now() -> Double { Double(system_realNanoseconds()) / 1e9 - 978_307_200 }

  /// A change is never dated before the one before it, whatever the clock says.
  static func modification(after item: ItemContent, now: Double) -> Double {
    guard case .date(let last) = item.attributes[.modificationDate] else { return now }
    return max(now, last + 0.001)
  }
}

extension FoundItem {
  init(_ content: ItemContent, _ uuid: Identifier, _ secret: SharedSecret?) {
    let reference = uuid.bytes
    self.init(
      itemClass: content.itemClass, attributes: content.attributes, protectionClass: content.protectionClass,
      isSynchronizable: content.isSynchronizable, reference: (0..<Identifier.count).map { reference[$0] },
      secret: secret)
  }
}
