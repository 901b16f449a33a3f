internal import Foundation
internal import ThumbturnAuthentication
internal import ThumbturnCrypto
internal import ThumbturnKeychain
internal import ThumbturnVault

// The four calls; each changes everything or nothing.

extension MemoryState {
  /// The secrets of an item together, in bytes: as in the vault.
  private static let secretCountMax = 16_777_216

  mutating func add(_ item: NewItem, for caller: Caller) throws(KeychainError) -> FoundItem {
    let content = try ItemContent(item, caller, now: Self.now())
    try Self.checkSecrets(item.secret, item.extraSecrets, of: item.itemClass)
    try checkStorable(content.protectionClass, item.accessControl)
    let key = PrimaryKey.bytes(of: content)
    let holder = items.firstIndex {
      $0.content.itemClass == item.itemClass && PrimaryKey.bytes(of: $0.content) == key
    }
    // A dead item is none for who adds one; where its class is locked nobody can see that.
    if let holder, !isOpen(items[holder].content.protectionClass) || !isDead(items[holder]) {
      throw KeychainError(.duplicateItem)
    }
    var password: [UInt8]?
    if item.accessControl?.needsApplicationPassword == true {
      password = try newPassword(Session(.ask, item.context))
    }
    let made = Item(
      content: content, reference: (0..<16).map { _ in UInt8.random(in: .min ... .max) },
      accessControl: item.accessControl, secret: item.secret, extraSecrets: item.extraSecrets, enrolment: enrolment,
      applicationPassword: password)
    if let holder { items.remove(at: holder) }
    items.append(made)
    return made.found(withSecret: true, withExtraSecrets: true)
  }

  mutating func find(_ query: ItemQuery, for caller: Caller) throws(KeychainError) -> [FoundItem] {
    let selection = try Selection(query, caller, writes: false)
    let countMax =
      switch query.limit {
      case .all: Int.max
      case .count(let count): count
      }
    let session = Session(query.consent, query.context)
    var found: [FoundItem] = []
    for match in selection.matches(in: items) where found.count < countMax {
      let item = items[match.item]
      let key = match.identityKey.map { items[$0] }
      for half in [item, key].compactMap(\.self) { try requireKey(of: half.content.protectionClass) }
      // Of an identity the key is what has a secret.
      if query.wantsSecret, try !mayRead(key ?? item, session) { continue }
      found.append(
        item.found(
          withSecret: query.wantsSecret, withExtraSecrets: query.wantsSecret && query.wantsExtraSecrets,
          identityKey: key))
    }
    guard !found.isEmpty else { throw KeychainError(.itemNotFound) }
    return found
  }

  mutating func update(
    _ query: ItemQuery, with change: ItemChange, for caller: Caller
  ) throws(KeychainError) {
    let selection = try Selection(query, caller, writes: true)
    if let group = change.attributes[.accessGroup] { _ = try caller.groups(named: group, writes: true) }
    try caller.checkSynchronizable(change.isSynchronizable ?? false)
    let classes: [ItemClass] = query.identityKey == nil ? [query.itemClass] : [.certificate, .key]
    if classes.count > 1, change.secret != nil || !change.extraSecrets.isEmpty { throw KeychainError(.parameter) }
    for (attribute, value) in change.attributes {
      guard let itemClass = classes.first(where: { attribute.belongs(to: $0) }) else {
        throw KeychainError(.noSuchAttribute)
      }
      _ = try ItemContent.stored([attribute: value], in: itemClass)
    }
    try Self.checkSecrets(change.secret, change.extraSecrets, of: query.itemClass)
    let matches = selection.matches(in: items)
    guard !matches.isEmpty else { throw KeychainError(.itemNotFound) }
    // Only a find leaves out.
    let session = Session(query.consent == .ask ? .ask : .refuse, query.context)
    var changed = items
    var changedCount = 0
    for index in Set(matches.flatMap { [$0.item, $0.identityKey].compactMap(\.self) }).sorted() {
      try requireKey(of: changed[index].content.protectionClass)
      // The secret alone is replaced without being read.
      let replacesOnly = change.attributes.isEmpty && change.secret != nil && !change.setsProtection
      if replacesOnly {
        try open(changed[index], session)
      } else if try !mayRead(changed[index], session, opens: change.setsSecret || change.takesPassword) {
        continue
      }
      try apply(change, to: &changed[index], session)
      changedCount += 1
    }
    guard changedCount > 0 else { throw KeychainError(.itemNotFound) }
    var keys: Set<[UInt8]> = []
    for item in changed {
      let key = [item.content.itemClass.rawValue] + PrimaryKey.bytes(of: item.content)
      guard keys.insert(key).inserted else { throw KeychainError(.duplicateItem) }
    }
    items = changed
  }

