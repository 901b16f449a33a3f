internal import Foundation
internal import ThumbturnKeychain

/// The bytes that name an item for its whole life (SECITEM.md §9).
struct PersistentReference {
  /// 4 ASCII letters of the class and 16 random bytes; the old form has 8 bytes of a row number instead.
  static let countBytes = 20
  static let countBytesOfOldForm = 12

  /// Apple's code of the item's class.
  let classCode: String
  /// The 16 bytes, or nil for the old form: no vault of ours ever gave one out, so it names nothing.
  let identity: [UInt8]?

  /// Reads a reference; nil when it is none.
  init?(_ data: Data) {
    guard data.count == Self.countBytes || data.count == Self.countBytesOfOldForm,
      let code = String(validating: data.prefix(4), as: UTF8.self), QueryClass(code: code) != nil
    else { return nil }
    classCode = code
    identity = data.count == Self.countBytes ? [UInt8](data.dropFirst(4)) : nil
  }

  /// The reference of an item; that of an identity has the bytes of its certificate.
  static func data(of item: FoundItem) -> Data { Data(item.queryClass.code.utf8) + Data(item.reference) }
}
