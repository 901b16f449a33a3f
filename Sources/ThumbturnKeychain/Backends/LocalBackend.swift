internal import ThumbturnCrypto
public import ThumbturnVault

/// The vault in this process: no daemon, nothing to start. Works in a container and under `swift test`.
public final class LocalBackend: KeychainBackend {
  let vault: Vault
  /// All secrets of one find in bytes.
  let foundSecretsCountMax: Int

  /// Where its vault lies.
  public var location: VaultLocation { vault.location }

  /// Opens nothing yet: the first call does. A vault that is not there is made by the first ``add(_:for:)``.
  public convenience init(location: VaultLocation) {
    self.init(location: location, foundSecretsCountMax: RecordLimits.foundSecretsCountMax)
  }

  /// With another limit, so that a test reaches it.
  convenience init(location: VaultLocation, foundSecretsCountMax: Int) {
    self.init(location: location, VaultSurroundings(), foundSecretsCountMax: foundSecretsCountMax)
  }

  /// With other surroundings, for tests.
  package init(
    location: VaultLocation, _ surroundings: VaultSurroundings,
    foundSecretsCountMax: Int = RecordLimits.foundSecretsCountMax
  ) {
    vault = Vault(location: location, surroundings)
    self.foundSecretsCountMax = foundSecretsCountMax
  }

  /// As ``KeychainBackend/add(_:for:)``.
  public func add(_ item: NewItem, for caller: Caller) throws(KeychainError) -> FoundItem {
    try add(item, for: caller, nil)
  }

  /// As ``KeychainBackend/add(_:for:)``, with whoever verifies access controls for this call.
  package func add(
    _ item: NewItem, for caller: Caller, _ evaluator: (any PolicyEvaluator)?
  ) throws(KeychainError) -> FoundItem {
    let checked = try Self.content(item, caller)
    let secret = try Self.fields(item)
    let content = try Self.withEnrolment(checked, evaluator)
    // What only a passcode opens cannot be in a vault that is not there yet.
    let needsPasscode = content.protectionClass == .whenPasscodeSetThisDeviceOnly || content.accessControl != nil
    if needsPasscode, try !hasVault() { throw KeychainError(.authenticationFailed) }
    let password = try newPassword(for: content, evaluator)
    let uuid = try inserted(content, secret, password, evaluator)
    return FoundItem(content, uuid, ItemSecrets(data: item.secret, extra: item.extraSecrets))
  }

  /// As ``KeychainBackend/find(_:for:)``.
  public func find(_ query: ItemQuery, for caller: Caller) throws(KeychainError) -> [FoundItem] {
    try find(query, for: caller, nil)
  }

  /// As ``KeychainBackend/find(_:for:)``, with whoever verifies access controls for this call.
  package func find(
    _ query: ItemQuery, for caller: Caller, _ evaluator: (any PolicyEvaluator)?
  ) throws(KeychainError) -> [FoundItem] {
    if query.identityKey != nil { return try findIdentities(query, for: caller, evaluator) }
    let matching = try ItemMatching(query, caller, writes: false)
    let countMax = query.countMax
    guard countMax > 0 else { throw KeychainError(.itemNotFound) }
    return try found(query, evaluator) { (consent, opens) throws(KeychainError) in
      try search(query, matching, countMax, consent, opens: opens)
    }
  }

  /// Looks until everything that has to be verified is, and then opens.
  func found(
    _ query: ItemQuery, _ evaluator: (any PolicyEvaluator)?,
    _ look: (_ consent: CallConsent, _ opens: Bool) throws(KeychainError) -> SearchResult
  ) throws(KeychainError) -> [FoundItem] {
    var consent = CallConsent(query.consent, canAsk: evaluator != nil)
    if let evaluator, query.wantsSecret {
      // Rows may come and go while somebody is asked; what is new is asked for too (SECACCESS.md §2).
      for round in 0...CallConsent.roundCountMax {
        let probe = try look(consent, false)
        if let refusal = probe.refusal { throw refusal }
        guard !probe.needed.isEmpty else { break }
        guard round < CallConsent.roundCountMax else { throw KeychainError(.authenticationFailed) }
        try consent.ask(probe.needed, evaluator)
      }
    }
    let result = try look(consent, query.wantsSecret)
    if let refusal = result.refusal { throw refusal }
    // Something that nobody was asked about came between the last look and this one.
    guard result.needed.isEmpty else { throw KeychainError(.interactionNotAllowed) }
    return try Self.answer(result.found, damagedCount: result.damagedCount)
  }