  private mutating func apply(
    _ change: ItemChange, to item: inout Item, _ session: Session
  ) throws(KeychainError) {
    let itemClass = item.content.itemClass
    // Of an identity, each half takes what it has.
    var given = change.attributes.filter { $0.key.belongs(to: itemClass) }
    given[.modificationDate] = nil
    item.content.attributes.merge(try ItemContent.stored(given, in: itemClass)) { $1 }
    var now = Self.now()
    if case .date(let last)? = item.content.attributes[.modificationDate] { now = max(now, last + 0.001) }
    item.content.attributes[.modificationDate] = .date(now)
    if let isSynchronizable = change.isSynchronizable { item.content.isSynchronizable = isSynchronizable }
    if change.setsProtection {
      item.accessControl = change.accessControl
      item.enrolment = enrolment
      item.content.protectionClass =
        change.accessControl?.protectionClass ?? change.protectionClass ?? item.content.protectionClass
      try checkStorable(item.content.protectionClass, item.accessControl)
      if change.takesPassword {
        item.applicationPassword = nil
      } else if item.applicationPassword == nil {
        item.applicationPassword = try newPassword(session)
      }
    }
    if let secret = change.secret { item.secret = secret }
    item.extraSecrets.merge(change.extraSecrets) { $1 }
  }

  mutating func delete(_ query: ItemQuery, for caller: Caller) throws(KeychainError) {
    let selection = try Selection(query, caller, writes: true)
    let matches = selection.matches(in: items)
    guard !matches.isEmpty else { throw KeychainError(.itemNotFound) }
    let gone = Set(matches.map(\.item))
    let keys = Set(matches.compactMap(\.identityKey))
    let rest = items.indices.filter { !gone.contains($0) }
    let left = rest.map { items[$0] }
    // A key stays as long as one of its certificates does.
    items = rest.filter { !keys.contains($0) || selection.isUsed(items[$0], in: left) }.map { items[$0] }
  }

  private static func checkSecrets(
    _ secret: SharedSecret?, _ extraSecrets: [Attribute: SharedSecret], of itemClass: ItemClass
  ) throws(KeychainError) {
    guard extraSecrets.keys.allSatisfy(AttributeDefinition.extraSecrets(of: itemClass).contains) else {
      throw KeychainError(.noSuchAttribute)
    }
    guard extraSecrets.values.reduce(secret?.count ?? 0, { $0 + $1.count }) <= secretCountMax else {
      throw KeychainError(.dataTooLarge)
    }
  }

  /// Seconds since 2001-01-01 00:00 UTC.
  private static func now() -> Double { Date().timeIntervalSinceReferenceDate }
}

extension Attribute {
  fileprivate func belongs(to itemClass: ItemClass) -> Bool {
    AttributeDefinition.of(self)?.classes.contains(itemClass) ?? false
  }
}

extension ItemChange {
  fileprivate var setsProtection: Bool { accessControl != nil || protectionClass != nil }
  fileprivate var setsSecret: Bool { secret != nil || !extraSecrets.isEmpty }
  /// Whether an item has no application password afterwards, whatever it had.
  fileprivate var takesPassword: Bool { setsProtection && accessControl?.needsApplicationPassword != true }
}

extension MemoryState.Item {
  func found(withSecret: Bool, withExtraSecrets: Bool, identityKey: MemoryState.Item? = nil) -> FoundItem {
    FoundItem(
      itemClass: content.itemClass, attributes: content.attributes, protectionClass: content.protectionClass,
      isSynchronizable: content.isSynchronizable, reference: reference, secret: withSecret ? secret : nil,
      accessControl: accessControl, extraSecrets: withExtraSecrets ? extraSecrets : [:],
      identityKey: identityKey?.found(withSecret: withSecret, withExtraSecrets: false))
  }
}
