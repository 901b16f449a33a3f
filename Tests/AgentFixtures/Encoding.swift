package import ThumbturnAgentClient
import ThumbturnCrypto

/// Messages as arrays of bytes, to be changed by tests. The secrets in them are no secrets.
package enum Encoding {
  /// The packet of a request; `file` is there when its body did not fit.
  package static func packet(_ request: AgentRequest, serial: UInt32 = 7) throws -> (bytes: [UInt8], file: BodyFile?) {
    var buffer = try SecretBytes.packetBuffer()
    let message = try buffer.write(request, serial: serial)
    return (buffer.bytes.extracting(0..<message.count).copied(), message.file)
  }

  /// The packet of a hello.
  package static func packet(_ hello: Hello, serial: UInt32 = 7) throws -> [UInt8] {
    var buffer = try SecretBytes.packetBuffer()
    let message = try buffer.write(hello, serial: serial)
    return buffer.bytes.extracting(0..<message.count).copied()
  }

  /// The packet of an answer.
  package static func packet(_ reply: ReplyMessage, serial: UInt32 = 7) throws -> (bytes: [UInt8], file: BodyFile?) {
    var buffer = try SecretBytes.packetBuffer()
    let message = try buffer.write(reply, serial: serial)
    return (buffer.bytes.extracting(0..<message.count).copied(), message.file)
  }

  /// Reads a request.
  package static func request(_ bytes: [UInt8], _ file: BodyFile? = nil) throws(FrameError) -> AgentRequest {
    let span = bytes.span
    let head = try FrameHead(span, fileCountMax: FrameLimits.requestCountMax)
    return try head.request(in: span, file)
  }

  /// Reads a hello.
  package static func hello(_ bytes: [UInt8]) throws(FrameError) -> Hello {
    let span = bytes.span
    let head = try FrameHead(span, fileCountMax: FrameLimits.requestCountMax)
    return try head.hello(in: span)
  }

  /// Reads an answer.
  package static func reply(
    _ bytes: [UInt8], to operation: ThumbturnAgentClient.Operation, _ file: BodyFile? = nil
  ) throws(FrameError) -> ReplyMessage {
    let span = bytes.span
    let head = try FrameHead(span, fileCountMax: FrameLimits.replyCountMax)
    return try head.reply(to: operation, in: span, file)
  }
}
