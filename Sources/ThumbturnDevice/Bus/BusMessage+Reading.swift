internal import CSystemd
internal import Glibc

extension BusMessage {
  /// What a message is.
  enum Kind: Equatable { case answer, call, error, signal, unknown }

  var kind: Kind {
    var type: UInt8 = 0
    guard unsafe sd_bus_message_get_type(raw, &type) >= 0 else { return .unknown }
    return switch Int(type) {
    case Int(SD_BUS_MESSAGE_METHOD_CALL): .call
    case Int(SD_BUS_MESSAGE_METHOD_RETURN): .answer
    case Int(SD_BUS_MESSAGE_METHOD_ERROR): .error
    case Int(SD_BUS_MESSAGE_SIGNAL): .signal
    default: .unknown
    }
  }

  /// The unique name of the connection that sent this: the bus writes it, not the sender. `org.freedesktop.DBus` is the
  /// bus itself.
  public var sender: String? { unsafe Self.text(sd_bus_message_get_sender(raw)) }
  /// The object's path.
  public var path: String? { unsafe Self.text(sd_bus_message_get_path(raw)) }
  /// The interface.
  public var interface: String? { unsafe Self.text(sd_bus_message_get_interface(raw)) }
  /// The name of the signal or method.
  public var member: String? { unsafe Self.text(sd_bus_message_get_member(raw)) }
  var destination: String? { unsafe Self.text(sd_bus_message_get_destination(raw)) }

  /// The number of the call that this answers.
  var answeredCookie: UInt64? {
    var cookie: UInt64 = 0
    return unsafe sd_bus_message_get_reply_cookie(raw, &cookie) >= 0 ? cookie : nil
  }

  /// The name of the error that this is. The text beside it may hold anything, and is not looked at.
  var errorName: String? {
    guard let error = unsafe sd_bus_message_get_error(raw) else { return nil }
    return unsafe Self.text(error.pointee.name)
  }

  /// Reads a text (`s`).
  ///
  /// - Throws: ``BusError/Code/malformed`` when something else comes next, ``BusError/Code/tooLarge``.
  public mutating func readText() throws(BusError) -> String { try readText(letter: UInt8(ascii: "s")) }

  /// Reads an object's path (`o`). Throws as ``readText()``.
  public mutating func readPath() throws(BusError) -> String { try readText(letter: UInt8(ascii: "o")) }

  /// Reads a number (`u`). Throws ``BusError/Code/malformed`` when something else comes next.
  public mutating func readUInt32() throws(BusError) -> UInt32 {
    var number: UInt32 = 0
    try Self.found(unsafe sd_bus_message_read_basic(raw, CChar(UInt8(ascii: "u")), &number))
    return number
  }

  /// Reads a number (`i`). Throws as ``readUInt32()``.
  public mutating func readInt32() throws(BusError) -> Int32 {
    var number: Int32 = 0
    try Self.found(unsafe sd_bus_message_read_basic(raw, CChar(UInt8(ascii: "i")), &number))
    return number
  }

  /// Reads a number (`t`). Throws as ``readUInt32()``.
  public mutating func readUInt64() throws(BusError) -> UInt64 {
    var number: UInt64 = 0
    try Self.found(unsafe sd_bus_message_read_basic(raw, CChar(UInt8(ascii: "t")), &number))
    return number
  }

  /// Reads a truth value (`b`). Throws as ``readUInt32()``.
  public mutating func readBool() throws(BusError) -> Bool {
    var number: Int32 = 0
    try Self.found(unsafe sd_bus_message_read_basic(raw, CChar(UInt8(ascii: "b")), &number))
    return number != 0
  }

  /// Reads a file descriptor (`h`), as a copy: the message closes its own.
  mutating func readDescriptor() throws(BusError) -> OwnedDescriptor {
    var number: Int32 = -1
    try Self.found(unsafe sd_bus_message_read_basic(raw, CChar(UInt8(ascii: "h")), &number))
    guard let copy = OwnedDescriptor(copying: number) else {
      throw BusError(.outOfMemory, "no room for a descriptor")
    }
    return copy
  }

  /// The next bytes (`ay`), borrowed from the message.
  @_lifetime(&self)
  public mutating func readBytes() throws(BusError) -> Span<UInt8> {
    var start: UnsafeRawPointer?
    var count = 0
    try Self.found(unsafe sd_bus_message_read_array(raw, CChar(UInt8(ascii: "y")), &start, &count))
    let bytes = unsafe Span<UInt8>(
      _unsafeBytes: UnsafeRawBufferPointer(start: start, count: unsafe start == nil ? 0 : count))
    return unsafe _overrideLifetime(bytes, mutating: &self)
  }

  /// Reads a container. It is left on every way out of `body`; what `body` did not read is passed over.
  ///
  /// - Throws: ``BusError/Code/malformed`` when something else comes next, and what `body` throws.
  public mutating func reading<Value>(
    _ container: Container, of contents: String, _ body: (inout BusMessage) throws(BusError) -> Value
  ) throws(BusError) -> Value {
    let status = unsafe contents.withCString {
      unsafe sd_bus_message_enter_container(raw, container.letter, $0)
    }
    try Self.found(status)
    let value: Value
    do throws(BusError) { value = try body(&self) } catch {
      try? leave()
      throw error
    }
    try leave()
    return value
  }

  /// Reads an array, element by element.
  ///
  /// - Throws: As ``reading(_:of:_:)``; ``BusError/Code/tooLarge`` after ``BusLimits/elementCountMax`` elements.
  public mutating func readArray<Value>(
    of contents: String, _ element: (inout BusMessage) throws(BusError) -> Value
  ) throws(BusError) -> [Value] {
    try reading(.array, of: contents) { message throws(BusError) in
      var values: [Value] = []
      while try !message.isAtEnd() {
        guard values.count < BusLimits.elementCountMax else {
          throw BusError(.tooLarge, "an array has too many elements")
        }
        values.append(try element(&message))
      }
      return values
    }
  }

  private func isAtEnd() throws(BusError) -> Bool {
    let status = unsafe sd_bus_message_at_end(raw, 0)
    guard status >= 0 else { throw BusError(status: status, "a message cannot be read") }
    return status > 0
  }

  private mutating func leave() throws(BusError) {
    // Each step goes over one value, so the size of the message bounds it.
    while try !isAtEnd() { try Self.found(unsafe sd_bus_message_skip(raw, nil)) }
    let status = unsafe sd_bus_message_exit_container(raw)
    guard status >= 0 else { throw BusError(status: status, "a container cannot be left") }
  }

  private mutating func readText(letter: UInt8) throws(BusError) -> String {
    var text: UnsafePointer<CChar>?
    try Self.found(unsafe sd_bus_message_read_basic(raw, CChar(letter), &text))
    guard let text = unsafe text else { throw BusError(.malformed, "a text is missing") }
    guard let copy = unsafe Self.text(text) else { throw BusError(.tooLarge, "a text is too long") }
    return copy
  }

  private static func found(_ status: Int32) throws(BusError) {
    guard status != 0 else { throw BusError(.malformed, "a value is missing") }
    guard status > 0 else { throw BusError(status: status, "a value is of another type") }
  }

  /// Nil also when it is longer than the limit. That it is UTF-8 was checked when the message came in.
  private static func text(_ start: UnsafePointer<CChar>?) -> String? {
    guard let start = unsafe start, unsafe strnlen(start, BusLimits.textBytesMax + 1) <= BusLimits.textBytesMax else {
      return nil
    }
    return unsafe String(cString: start)
  }
}
