/// An error of the cryptographic layer and of secret memory.
///
/// Check ``code`` to decide what to do. Equality looks at ``code`` only.
public struct CryptoError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong. New codes may come in a minor release, so always keep a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    enum Base: Hashable, Sendable {
      case libraryFailed
      case notAuthentic
      case outOfSecretMemory
      case randomUnavailable
      case tooLarge
    }
    let base: Base

    /// OpenSSL refused an operation that cannot fail with valid input.
    public static let libraryFailed = Self(base: .libraryFailed)
    /// An authentication tag did not verify: the box was changed, or the key is another.
    public static let notAuthentic = Self(base: .notAuthentic)
    /// The kernel gave no more memory for secrets.
    public static let outOfSecretMemory = Self(base: .outOfSecretMemory)
    /// getrandom(2) gave no bytes; nothing weaker is used instead.
    public static let randomUnavailable = Self(base: .randomUnavailable)
    /// A secret above ``SecretBytes/countMax``.
    public static let tooLarge = Self(base: .tooLarge)

    /// The code's name.
    public var description: String { "\(base)" }
  }

  /// What went wrong.
  public let code: Code
  let reason: StaticString
  let fileID: String
  let line: UInt

  init(_ code: Code, _ reason: StaticString, fileID: String = #fileID, line: UInt = #line) {
    self.code = code
    self.reason = reason
    self.fileID = fileID
    self.line = line
  }

  /// Text for logs: it holds nothing of the user's.
  public var description: String { "\(code): \(reason) (\(fileID):\(line))" }

  /// Compares the codes.
  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension CryptoError {
  /// A MAC that a layer above compared and found different.
  package static var mismatch: Self { Self(.notAuthentic, "a MAC did not verify") }
}
