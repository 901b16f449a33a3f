extension FrameHead {
  /// What a request asks for; nil when there is no such operation.
  package var operation: Operation? { Operation(rawValue: kind) }

  /// Lends the body of the message, which is in its packet or in the file that came with it.
  ///
  /// - Throws: ``FrameError/wrongFile`` when a file came without being announced, or the other way round.
  private func withBody<Result>(
    of packet: Span<UInt8>, _ file: BodyFile?, _ read: (FieldReader, Span<UInt8>) throws(FrameError) -> Result
  ) throws(FrameError) -> Result {
    guard let fileCount else {
      guard file == nil else { throw .wrongFile }
      return try read(FieldReader(Self.count..<packet.count), packet)
    }
    guard let file else { throw .wrongFile }
    return try file.read(count: fileCount) { (body) throws(FrameError) in try read(FieldReader(0..<body.count), body) }
  }

  /// Reads a request that is no hello.
  package func request(in packet: Span<UInt8>, _ file: BodyFile?) throws(FrameError) -> AgentRequest {
    guard let operation else { throw .unknownKind }
    return try withBody(of: packet, file) { (fields, body) throws(FrameError) in
      try AgentRequest(operation, fields, in: body)
    }
  }

  package func hello(in packet: Span<UInt8>) throws(FrameError) -> Hello {
    guard operation == .hello else { throw .unknownKind }
    return try withBody(of: packet, nil) { (fields, body) throws(FrameError) in try Hello(fields, in: body) }
  }

  /// Reads an answer to `operation`.
  package func reply(
    to operation: Operation, in packet: Span<UInt8>, _ file: BodyFile?
  ) throws(FrameError) -> ReplyMessage {
    guard let kind = ReplyKind(rawValue: kind) else { throw .unknownKind }
    return try withBody(of: packet, file) { (fields, body) throws(FrameError) in
      try ReplyMessage(kind, to: operation, fields, in: body)
    }
  }
}
