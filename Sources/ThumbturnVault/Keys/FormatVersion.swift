/// The format of keybag, device key and database. A larger major is refused, a larger minor is read-only.
struct FormatVersion: Hashable, Comparable, Sendable {
  let major: UInt16
  let minor: UInt16

  /// What this version writes.
  static let current = FormatVersion(major: 1, minor: 0)

  /// Whether this version may write what has this format.
  var isWritable: Bool { major == Self.current.major && minor <= Self.current.minor }

  init(major: UInt16, minor: UInt16) {
    self.major = major
    self.minor = minor
  }

  /// As SQLite's `user_version`: the major in the upper half.
  init(packed: UInt32) { self.init(major: UInt16(packed >> 16), minor: UInt16(packed & 0xFFFF)) }

  func check(_ part: VaultError.Part, fileName: String) throws(VaultError) {
    guard major <= Self.current.major else {
      throw VaultError(.newerFormat, "made by a newer version", part: part, fileName: fileName)
    }
    guard major == Self.current.major else {
      throw VaultError(.damaged, "no such format ever was", part: part, fileName: fileName)
    }
  }

  static func < (left: Self, right: Self) -> Bool { (left.major, left.minor) < (right.major, right.minor) }
}
