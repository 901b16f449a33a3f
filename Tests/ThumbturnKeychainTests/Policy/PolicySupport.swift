internal import TestFixtures
internal import ThumbturnCrypto

@testable internal import ThumbturnKeychain
@testable internal import ThumbturnVault

/// A generic password under an access control.
func constrained(
  _ account: String, _ conditions: AccessControl.Conditions = .userPresence,
  _ protection: ProtectionClass = .whenUnlocked, _ text: String? = nil
) throws -> NewItem {
  var item = try password("s", account, text ?? "secret of \(account)")
  item.accessControl = AccessControl(protection, conditions)
  return item
}

/// The one item of an account, with its secret.
func secretQuery(_ account: String, _ consent: ItemQuery.Consent = .ask) -> ItemQuery {
  var out = query([.account: .text(account)], limit: .count(1))
  out.consent = consent
  return out
}

/// The same without its secret.
func attributeQuery(_ account: String) -> ItemQuery { ItemQuery(.genericPassword, [.account: .text(account)]) }

extension LockedScratch {
  static let code = "1234"

  /// A vault with a passcode, unlocked.
  static func unlocked() throws -> LockedScratch {
    let scratch = try LockedScratch()
    try scratch.backend.changePasscode(from: nil, to: passcode(code))
    return scratch
  }
}

extension LocalBackend {
  /// Shows a record of an account, as an agent or a check would see it; whatever does not verify is thrown.
  func withRecord<Result: Sendable>(
    _ account: String, _ itemClass: ItemClass = .genericPassword,
    _ body: (borrowing OpenRecord, RecordKeys) throws(VaultError) -> Result
  ) throws(KeychainError) -> Result? {
    try inVault { (vault) throws(VaultError) in
      try vault.read { (reader) throws(VaultError) -> Result? in
        var everything = RecordQuery(table: itemClass.rawValue, groups: [])
        everything.isOfAnyGroup = true
        everything.second = try reader.keys.tag(itemClass, .account, .text(account))
        var result: Result?
        var damagedCount = 0
        try reader.forEach(everything, wantsSecret: true, onDamaged: { _ in damagedCount += 1 }) {
          (record) throws(VaultError) in
          result = try body(record, reader.keys)
          return .stop
        }
        guard damagedCount == 0 else { throw VaultError(.damagedRecord, "the record does not verify") }
        return result
      }
    }
  }

  /// A secret as the agent will open it after its own verification of whatever the record asks for.
  func released(
    _ account: String, _ itemClass: ItemClass = .genericPassword, _ attribute: Attribute = .data
  ) throws(KeychainError) -> String? {
    let found = try withRecord(account, itemClass) { (record, _) throws(VaultError) -> String? in
      var release: PolicyRelease?
      if let policy = try record.policy() { release = PolicyRelease(verified: [policy]) }
      guard let secret = try record.openSecret(field: attribute.rawValue, release) else { return nil }
      return String(decoding: secret.bytes.copied(), as: UTF8.self)
    }
    return found ?? nil
  }

  /// The number of the code that a find with the secret answers.
  func findCode(_ query: ItemQuery, _ evaluator: (any PolicyEvaluator)? = nil) -> KeychainError.Code? {
    code { _ = try $0.find(query, for: me, evaluator) }
  }

  /// The same of an update.
  func updateCode(
    _ query: ItemQuery, _ change: ItemChange, _ evaluator: (any PolicyEvaluator)? = nil
  ) -> KeychainError.Code? {
    code { try $0.update(query, with: change, for: me, evaluator) }
  }
}

extension ItemChange {
  /// Of an access control alone.
  init(_ control: AccessControl?) {
    self.init()
    accessControl = control
  }
}