  /// What one look at the vault gives.
  struct SearchResult: Sendable {
    var found: [FoundItem] = []
    var damagedCount = 0
    var refusal: KeychainError?
    /// What has to be verified first.
    var needed = Needed()

    /// Whether an item is taken; nil ends the search, with a refusal.
    mutating func take(_ answer: CallConsent.Answer) -> Bool? {
      do throws(KeychainError) { return try needed.take(answer) } catch {
        refusal = error
        return nil
      }
    }
  }

  /// - Parameter opens: Whether secrets are opened; without it the items have none.
  private func search(
    _ query: ItemQuery, _ matching: ItemMatching, _ countMax: Int, _ consent: CallConsent, opens: Bool
  ) throws(KeychainError) -> SearchResult {
    try inVault { (vault) throws(VaultError) in
      try vault.read { (reader) throws(VaultError) -> SearchResult in
        let matching = try matching.withIssuers(reader)
        var result = SearchResult()
        var opening = SecretOpening(query, countBytesMax: foundSecretsCountMax)
        let candidates = try matching.candidates(reader.keys)
        let wanted = matching.wanted
        var count = 0
        var damagedCount = 0
        if countMax > 1, reader.keys.hasLockedClass { try Self.refuseLocked(candidates, reader) }
        try reader.forEach(candidates, wantsSecret: opens, onDamaged: { _ in damagedCount += 1 }) {
          (record) throws(VaultError) in
          guard !record.isLocked else { throw VaultError(.classKeyLocked, "the class key is locked") }
          guard let attributes = try matching.attributes(of: record, wanted) else { return .goOn }
          let control = try record.accessControl()
          var question: PolicyQuestion?
          if query.wantsSecret, let control {
            let asked = PolicyQuestion(
              accessControl: control, enrolmentHash: try record.policy()?.enrolmentHash ?? [])
            let answer = consent.answer(asked, try record.passwordLock(), hasPasscode: reader.keys.hasPasscode)
            guard let isTaken = result.take(answer) else { return .stop }
            guard isTaken else { return .goOn }
            question = asked
          }
          count += 1
          let isToBeOpened = opens && result.needed.isEmpty
          let release = consent.release(for: question)
          let secrets = isToBeOpened ? try opening.open(record, query.itemClass, release) : ItemSecrets()
          result.found.append(
            FoundItem(
              itemClass: query.itemClass, attributes: attributes, protectionClass: record.protection,
              isSynchronizable: record.sync, reference: record.uuid.array, secret: secrets.data,
              accessControl: control, extraSecrets: secrets.extra))
          return count < countMax ? .goOn : .stop
        }
        result.damagedCount = damagedCount
        return result
      }
    }
  }

  /// A new item with what is enrolled now, when it has an access control.
  private static func withEnrolment(
    _ content: ItemContent, _ evaluator: (any PolicyEvaluator)?
  ) throws(KeychainError) -> ItemContent {
    guard let evaluator, let control = content.accessControl else { return content }
    var content = content
    content.enrolmentHash = try evaluator.enrolmentHash(for: control)
    return content
  }

  /// The application password under which a new item comes, asked for before anything is written.
  private func newPassword(
    for content: ItemContent, _ evaluator: (any PolicyEvaluator)?
  ) throws(KeychainError) -> StretchedPassword? {
    guard content.accessControl?.needsApplicationPassword == true else { return nil }
    var consent = CallConsent(.ask, canAsk: evaluator != nil)
    let hasPasscode = try inVault { (vault) throws(VaultError) in try vault.status().hasPasscode }
    for round in 0...CallConsent.roundCountMax {
      var needed = Needed()
      _ = try needed.take(consent.answerToNewPassword(hasPasscode: hasPasscode))
      guard !needed.isEmpty, let evaluator else { return consent.newPassword }
      if round < CallConsent.roundCountMax { try consent.ask(needed, evaluator) }
    }
    throw KeychainError(.authenticationFailed)
  }

