internal import ThumbturnVault

// An item whose set of fingers is another one by now is gone for who wants its secret (SECACCESS.md §2.6). Nothing could
// bring it back, so it must not stand in the way of an item with its primary key for ever.
extension LocalBackend {
  /// Inserts an item; over one with its primary key when the evaluator says that nothing fulfils that one any more.
  ///
  /// - Throws: ``KeychainError/Code/duplicateItem`` for any other, also when it was written meanwhile, and what
  ///   ``PolicyEvaluator/isDead(_:)`` throws.
  func inserted(
    _ content: ItemContent, _ secret: [SecretField], _ password: StretchedPassword?,
    _ evaluator: (any PolicyEvaluator)?
  ) throws(KeychainError) -> Identifier {
    do throws(KeychainError) { return try inserted(content, secret, password, over: nil) } catch {
      guard error.code == .duplicateItem, let evaluator else { throw error }
      // Asked between the transactions: it may wait for the reader.
      guard let holder = try holder(of: content), try evaluator.isDead(holder.question) else { throw error }
      return try inserted(content, secret, password, over: holder.record)
    }
  }

  private func inserted(
    _ content: ItemContent, _ secret: [SecretField], _ password: StretchedPassword?, over dead: RecordHolder?
  ) throws(KeychainError) -> Identifier {
    try inVault { (vault) throws(VaultError) in
      try vault.write(mayCreate: true) { (writer) throws(VaultError) -> Identifier in
        try Self.insert(content, secret, writer, password, over: dead)
      }
    }
  }

  private struct Holder: Sendable {
    let record: RecordHolder
    let question: PolicyQuestion
  }

  /// What has the primary key of an item; nil for one that has no access control, or that cannot be looked into now.
  private func holder(of content: ItemContent) throws(KeychainError) -> Holder? {
    try inVault { (vault) throws(VaultError) in
      try vault.read { (reader) throws(VaultError) -> Holder? in
        let key = try reader.keys.primaryKeyTag(content)
        do throws(VaultError) {
          return try reader.withHolder(of: key) { (record) throws(VaultError) in try Self.holder(record) } ?? nil
        } catch {
          // It was damaged since the first try: the next call makes way.
          guard error.code == .damagedRecord else { throw error }
          return nil
        }
      }
    }
  }

  private static func holder(_ record: borrowing OpenRecord) throws(VaultError) -> Holder? {
    guard !record.isLocked, let control = try record.accessControl() else { return nil }
    let question = PolicyQuestion(accessControl: control, enrolmentHash: try record.policy()?.enrolmentHash ?? [])
    return Holder(record: RecordHolder(record), question: question)
  }
}
