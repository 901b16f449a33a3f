public import ThumbturnVault

/// The vault in this process: no daemon, nothing to start. Works in a container and under `swift test`.
public final class LocalBackend: KeychainBackend {
  /// Where its vault lies.
  public let location: VaultLocation

  /// Opens nothing yet: the first call does. A vault that is not there is made by the first ``add(_:for:)``.
  public init(location: VaultLocation) { self.location = location }

  public func add(_ item: NewItem, for caller: Caller) throws(KeychainError) -> FoundItem {
    throw KeychainError(.unimplemented)
  }
  public func find(_ query: ItemQuery, for caller: Caller) throws(KeychainError) -> [FoundItem] {
    throw KeychainError(.unimplemented)
  }
  public func update(_ query: ItemQuery, with change: ItemChange, for caller: Caller) throws(KeychainError) {
    throw KeychainError(.unimplemented)
  }
  public func delete(_ query: ItemQuery, for caller: Caller) throws(KeychainError) {
    throw KeychainError(.unimplemented)
  }
  /// What can be said of the vault without a secret.
  public func status() throws(KeychainError) -> VaultStatus { throw KeychainError(.unimplemented) }
}
