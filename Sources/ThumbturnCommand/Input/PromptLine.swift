internal import ThumbturnCrypto

/// The line that is typed at a prompt, without a terminal or a clock: each byte says how it goes on.
struct PromptLine: ~Copyable {
  /// The longest secret that can be typed or pasted, in bytes: one slot of locked memory.
  ///
  /// Longer ones are files.
  static let countMax = SecretInput.promptCountMax

  enum Step: Hashable {
    case more
    case ended
    case cancelled
  }

  private var buffer: SecretBytes
  private(set) var count = 0
  /// Why the line will be refused.
  ///
  /// The rest is still read up to its end, so that no part of it reaches the shell.
  private(set) var refusal: CommandFailure?

  init() throws(CryptoError) {
    buffer = try SecretBytes(count: Self.countMax) { (_: inout MutableSpan<UInt8>) throws(CryptoError) in }
  }

  mutating func receive(_ byte: UInt8) -> Step {
    switch byte {
    case 0x0a, 0x0d, 0x04:  // Enter and ^D
      return .ended
    case 0x03:  // ^C
      return .cancelled
    case 0x08, 0x7f:
      removeLast()
    case 0x15:  // ^U
      count = 0
      refusal = nil
    case 0x00..<0x09, 0x0b..<0x20:
      refusal = .controlCharacter
    default:
      append(byte)
    }
    return .more
  }

  private mutating func append(_ byte: UInt8) {
    guard count < Self.countMax else {
      refusal = .promptTooLong
      return
    }
    let place = count
    var bytes = buffer.mutableBytes
    bytes[place] = byte
    count = place + 1
  }

  /// Removes a whole character: the bytes 10xxxxxx of UTF-8 and the one that leads them.
  private mutating func removeLast() {
    var left = count
    while left > 0 {
      left -= 1
      if buffer.bytes[left] & 0xc0 != 0x80 { break }
    }
    count = left
  }

  /// The secret, without the newline that ended it.
  consuming func secret() throws(CommandFailure) -> SecretBytes {
    if let refusal { throw refusal }
    guard count > 0 else { throw .emptyPrompt }
    let range = 0..<count
    buffer.narrow(to: range)
    return buffer
  }
}
