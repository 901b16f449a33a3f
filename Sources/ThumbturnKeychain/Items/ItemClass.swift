/// The kind of an item: which attributes it has and which of them make it unique (SECITEM.md §5).
///
/// The raw value is the table number in every record.
public enum ItemClass: UInt8, CaseIterable, Hashable, Sendable {
  /// `genp`: unique by service and account.
  case genericPassword = 1
  /// `inet`: unique by server, account, protocol, port, path, security domain and authentication type.
  case internetPassword = 2
  /// `cert`: unique by type, issuer and serial number.
  case certificate = 3
  /// `keys`: unique by class, labels, type, sizes and dates.
  case key = 4

  /// Apple's code, the value of `kSecClass`.
  public var code: String {
    switch self {
    case .genericPassword: "genp"
    case .internetPassword: "inet"
    case .certificate: "cert"
    case .key: "keys"
    }
  }
}
