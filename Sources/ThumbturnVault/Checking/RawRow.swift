/// One value of a row as it stands in a file, whatever its type.
enum RawValue: Hashable, Sendable {
  case null
  case integer(Int64)
  /// The bits of a double.
  case real(UInt64)
  case text([UInt8])
  case blob([UInt8])

  /// The bytes of a blob, or of text in its place; empty for anything else.
  var bytes: [UInt8] {
    switch self {
    case .text(let bytes), .blob(let bytes): bytes
    case .null, .integer, .real: []
    }
  }

  /// An integer from 0 to 255. NULL and what is empty are 0, as for a find: what that answers must not be taken for
  /// damaged here.
  var byte: UInt8? {
    switch self {
    case .integer(let number): UInt8(exactly: number)
    case .null: 0
    case .text(let bytes), .blob(let bytes): bytes.isEmpty ? 0 : nil
    case .real: nil
    }
  }
  var isInteger: Bool { if case .integer = self { true } else { false } }

  var isBlob: Bool { if case .blob = self { true } else { false } }
  var isNull: Bool { self == .null }
}

/// A row of the table of records as it stands in a file, believed in nothing.
struct RawRow: Sendable {
  /// The columns behind the id, in the order of the schema.
  enum Column: Int {
    case uuid, format, table, protection, sync, primaryKey, group, first, second, tags, version, metadata, secret
  }
  static let columnCount = 13

  /// Its place in the order of insertion.
  var id: Int64
  /// One for each ``Column``.
  var values: [RawValue]
  /// The boxes in the table of blobs; null where there is none.
  var metadataBlob = RawValue.null
  var secretBlob = RawValue.null

  subscript(column: Column) -> RawValue { values[column.rawValue] }

  /// The metadata box, from its column or from the table of blobs.
  var metadataBox: [UInt8] { self[.metadata].isNull ? metadataBlob.bytes : self[.metadata].bytes }
  /// The secret box, likewise.
  var secretBox: [UInt8] { self[.secret].isNull ? secretBlob.bytes : self[.secret].bytes }

  /// Whether each column has the type that the vault writes. With another one the bytes may still be right, but SQLite no
  /// longer finds the row by them.
  var hasRightTypes: Bool {
    let blobs: [Column] = [.uuid, .primaryKey, .group, .first, .second, .tags, .version]
    return blobs.allSatisfy { self[$0].isBlob }
      && [.metadata, .secret].allSatisfy { self[$0].isBlob || self[$0].isNull }
  }

  /// The values with the types that the vault writes.
  var typedValues: [RawValue] {
    var typed = values
    for column: Column in [.format, .table, .protection, .sync] {
      if let byte = self[column].byte { typed[column.rawValue] = .integer(Int64(byte)) }
    }
    return typed
  }

  /// The uuid when the column holds one.
  var identifier: Identifier? {
    let bytes = self[.uuid].bytes
    return bytes.count == Identifier.count ? Identifier(bytes.span) : nil
  }
}
