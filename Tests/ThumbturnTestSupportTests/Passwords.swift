internal import ThumbturnCrypto
internal import ThumbturnKeychain
internal import ThumbturnTestSupport
internal import ThumbturnVault

extension MemoryBackend {
  /// Adds a password whose secret is its account.
  func addPassword(
    _ account: String, _ protection: ProtectionClass? = nil, control conditions: AccessControl.Conditions? = nil
  ) throws {
    var item = NewItem(
      .genericPassword, [.account: .text(account)], secret: try secret(account), protectionClass: protection)
    if let conditions { item.accessControl = AccessControl(protection ?? .whenUnlocked, conditions) }
    _ = try add(item, for: Caller())
  }

  /// The secret of an account.
  func read(_ account: String) throws -> String {
    let found = try find(ItemQuery(.genericPassword, [.account: .text(account)], wantsSecret: true), for: Caller())
    guard let secret = found[0].secret else { return "none" }
    var bytes: [UInt8] = []
    secret.withBytes { span in for index in span.indices { bytes.append(span[index]) } }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Changes what is no secret.
  func setLabel(_ account: String) throws {
    try update(
      ItemQuery(.genericPassword, [.account: .text(account)]), with: ItemChange([.label: .text("l")]), for: Caller())
  }
}

/// A text as a secret.
func secret(_ text: String) throws -> SharedSecret { SharedSecret(try SecretBytes(copying: Array(text.utf8).span)) }
