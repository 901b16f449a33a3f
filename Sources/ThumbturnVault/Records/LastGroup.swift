internal import ThumbturnCrypto

/// The access group whose tag was made last, and its tag. The name stays no longer than the keys that make tags, and where
/// they are: in locked pages, wiped at the end.
final class LastGroup {
  private let table: UInt8
  private let name: SharedSecret
  private let tag: RecordTag

  /// Nil for a name of more than 256 bytes, and when there is no memory: then its tag is made each time.
  init?(_ table: UInt8, _ name: Span<UInt8>, _ tag: RecordTag) {
    guard name.count <= 256, let kept = try? SecretBytes(copying: name) else { return nil }
    self.table = table
    self.name = SharedSecret(kept)
    self.tag = tag
  }

  /// The tag, when these are its table and name.
  func tag(_ table: UInt8, _ name: Span<UInt8>) -> RecordTag? {
    table == self.table && self.name.withBytes { $0.equals(name) } ? tag : nil
  }
}
