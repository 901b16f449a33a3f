internal import ThumbturnKeychain

/// What `kSecClass` names: items of one class, or identities, which are a certificate and its private key.
enum QueryClass: Hashable {
  case items(ItemClass)
  case identities

  private static let identityCode = "idnt"

  /// The class with Apple's code; nil for one that is not served.
  init?(code: String) {
    if code == Self.identityCode {
      self = .identities
    } else if let itemClass = ItemClass.allCases.first(where: { $0.code == code }) {
      self = .items(itemClass)
    } else {
      return nil
    }
  }

  /// Apple's code.
  var code: String {
    switch self {
    case .items(let itemClass): itemClass.code
    case .identities: Self.identityCode
    }
  }

  /// Whether a match key of certificates has a meaning here.
  var hasCertificates: Bool { self == .items(.certificate) || self == .identities }

  /// Whether there will be an object for `kSecReturnRef`; passwords have none.
  var hasReferenceObjects: Bool { self != .items(.genericPassword) && self != .items(.internetPassword) }

  /// The row of an attribute. Where both halves of an identity have the code, it is the key's.
  func definition(of code: String) -> AttributeDefinition? {
    switch self {
    case .items(let itemClass): .of(code: code, in: itemClass)
    case .identities: .of(code: code, in: .key) ?? .of(code: code, in: .certificate)
    }
  }
}

extension Attribute {
  /// Whether a query of identities asks the certificate for it, and not the key: those of certificates only, the label and
  /// the token (SECITEM.md §5.1).
  var isAskedOfCertificate: Bool {
    guard self != .label, self != .tokenID, let definition = AttributeDefinition.of(self) else { return true }
    return AttributeDefinition.of(code: definition.code, in: .key)?.attribute != self
  }
}
