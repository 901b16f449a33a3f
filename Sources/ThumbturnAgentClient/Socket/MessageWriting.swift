package import ThumbturnCrypto

/// A packet that was written into a buffer, and the file that goes with it.
package struct WrittenMessage: Sendable {
  /// The size of the packet.
  package let count: Int
  package let file: BodyFile?
  /// The size of the file, or 0.
  package let fileCount: Int
}

extension SecretBytes {
  /// A buffer for one packet.
  package static func packetBuffer() throws(CryptoError) -> SecretBytes {
    try SecretBytes(count: FrameLimits.packetCountMax) { (_: inout MutableSpan<UInt8>) throws(CryptoError) in }
  }

  /// Writes a request that is no hello.
  package mutating func write(_ request: AgentRequest, serial: UInt32) throws(FrameError) -> WrittenMessage {
    try write(
      FrameHead(serial: serial, kind: request.operation.rawValue), bodyCountMax: FrameLimits.requestCountMax
    ) { request.write(to: &$0) }
  }

  package mutating func write(_ hello: Hello, serial: UInt32) throws(FrameError) -> WrittenMessage {
    try write(
      FrameHead(serial: serial, kind: Operation.hello.rawValue), bodyCountMax: FrameLimits.requestCountMax
    ) { hello.write(to: &$0) }
  }

  package mutating func write(_ reply: ReplyMessage, serial: UInt32) throws(FrameError) -> WrittenMessage {
    try write(
      FrameHead(serial: serial, kind: reply.kind.rawValue), bodyCountMax: FrameLimits.replyCountMax
    ) { reply.write(to: &$0) }
  }

  /// Writes a message into this buffer, and its body into a file when it does not fit.
  ///
  /// - Throws: ``FrameError/overLimit`` when a value or the whole is too large, ``FrameError/outOfMemory``; nothing is left
  ///   in the buffer then.
  mutating func write(
    _ head: FrameHead, bodyCountMax: Int, _ body: (inout FieldWriter) -> Void
  ) throws(FrameError) -> WrittenMessage {
    let size = count
    var bytes = mutableBytes
    let (written, isWhole, isOverLimit) = unsafe bytes.withUnsafeMutableBytes { place in
      var writer = unsafe FieldWriter(place)
      writer.head(head)
      body(&writer)
      return (writer.count, writer.isWhole, writer.isOverLimit)
    }
    let bodyCount = written - FrameHead.count
    guard !isOverLimit, bodyCount <= bodyCountMax else {
      wipe(0..<min(written, size))
      throw .overLimit
    }
    guard !isWhole else { return WrittenMessage(count: written, file: nil, fileCount: 0) }
    wipe(0..<size)
    let file: BodyFile
    do throws(SystemError) {
      file = BodyFile(descriptor: try system_sealedFile(count: bodyCount, body))
    } catch { throw .outOfMemory }
    var again = mutableBytes
    unsafe again.withUnsafeMutableBytes { place in
      var writer = unsafe FieldWriter(place)
      writer.head(head)
      writer.file(bodyCount)
    }
    return WrittenMessage(count: FrameHead.countWithFile, file: file, fileCount: bodyCount)
  }
}

extension FieldWriter {
  fileprivate mutating func head(_ head: FrameHead) {
    raw(UInt64(head.version), count: 2)
    raw(UInt64(head.serial), count: 4)
    raw(UInt64(head.kind), count: 2)
  }
}