  /// As ``KeychainBackend/update(_:with:for:)``.
  public func update(_ query: ItemQuery, with change: ItemChange, for caller: Caller) throws(KeychainError) {
    try update(query, with: change, for: caller, nil)
  }

  /// As ``KeychainBackend/update(_:with:for:)``, with whoever verifies access controls for this call.
  package func update(
    _ query: ItemQuery, with change: ItemChange, for caller: Caller, _ evaluator: (any PolicyEvaluator)?
  ) throws(KeychainError) {
    if let control = change.accessControl, !control.isStorable {
      // Only an item that would have it is refused; without one there is nothing to find (SECITEM.md §13).
      _ = try ItemMatching(query, caller, writes: true)
      var probe = query
      probe.wantsSecret = false
      probe.limit = .count(1)
      _ = try find(probe, for: caller)
      throw KeychainError(.authenticationFailed)
    }
    if query.identityKey != nil { return try updateIdentities(query, with: change, for: caller, evaluator) }
    let matching = try ItemMatching(query, caller, writes: true)
    let changing = try ItemChanging(change, of: query.itemClass, caller, now: Self.now(), evaluator)
    try changed(query, evaluator) { (consent) throws(KeychainError) in
      try apply(changing, to: matching, consent)
    }
  }

  /// Tries until everything that has to be verified is.
  func changed(
    _ query: ItemQuery, _ evaluator: (any PolicyEvaluator)?,
    _ change: (CallConsent) throws(KeychainError) -> UpdateOutcome
  ) throws(KeychainError) {
    // Only a find leaves out.
    var consent = CallConsent(query.consent == .ask ? .ask : .refuse, canAsk: evaluator != nil)
    for round in 0...CallConsent.roundCountMax {
      let outcome = try change(consent)
      guard case .needed(let needed) = outcome, let evaluator else { return try outcome.get() }
      if round < CallConsent.roundCountMax { try consent.ask(needed, evaluator) }
    }
    throw KeychainError(.authenticationFailed)
  }

  /// What one try of an update gives; only with a count has it changed anything.
  enum UpdateOutcome: Sendable {
    case changed(count: Int)
    case refused(KeychainError)
    case needed(Needed)

    func get() throws(KeychainError) {
      switch self {
      case .changed(let count): if count == 0 { throw KeychainError(.itemNotFound) }
      case .refused(let error): throw error
      case .needed: throw KeychainError(.interactionNotAllowed)
      }
    }
  }

  private func apply(
    _ changing: ItemChanging, to matching: ItemMatching, _ consent: CallConsent
  ) throws(KeychainError) -> UpdateOutcome {
    try inVault { (vault) throws(VaultError) in
      try vault.write(mayCreate: false) { (writer) throws(VaultError) -> UpdateOutcome in
        let items = try Self.matches(matching.withIssuers(writer.reader), writer.reader, takesLocked: false)
        let hasPasscode = writer.reader.keys.hasPasscode
        // Before anything is changed.
        var needed = Needed()
        var living: [(Identifier, ItemContent)] = []
        for case (let uuid, let old?) in items {
          do throws(KeychainError) {
            if try needed.take(changing.answer(about: old, consent, hasPasscode: hasPasscode)) {
              living.append((uuid, old))
            }
          } catch { return .refused(error) }
        }
        guard needed.isEmpty else { return .needed(needed) }
        for (uuid, old) in living { try changing.apply(to: uuid, old, writer, consent) }
        return .changed(count: living.count)
      }
    }
  }

