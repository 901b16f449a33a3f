internal import ThumbturnCrypto

/// Buffered output through locked memory, so that a secret is copied to no other place on its way.
struct SecretOutput: ~Copyable {
  private static let bufferCount = 4_096
  private let descriptor: Int32
  private var buffer: SecretBytes
  private var used = 0

  init(_ descriptor: Int32) throws(CommandFailure) {
    do {
      buffer = try SecretBytes(count: Self.bufferCount) { (_: inout MutableSpan<UInt8>) throws(CryptoError) in }
    } catch {
      throw .outOfSecretMemory
    }
    self.descriptor = descriptor
  }

  mutating func put(_ byte: UInt8) throws(CommandFailure) {
    if used == Self.bufferCount { try flush() }
    let place = used
    var bytes = buffer.mutableBytes
    bytes[place] = byte
    used = place + 1
  }

  mutating func put(_ bytes: Span<UInt8>) throws(CommandFailure) {
    for index in bytes.indices { try put(bytes[index]) }
  }

  mutating func put(_ text: String) throws(CommandFailure) {
    for byte in text.utf8 { try put(byte) }
  }

  /// Writes what is in the buffer; call it last.
  mutating func flush() throws(CommandFailure) {
    let count = used
    used = 0
    try writeAll(buffer.bytes.extracting(0..<count), to: descriptor)
  }
}

/// Writes all of `bytes`, or throws.
func writeAll(_ bytes: Span<UInt8>, to descriptor: Int32) throws(CommandFailure) {
  var done = 0
  while done < bytes.count {
    do {
      done += try system_writeSome(descriptor, bytes.extracting(done..<bytes.count))
    } catch {
      guard error == .wouldBlock else { throw .outputFailed(error) }
      System.waitWritable(descriptor)
    }
  }
}
