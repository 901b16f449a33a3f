internal import ThumbturnCrypto
internal import ThumbturnKeychain

/// Writes fields into memory that is given to it, locked or a file's; secrets go from their own memory straight there.
///
/// What does not fit is counted and not written: ``count`` then says how much room is needed. The memory must outlive the
/// writer, which is why only ``MessageWriting`` makes one.
@safe
struct FieldWriter {
  private let place: UnsafeMutableRawBufferPointer
  /// The bytes that the message has until now, those that did not fit included.
  private(set) var count = 0
  /// Whether a value was larger than its limit; the message must not be sent then.
  private(set) var isOverLimit = false

  init(_ place: UnsafeMutableRawBufferPointer) { unsafe self.place = place }

  /// Whether everything was written.
  var isWhole: Bool { unsafe count <= place.count }

  mutating func raw(_ value: UInt64, count size: Int) {
    store(value, count: size, at: count)
    count += size
  }

  private func store(_ value: UInt64, count size: Int, at start: Int) {
    guard unsafe start + size <= place.count else { return }
    for index in 0..<size { unsafe place[start + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index)) }
  }

  private mutating func raw(_ bytes: Span<UInt8>) {
    let start = count
    count += bytes.count
    guard unsafe count <= place.count, !bytes.isEmpty else { return }
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe UnsafeMutableRawBufferPointer(rebasing: place[start...]).copyMemory(from: bytes)
    }
  }

  private mutating func head(_ number: UInt16, _ type: FieldType, count size: Int, countMax: Int) {
    if size > countMax { isOverLimit = true }
    raw(UInt64(number), count: 2)
    raw(UInt64(type.rawValue), count: 1)
    raw(UInt64(size), count: 4)
  }

  mutating func file(_ size: Int) {
    head(0, .file, count: 8, countMax: 8)
    raw(UInt64(size), count: 8)
  }

  mutating func number(_ number: UInt16, _ value: UInt64?) {
    guard let value else { return }
    head(number, .number, count: 8, countMax: 8)
    raw(value, count: 8)
  }

  mutating func size(_ number: UInt16, _ value: Int) { self.number(number, UInt64(max(0, value))) }

  mutating func flag(_ number: UInt16, _ value: Bool?) { self.number(number, value.map { $0 ? 1 : 0 }) }

  mutating func text(_ number: UInt16, _ value: String?, countMax: Int = FrameLimits.textCountMax) {
    guard let value else { return }
    let bytes = value.utf8Span.span
    head(number, .text, count: bytes.count, countMax: countMax)
    raw(bytes)
  }

  mutating func bytes(_ number: UInt16, _ value: [UInt8]?, countMax: Int) {
    guard let value else { return }
    head(number, .bytes, count: value.count, countMax: countMax)
    raw(value.span)
  }

  mutating func secret(_ number: UInt16, _ value: SharedSecret?, countMax: Int = FrameLimits.secretCountMax) {
    guard let value else { return }
    head(number, .secret, count: value.count, countMax: countMax)
    value.withBytes { raw($0) }
  }

  mutating func attributes(_ number: UInt16, _ value: ItemAttributes) {
    let encoded = value.encoded
    head(number, .attributes, count: encoded.count, countMax: FrameLimits.attributesCountMax)
    raw(encoded.span)
  }

  mutating func group(_ number: UInt16, _ body: (inout FieldWriter) -> Void) {
    head(number, .group, count: 0, countMax: 0)
    sized(body)
  }

  /// A list of entries that are fields themselves.
  mutating func list<Entry>(
    _ number: UInt16, _ entries: [Entry], countMax: Int, _ body: (inout FieldWriter, Entry) -> Void
  ) {
    if entries.count > countMax { isOverLimit = true }
    head(number, .list, count: 0, countMax: 0)
    sized { writer in
      writer.raw(UInt64(entries.count), count: 4)
      for entry in entries {
        writer.raw(0, count: 4)
        writer.sized { body(&$0, entry) }
      }
    }
  }

  /// A list of entries that are bytes.
  mutating func list(_ number: UInt16, bytes entries: [[UInt8]], countMax: Int, entryCountMax: Int) {
    if entries.contains(where: { $0.count > entryCountMax }) { isOverLimit = true }
    list(number, entries, countMax: countMax) { $0.raw($1.span) }
  }

  mutating func list(_ number: UInt16, texts entries: [String], countMax: Int) {
    if entries.contains(where: { $0.utf8.count > FrameLimits.textCountMax }) { isOverLimit = true }
    list(number, entries, countMax: countMax) { $0.raw($1.utf8Span.span) }
  }

  /// Runs `body` and writes the size of what it wrote into the 4 bytes before.
  private mutating func sized(_ body: (inout FieldWriter) -> Void) {
    let start = count
    body(&self)
    // A size that has no place in 4 bytes belongs to a message far above its limit.
    store(UInt64(count - start), count: 4, at: start - 4)
  }
}
