internal import CSystemd

/// One message of a bus: it has one owner, and is let go once.
///
/// Not Sendable: it stays on the thread that owns its connection. Its memory is ordinary memory, so no secret goes in.
@safe
public struct BusMessage: ~Copyable {
  let raw: OpaquePointer
  /// A part could not be written, so what is there is not what was meant.
  private var isUnfinished = false

  /// Takes over one reference.
  init(adopting raw: OpaquePointer) { unsafe self.raw = raw }

  deinit { _ = unsafe sd_bus_message_unref(raw) }

  /// A container of D-Bus.
  public enum Container: Hashable, Sendable {
    case array, dictionaryEntry, structure, variant

    var letter: CChar {
      switch self {
      case .array: CChar(UInt8(ascii: "a"))
      case .dictionaryEntry: CChar(UInt8(ascii: "e"))
      case .structure: CChar(UInt8(ascii: "r"))
      case .variant: CChar(UInt8(ascii: "v"))
      }
    }
  }

  /// Throws ``BusError/Code/unfinished`` when an append failed: such a message must not be sent.
  borrowing func requireFinished() throws(BusError) {
    guard !isUnfinished else { throw BusError(.unfinished, "a part of the message is missing") }
  }

  /// Appends a text, of at most ``BusLimits/textBytesMax`` bytes and without a zero byte.
  public mutating func append(_ text: String) throws(BusError) { try append(text, letter: UInt8(ascii: "s")) }

  /// Appends an object's path. What is no path is ``BusError/Code/malformed``.
  public mutating func append(path: String) throws(BusError) { try append(path, letter: UInt8(ascii: "o")) }

  /// Appends a number (`u`).
  public mutating func append(_ number: UInt32) throws(BusError) {
    var number = number
    try written(unsafe sd_bus_message_append_basic(raw, CChar(UInt8(ascii: "u")), &number))
  }

  /// Appends a number (`i`).
  public mutating func append(_ number: Int32) throws(BusError) {
    var number = number
    try written(unsafe sd_bus_message_append_basic(raw, CChar(UInt8(ascii: "i")), &number))
  }

  /// Appends a number (`t`).
  public mutating func append(_ number: UInt64) throws(BusError) {
    var number = number
    try written(unsafe sd_bus_message_append_basic(raw, CChar(UInt8(ascii: "t")), &number))
  }

  /// Appends a truth value (`b`).
  public mutating func append(_ value: Bool) throws(BusError) {
    // On the bus and in C it is an int.
    var number: Int32 = value ? 1 : 0
    try written(unsafe sd_bus_message_append_basic(raw, CChar(UInt8(ascii: "b")), &number))
  }

  /// Appends `count` bytes (`ay`), which `fill` writes in place.
  public mutating func appendBytes(count: Int, fill: (inout MutableSpan<UInt8>) -> Void) throws(BusError) {
    var start: UnsafeMutableRawPointer?
    try written(unsafe sd_bus_message_append_array_space(raw, CChar(UInt8(ascii: "y")), count, &start))
    var bytes = unsafe MutableSpan<UInt8>(
      _unsafeBytes: UnsafeMutableRawBufferPointer(start: start, count: unsafe start == nil ? 0 : count))
    fill(&bytes)
  }

  /// Appends a container, with what `body` appends. It is closed on every way out of `body`; after an error the message
  /// cannot be sent.
  ///
  /// - Parameter contents: D-Bus signature of what is inside.
  public mutating func appending(
    _ container: Container, of contents: String, _ body: (inout BusMessage) throws(BusError) -> Void
  ) throws(BusError) {
    let status = unsafe contents.withCString {
      unsafe sd_bus_message_open_container(raw, container.letter, $0)
    }
    try written(status)
    do throws(BusError) { try body(&self) } catch {
      isUnfinished = true
      unsafe sd_bus_message_close_container(raw)
      throw error
    }
    try written(unsafe sd_bus_message_close_container(raw))
  }

  private mutating func append(_ text: String, letter: UInt8) throws(BusError) {
    guard text.utf8.count <= BusLimits.textBytesMax, !text.utf8.contains(0) else {
      isUnfinished = true
      throw BusError(.tooLarge, "a text is too long, or holds a zero byte")
    }
    try written(unsafe text.withCString { unsafe sd_bus_message_append_basic(raw, CChar(letter), $0) })
  }

  private mutating func written(_ status: Int32) throws(BusError) {
    guard status >= 0 else {
      isUnfinished = true
      throw BusError(status: status, "a value could not be appended")
    }
  }
}
