internal import ThumbturnVault

extension LocalBackend {
  /// Adds many items in one transaction: all of them, durable when it returns, or none when it throws.
  ///
  /// No API: it is for Benchmarks, which fill a vault with a million items. Everything else adds one item by one call,
  /// because the writer lock is held for as long as this runs and others give up after 5 seconds.
  ///
  /// - Throws: As ``add(_:for:)``, for the first item that cannot be added.
  @_spi(Benchmarks)
  public func addTogether(_ items: [NewItem], for caller: Caller) throws(KeychainError) {
    var contents: [(item: ItemContent, secret: [SecretField])] = []
    for item in items { contents.append((try Self.content(item, caller), try Self.fields(item))) }
    try inVault { (vault) throws(VaultError) in
      try vault.write(mayCreate: true) { (writer) throws(VaultError) in
        for content in contents { _ = try Self.insert(content.item, content.secret, writer) }
      }
    }
  }
}
