internal import ThumbturnCrypto

/// What every packet begins with: version (2), serial (4), kind (2), lowest byte first; then the fields of the body, or one
/// field with number 0 that says how large the file is in which they are.
package struct FrameHead: Hashable, Sendable {
  package static let count = 8
  /// A packet whose body is in a file.
  static let countWithFile = count + FieldReader.headCount + 8

  package let version: UInt16
  /// The client's number for a request; the answer has the same.
  package let serial: UInt32
  /// An ``Operation`` or a ``ReplyKind``.
  package let kind: UInt16
  /// The size of the file that comes with the packet; nil when the body is in the packet.
  package let fileCount: Int?

  init(serial: UInt32, kind: UInt16, version: UInt16 = FrameLimits.version) {
    self.version = version
    self.serial = serial
    self.kind = kind
    fileCount = nil
  }

  /// - Parameter fileCountMax: The largest body that this side takes.
  package init(_ packet: Span<UInt8>, fileCountMax: Int) throws(FrameError) {
    guard packet.count >= Self.count else { throw .cutShort }
    version = UInt16(packet.number(at: 0, count: 2))
    serial = UInt32(packet.number(at: 2, count: 4))
    kind = UInt16(packet.number(at: 6, count: 2))
    guard version == FrameLimits.version else { throw .version }
    var fields = FieldReader(Self.count..<packet.count)
    guard let count = try fields.file(in: packet) else {
      fileCount = nil
      return
    }
    try fields.end()
    guard count <= UInt64(fileCountMax) else { throw .overLimit }
    // What fits in a packet comes in one: there is one encoding of every message.
    guard count > UInt64(FrameLimits.packetCountMax - Self.count) else { throw .wrongFile }
    fileCount = Int(count)
  }
}