  /// As ``KeychainBackend/delete(_:for:)``.
  public func delete(_ query: ItemQuery, for caller: Caller) throws(KeychainError) {
    if query.identityKey != nil { return try deleteIdentities(query, for: caller) }
    let matching = try ItemMatching(query, caller, writes: true)
    let count = try inVault { (vault) throws(VaultError) in
      try vault.write(mayCreate: false) { (writer) throws(VaultError) -> Int in
        let items = try Self.matches(matching.withIssuers(writer.reader), writer.reader, takesLocked: true)
        for (uuid, _) in items { try writer.delete(uuid) }
        // What a filter wants cannot be seen in a damaged record.
        guard !matching.hasFilter else { return items.count }
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
    var content = try ItemContent(item, caller, now: now())
    guard let control = item.accessControl, control.isConstrained else { return content }
    guard control.isStorable else { throw KeychainError(.authenticationFailed) }
    content.accessControl = control
    return content
  }

  /// The fields of its secret box. A secret that is too large is refused before a vault is opened, or made.
  static func fields(_ item: NewItem) throws(KeychainError) -> [SecretField] {
    try ItemSecrets(item.secret, item.extraSecrets, of: item.itemClass).fields
  }

  /// Inserts an item, unless its primary key is taken.
  ///
  /// - Parameter dead: What has the key and counts for nothing.
  static func insert(
    _ content: ItemContent, _ secret: [SecretField], _ writer: RecordWriter, _ password: StretchedPassword? = nil,
    over dead: RecordHolder? = nil
  ) throws(VaultError) -> Identifier {
    // Before the primary key: a locked class answers so for a duplicate too (SECITEM.md §15.2).
    try writer.reader.keys.require(content)
    let needsPassword = content.accessControl?.needsApplicationPassword == true
    guard needsPassword == (password != nil) else { throw .isWithoutPassword }
    let draft = try content.draft(writer.reader.keys)
    guard try writer.makeWay(for: draft.primaryKey, over: dead) else {
      throw VaultError(.duplicate, "an item with this primary key exists")
    }
    return try writer.insert(draft, secret: secret, password: password)
  }

  /// What a find answers.
  static func answer(_ found: [FoundItem], damagedCount: Int) throws(KeychainError) -> [FoundItem] {
    guard found.isEmpty else { return found }
    // A damaged record is as if it were not there (SECITEM.md §14.3); whoever asks why is told.
    guard damagedCount == 0 else {
      throw .notFound(because: VaultError(.damagedRecord, "a record that fits does not verify", part: .database))
    }
    throw KeychainError(.itemNotFound)
  }

  /// Every match of a query, before anything is changed. A locked one has no content, and its tags alone say that it is
  /// one: that is enough for a delete without a filter.
  static func matches(
    _ matching: ItemMatching, _ reader: RecordReader, takesLocked: Bool
  ) throws(VaultError) -> [(Identifier, ItemContent?)] {
    var items: [(Identifier, ItemContent?)] = []
    let candidates = try matching.candidates(reader.keys)
    let wanted = matching.wanted
    try reader.forEach(candidates, wantsSecret: false) { (record) throws(VaultError) in
      guard !record.isLocked else {
        guard takesLocked, !matching.hasFilter else {
          throw VaultError(.classKeyLocked, "the class key is locked")
        }
        items.append((record.uuid, nil))
        return .goOn
      }
      guard let attributes = try matching.attributes(of: record, wanted) else { return .goOn }
      items.append((record.uuid, try ItemContent(record, matching.itemClass, attributes)))
      return .goOn
    }
    return items
  }

  private func hasVault() throws(KeychainError) -> Bool {
    try inVault { (vault) throws(VaultError) in try vault.status().isPresent }
  }

  /// With several matches wanted, a locked one is told before any secret is opened (SECITEM.md §14.4).
  private static func refuseLocked(_ candidates: RecordQuery, _ reader: RecordReader) throws(VaultError) {
    try reader.forEach(candidates, wantsSecret: false) { (record) throws(VaultError) in
      guard !record.isLocked else { throw VaultError(.classKeyLocked, "the class key is locked") }
      return .goOn
    }
  }

  /// Seconds since 2001-01-01 00:00 UTC.
  static func now() -> Double { Double(system_realNanoseconds()) / 1e9 - 978_307_200 }
}

extension ItemQuery {
  /// How many items are wanted at most.
  var countMax: Int {
    switch limit {
    case .all: Int.max
    case .count(let count): count
    }
  }
}

extension FoundItem {
  init(_ content: ItemContent, _ uuid: Identifier, _ secrets: ItemSecrets, identityKey: FoundItem? = nil) {
    self.init(
      itemClass: content.itemClass, attributes: content.attributes, protectionClass: content.protectionClass,
      isSynchronizable: content.isSynchronizable, reference: uuid.array, secret: secrets.data,
      accessControl: content.accessControl, extraSecrets: secrets.extra, identityKey: identityKey)
  }
}
