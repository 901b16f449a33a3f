internal import ThumbturnVault

// An identity is no row: it is a certificate and the private key with the same hash of the public key (SECITEM.md §5.1,
// §10).

/// A query of identities: one for each half.
struct IdentityMatching: Sendable {
  /// One certificate and its key.
  struct Pair: Sendable {
    let certificate: (uuid: Identifier, content: ItemContent)
    let key: (uuid: Identifier, content: ItemContent)
  }

  let certificates: ItemMatching
  let keys: ItemMatching

  init(_ query: ItemQuery, _ caller: Caller, writes: Bool) throws(KeychainError) {
    var certificate = query
    certificate.itemClass = .certificate
    certificate.synchronizable = .any
    certificate.protectionClass = nil
    var key = ItemQuery(.key, query.identityKey ?? [:])
    key.synchronizable = query.synchronizable
    key.protectionClass = query.protectionClass
    // A query that names another kind of key means none.
    for (attribute, value) in [Attribute.keyClass: AttributeValue.number(1), .isPrivate: .number(1)] {
      if let named = key.attributes[attribute], named.canonicalBytes != value.canonicalBytes {
        throw KeychainError(.itemNotFound)
      }
      key.attributes[attribute] = value
    }
    certificates = try ItemMatching(certificate, caller, writes: writes)
    keys = try ItemMatching(key, caller, writes: writes)
  }

  /// All pairs, in the order of the certificates, then of the keys.
  func pairs(_ reader: RecordReader) throws(VaultError) -> [Pair] {
    var pairs: [Pair] = []
    try forEach(reader) { (pair) throws(VaultError) in
      pairs.append(pair)
      return .goOn
    }
    return pairs
  }

  /// The pairs one by one, for as long as `body` wants.
  func forEach(
    _ reader: RecordReader, _ body: (Pair) throws(VaultError) -> RecordReader.Next
  ) throws(VaultError) {
    // A locked half decides only when the search comes to it.
    for (uuid, content) in try LocalBackend.matches(certificates.withIssuers(reader), reader, takesLocked: true) {
      guard let content else { throw VaultError(.classKeyLocked, "the class key of a certificate is locked") }
      guard let hash = content.attributes[.publicKeyHash] else { continue }
      for (keyUUID, key) in try LocalBackend.matches(keys(with: hash), reader, takesLocked: true) {
        guard let key else { throw VaultError(.classKeyLocked, "the class key of a private key is locked") }
        guard try body(Pair(certificate: (uuid, content), key: (keyUUID, key))) == .goOn else { return }
      }
    }
  }

  /// The keys with a hash of the public key; none when the query names another.
  private func keys(with hash: AttributeValue) -> ItemMatching {
    var keys = keys
    // Both must hold, and no value is equal to two.
    if let named = keys.attributes[.applicationLabel], named.canonicalBytes != hash.canonicalBytes {
      keys.attributes[.isPrivate] = .number(0)
    } else {
      keys.attributes[.applicationLabel] = hash
    }
    return keys
  }

  /// Whether a certificate of the caller's that is still there has this hash.
  func isUsed(_ hash: AttributeValue, _ reader: RecordReader) throws(VaultError) -> Bool {
    let all = ItemMatching(
      itemClass: .certificate, attributes: [.publicKeyHash: hash], groups: certificates.groups)
    return try !LocalBackend.matches(all, reader, takesLocked: true).isEmpty
  }
}

extension LocalBackend {
  func findIdentities(
    _ query: ItemQuery, for caller: Caller, _ evaluator: (any PolicyEvaluator)?
  ) throws(KeychainError) -> [FoundItem] {
    let matching = try IdentityMatching(query, caller, writes: false)
    guard query.countMax > 0 else { throw KeychainError(.itemNotFound) }
    return try found(query, evaluator) { (consent, opens) throws(KeychainError) in
      try searchIdentities(query, matching, consent, opens: opens)
    }
  }

  private func searchIdentities(
    _ query: ItemQuery, _ matching: IdentityMatching, _ consent: CallConsent, opens: Bool
  ) throws(KeychainError) -> SearchResult {
    try inVault { (vault) throws(VaultError) in
      try vault.read { (reader) throws(VaultError) -> SearchResult in
        var result = SearchResult()
        var opening = SecretOpening(query, countBytesMax: foundSecretsCountMax)
        let hasPasscode = reader.keys.hasPasscode
        try matching.forEach(reader) { (pair) throws(VaultError) in
          if query.wantsSecret {
            var isLeftOut = false
            for case let question? in [pair.key.content.question, pair.certificate.content.question] {
              switch consent.answer(question, hasPasscode: hasPasscode) {
              case .free: break
              case .leaveOut: isLeftOut = true
              case .ask: result.questions.insert(question)
              case .refusal(let error):
                result.refusal = error
                return .stop
              }
            }
            if isLeftOut { return .goOn }
          }
          var (keySecrets, secrets): (ItemSecrets?, ItemSecrets?) = (ItemSecrets(), ItemSecrets())
          if opens, result.questions.isEmpty {
            keySecrets = try Self.secrets(of: pair.key.uuid, matching.keys, reader, &opening, consent)
            secrets = try Self.secrets(of: pair.certificate.uuid, matching.certificates, reader, &opening, consent)
          }
          guard let keySecrets, let secrets else { return .goOn }
          let key = FoundItem(pair.key.content, pair.key.uuid, keySecrets)
          result.found.append(FoundItem(pair.certificate.content, pair.certificate.uuid, secrets, identityKey: key))
          return result.found.count < query.countMax ? .goOn : .stop
        }
        return result
      }
    }
  }

