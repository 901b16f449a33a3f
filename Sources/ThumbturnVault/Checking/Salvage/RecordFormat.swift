internal import ThumbturnCrypto

/// How SQLite writes a row: varints, a header of serial types, then the values (https://www.sqlite.org/fileformat2.html).
///
/// The bytes come from a damaged file: whatever they are, each function answers nil or within its bounds.
enum RecordFormat {
  /// The varint at `at`: 1 to 9 bytes, highest first.
  static func varint(_ bytes: Span<UInt8>, at: Int) -> (value: UInt64, count: Int)? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard at >= 0, at + index < bytes.count else { return nil }
      let byte = bytes[at + index]
      if index == 8 { return (value << 8 | UInt64(byte), 9) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte & 0x80 == 0 { return (value, index + 1) }
    }
    return nil
  }

  /// A varint as SQLite writes it, for values below 2^56.
  static func encoded(_ value: Int) -> [UInt8] {
    var bytes = [UInt8(value & 0x7F)]
    var rest = value >> 7
    while rest > 0 {
      bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
      rest >>= 7
    }
    return bytes
  }

  /// The size of a value of this serial type; nil for one that is reserved or too large.
  static func count(ofSerial serial: UInt64) -> Int? {
    switch serial {
    case 0, 8, 9: 0
    case 1...4: Int(serial)
    case 5: 6
    case 6, 7: 8
    case 10, 11: nil
    default: serial > UInt64(2 * RecordLimits.boxCountMax + 13) ? nil : Int((serial - 12) / 2)
    }
  }

  /// The serial types of the header at `at`, and the size of the whole record. Nil unless the header is exactly filled.
  static func header(_ bytes: Span<UInt8>, at: Int) -> (serials: [UInt64], headerCount: Int, recordCount: Int)? {
    guard let (size, sizeCount) = varint(bytes, at: at), size <= 127, at + Int(size) <= bytes.count else { return nil }
    var serials: [UInt64] = []
    var place = at + sizeCount
    var total = Int(size)
    while place < at + Int(size) {
      guard let (serial, count) = varint(bytes, at: place), let valueCount = Self.count(ofSerial: serial) else {
        return nil
      }
      serials.append(serial)
      total += valueCount
      place += count
    }
    return place == at + Int(size) ? (serials, Int(size), total) : nil
  }

  /// The values of a whole record.
  static func values(_ record: Span<UInt8>) -> [RawValue]? {
    guard let (serials, headerCount, recordCount) = header(record, at: 0), recordCount == record.count else {
      return nil
    }
    var values: [RawValue] = []
    var at = headerCount
    for serial in serials {
      guard let count = count(ofSerial: serial), at + count <= record.count else { return nil }
      let bytes = record.extracting(at..<(at + count))
      at += count
      switch serial {
      case 0: values.append(.null)
      case 8: values.append(.integer(0))
      case 9: values.append(.integer(1))
      case 7: values.append(.real(UInt64(bitPattern: number(bytes))))
      case 1...6: values.append(.integer(number(bytes)))
      default: values.append(serial.isMultiple(of: 2) ? .blob(bytes.copied()) : .text(bytes.copied()))
      }
    }
    return values
  }

  /// A signed number, highest byte first.
  private static func number(_ bytes: Span<UInt8>) -> Int64 {
    guard !bytes.isEmpty else { return 0 }
    var value = Int64(Int8(bitPattern: bytes[0]))
    for index in 1..<bytes.count { value = value << 8 | Int64(bytes[index]) }
    return value
  }
}
