internal import ThumbturnAuthentication
internal import ThumbturnCrypto

/// The lines that a pinentry says, in secret memory: one of them is what was typed.
struct AssuanLines: ~Copyable {
  /// The longest line, in bytes without its end, by the protocol.
  static let lineCountMax = 1_000
  /// The most lines of one conversation. A pinentry says some 20; the rest is room for comments and status lines.
  static let linesMax = 200

  /// What came of waiting for a line.
  enum Next: Equatable {
    /// One: ``line`` is it.
    case line
    case stopped
    case timedOut
    /// The program ended, or closed its output.
    case ended
    /// Longer, or more of them, than may be.
    case tooMuch
  }

  private var buffer: SecretBytes
  /// What of the buffer was read and not yet looked at.
  private var unread = 0..<0
  private var current = 0..<0
  private var linesLeft = Self.linesMax

  init() throws(CryptoError) {
    // One page, so that it is locked.
    buffer = try SecretBytes(count: 4_096) { (_: inout MutableSpan<UInt8>) throws(CryptoError) in }
  }

  /// The line that was found last.
  var line: Span<UInt8> {
    @_lifetime(borrow self)
    get { buffer.bytes.extracting(current) }
  }

  /// Waits for the next line; the one before it is wiped.
  mutating func next(from socket: Int32, until deadline: BusDeadline, stop: StopSignal) -> Next {
    buffer.wipe(current)
    current = 0..<0
    while true {
      if stop.isSet { return .stopped }
      if let end = endOfLine() {
        current = unread.lowerBound..<end
        unread = (end + 1)..<unread.upperBound
        linesLeft -= 1
        return current.count > Self.lineCountMax || linesLeft < 0 ? .tooMuch : .line
      }
      if unread.count > Self.lineCountMax { return .tooMuch }
      makeRoom()
      switch fill(from: socket) {
      case .count(let count): unread = unread.lowerBound..<(unread.upperBound + count)
      case .ended: return .ended
      case .later:
        if deadline.hasPassed { return .timedOut }
        _ = system_poll(
          PollEntry(descriptor: socket, events: 1), PollEntry(descriptor: stop.descriptor, events: 1),
          milliseconds: deadline.milliseconds)
      }
    }
  }

  private mutating func fill(from socket: Int32) -> Transfer {
    let start = unread.upperBound
    var bytes = buffer.mutableBytes
    return system_read(socket, into: &bytes, from: start)
  }

  private func endOfLine() -> Int? {
    let bytes = buffer.bytes
    for index in unread where bytes[index] == UInt8(ascii: "\n") { return index }
    return nil
  }

  /// Moves what is unread to the front, and wipes where it was.
  private mutating func makeRoom() {
    guard unread.lowerBound > 0 else { return }
    let moved = unread
    var bytes = buffer.mutableBytes
    for (to, from) in moved.enumerated() { bytes[to] = bytes[from] }
    buffer.wipe(moved.count..<moved.upperBound)
    unread = 0..<moved.count
  }
}

/// What a line says.
enum AssuanReply: Equatable {
  case ok
  /// The number of the error without what names its source.
  case error(code: UInt32)
  /// Bytes, from the third on.
  case data
  /// A comment or a status line, which nothing here depends on.
  case remark
  case nonsense

  init(_ line: Span<UInt8>) {
    switch true {
    case Self.begins(line, with: "OK"): self = .ok
    case Self.begins(line, with: "ERR"): self = Self.number(of: line).map { .error(code: $0 & 0xFFFF) } ?? .nonsense
    // A line of data may be empty.
    case line.count >= 2 && line[0] == UInt8(ascii: "D") && line[1] == UInt8(ascii: " "): self = .data
    case Self.begins(line, with: "S"): self = .remark
    case !line.isEmpty && line[0] == UInt8(ascii: "#"): self = .remark
    default: self = .nonsense
    }
  }

  /// Whether a line is that word, alone or before a space.
  private static func begins(_ line: Span<UInt8>, with word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard line.count >= count, line.count == count || line[count] == UInt8(ascii: " ") else { return false }
    return word.withUTF8Buffer { word in
      for index in 0..<count where unsafe line[index] != word[index] { return false }
      return true
    }
  }

  /// The number after `ERR `.
  private static func number(of line: Span<UInt8>) -> UInt32? {
    var number: UInt32 = 0
    var index = 4
    while index < line.count, line[index] != UInt8(ascii: " ") {
      let digit = line[index] &- UInt8(ascii: "0")
      guard digit < 10, number < 400_000_000 else { return nil }
      number = number * 10 + UInt32(digit)
      index += 1
    }
    return index > 4 ? number : nil
  }
}

/// A command as a line, whatever its text holds.
func assuanLine(_ command: String, _ text: String = "") -> [UInt8] {
  var line = Array(command.utf8)
  if !text.isEmpty { line.append(UInt8(ascii: " ")) }
  return line + assuanEscaped(text) + [UInt8(ascii: "\n")]
}

/// The bytes of a text, of which none ends a line.
func assuanEscaped(_ text: String) -> [UInt8] {
  let digits = Array("0123456789ABCDEF".utf8)
  return text.utf8.flatMap { byte in
    byte == UInt8(ascii: "%") || byte < 0x20
      ? [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]] : [byte]
  }
}