  func updateIdentities(
    _ query: ItemQuery, with change: ItemChange, for caller: Caller, _ evaluator: (any PolicyEvaluator)?
  ) throws(KeychainError) {
    // Which half would it be?
    guard change.secret == nil, change.extraSecrets.isEmpty else { throw KeychainError(.parameter) }
    let matching = try IdentityMatching(query, caller, writes: true)
    guard
      change.attributes.keys.allSatisfy({ $0.belongs(to: .certificate) || $0.belongs(to: .key) })
    else { throw KeychainError(.noSuchAttribute) }
    let now = Self.now()
    let changing = (
      certificate: try ItemChanging(
        change.part(of: .certificate), of: .certificate, caller, now: now, evaluator),
      key: try ItemChanging(change.part(of: .key), of: .key, caller, now: now, evaluator)
    )
    try changed(query, evaluator) { (consent) throws(KeychainError) in
      try applyToIdentities(changing.certificate, changing.key, matching, consent)
    }
  }

  private func applyToIdentities(
    _ certificateChange: ItemChanging, _ keyChange: ItemChanging, _ matching: IdentityMatching, _ consent: CallConsent
  ) throws(KeychainError) -> UpdateOutcome {
    try inVault { (vault) throws(VaultError) in
      try vault.write(mayCreate: false) { (writer) throws(VaultError) -> UpdateOutcome in
        let hasPasscode = writer.reader.keys.hasPasscode
        var questions: Set<PolicyQuestion> = []
        var living: [IdentityMatching.Pair] = []
        for pair in try matching.pairs(writer.reader) {
          var isLeftOut = false
          for (change, old) in [(keyChange, pair.key.content), (certificateChange, pair.certificate.content)] {
            switch change.answer(about: old, consent, hasPasscode: hasPasscode) {
            case .free: break
            case .leaveOut: isLeftOut = true
            case .ask(let question): questions.insert(question)
            case .refusal(let error): return .refused(error)
            }
          }
          if !isLeftOut { living.append(pair) }
        }
        guard questions.isEmpty else { return .questions(questions) }
        var done: Set<Identifier> = []
        for pair in living {
          let (certificate, key) = (pair.certificate, pair.key)
          if done.insert(certificate.uuid).inserted {
            try certificateChange.apply(to: certificate.uuid, certificate.content, writer, consent.release)
          }
          // Several certificates may have one key.
          if done.insert(key.uuid).inserted {
            try keyChange.apply(to: key.uuid, key.content, writer, consent.release)
          }
        }
        return .changed(count: living.count)
      }
    }
  }

  /// Deletes the certificates, and each key of which no certificate is left.
  func deleteIdentities(_ query: ItemQuery, for caller: Caller) throws(KeychainError) {
    let matching = try IdentityMatching(query, caller, writes: true)
    let count = try inVault { (vault) throws(VaultError) in
      try vault.write(mayCreate: false) { (writer) throws(VaultError) -> Int in
        let pairs = try matching.pairs(writer.reader)
        var done: Set<Identifier> = []
        for pair in pairs where done.insert(pair.certificate.uuid).inserted {
          try writer.delete(pair.certificate.uuid)
        }
        for pair in pairs where done.insert(pair.key.uuid).inserted {
          guard let hash = pair.key.content.attributes[.applicationLabel] else { continue }
          if try !matching.isUsed(hash, writer.reader) { try writer.delete(pair.key.uuid) }
        }
        return pairs.count
      }
    }
    guard count > 0 else { throw KeychainError(.itemNotFound) }
  }

  /// The secrets of one half; nil when its record is damaged.
  private static func secrets(
    of uuid: Identifier, _ matching: ItemMatching, _ reader: RecordReader, _ opening: inout SecretOpening,
    _ consent: CallConsent
  ) throws(VaultError) -> ItemSecrets? {
    var secrets: ItemSecrets?
    var opened = opening
    try reader.forEach(try matching.candidate(uuid, reader.keys), wantsSecret: true) { (record) throws(VaultError) in
      secrets = try opened.open(record, matching.itemClass, consent.release)
      return .stop
    }
    opening = opened
    return secrets
  }
}

extension ItemMatching {
  /// Everything of a class in these groups that has the attributes.
  fileprivate init(itemClass: ItemClass, attributes: [Attribute: AttributeValue], groups: [String]) {
    self.itemClass = itemClass
    self.attributes = attributes
    self.groups = groups
    synchronizable = .any
    protectionClass = nil
    reference = nil
    filter = ItemFilter()
    hasFilter = false
  }

  /// The same, with the names that its issuers stand for.
  func withIssuers(_ reader: RecordReader) throws(VaultError) -> ItemMatching {
    guard let wanted = filter.issuers else { return self }
    var links: [ItemFilter.ChainLink] = []
    let all = ItemMatching(itemClass: .certificate, attributes: [:], groups: groups)
    for case (_, let content?) in try LocalBackend.matches(all, reader, takesLocked: true) {
      if let link = ItemFilter.ChainLink(content.attributes) { links.append(link) }
    }
    var out = self
    out.issuers = ItemFilter.names(below: wanted, in: links)
    return out
  }
}

extension ItemChange {
  /// What of it one half of an identity takes.
  fileprivate func part(of itemClass: ItemClass) -> ItemChange {
    var part = self
    part.attributes = attributes.filter { $0.key.belongs(to: itemClass) }
    return part
  }
}

extension Attribute {
  /// Whether items of a class have it.
  fileprivate func belongs(to itemClass: ItemClass) -> Bool {
    AttributeDefinition.of(self)?.classes.contains(itemClass) ?? false
  }
}
