import AgentFixtures
import Testing
import ThumbturnAgentClient
import ThumbturnCrypto
import ThumbturnKeychain
import ThumbturnVault

/// A message by hand.
private struct Raw {
  var bytes: [UInt8] = [1, 0, 7, 0, 0, 0]

  init(_ operation: ThumbturnAgentClient.Operation, version: UInt8 = 1) {
    bytes[0] = version
    bytes += [UInt8(operation.rawValue), 0]
  }

  init(fields: [[UInt8]], _ operation: ThumbturnAgentClient.Operation) {
    self.init(operation)
    bytes += fields.flatMap(\.self)
  }

  static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func field(_ number: Int, _ type: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    little(number, 2) + [type] + little(bytes.count, 4) + bytes
  }

  static func number(_ number: Int, _ value: Int) -> [UInt8] { field(number, 1, little(value, 8)) }

  static func list(_ number: Int, count: Int? = nil, _ entries: [[UInt8]]) -> [UInt8] {
    field(number, 7, little(count ?? entries.count, 4) + entries.flatMap { little($0.count, 4) + $0 })
  }
}

@Suite("Decoding")
struct StrictDecodingTests {
  private func refusal(_ raw: Raw, _ file: BodyFile? = nil) -> FrameError? { refusal(raw.bytes, file) }

  private func refusal(_ bytes: [UInt8], _ file: BodyFile? = nil) -> FrameError? {
    do throws(FrameError) {
      _ = try Encoding.request(bytes, file)
      return nil
    } catch { return error }
  }

  private static let grace = Raw.number(1, 10)
  private static let idle = Raw.number(2, 900)

  @Test("takes a message by hand, so that what follows is refused for its reason")
  func byHand() { #expect(refusal(Raw(fields: [Self.grace, Self.idle], .settings)) == nil) }

  @Test("and encoding have the bytes of the first version")
  func fixedBytes() throws {
    let hello = Raw(fields: [Raw.number(1, 1), Raw.field(2, 2, Samples.vaultID)], .hello).bytes
    #expect(try Encoding.packet(Hello(vaultID: Samples.vaultID)) == hello)
    var query = ItemQuery(.internetPassword, [.account: .text("a")], wantsSecret: true)
    query.synchronizable = .any
    query.filter.host = "h"
    let account = Raw.field(29, 1, [0x61])
    let fields = [
      Raw.number(1, 2), Raw.field(2, 5, account), Raw.number(5, 2), Raw.field(7, 6, Raw.field(1, 3, [0x68])),
      Raw.number(8, 1), Raw.number(9, 1), Raw.number(10, 0), Raw.number(11, 0),
    ]
    let caller = Raw.field(2, 6, Raw.list(1, [Array("default".utf8)]))
    let find = Raw(fields: [Raw.field(1, 6, fields.flatMap(\.self)), caller], .find).bytes
    #expect(try Encoding.packet(.find(query, Caller())).bytes == find)
    let failure = AgentFailure(VaultError(.wrongPasscode, "", secondsToWait: 60))
    let failed: [UInt8] = [1, 0, 7, 0, 0, 0, 3, 0x80] + Raw.number(1, 1) + Raw.number(2, 26) + Raw.number(4, 60)
    #expect(try Encoding.packet(ReplyMessage.answer(.failed(failure))).bytes == failed)
  }

  @Test("refuses unknown fields, fields out of order, twice and in excess")
  func order() {
    #expect(refusal(Raw(fields: [Self.idle, Self.grace], .settings)) == .missingField)
    #expect(refusal(Raw(fields: [Self.grace, Self.grace, Self.idle], .settings)) == .unexpectedField)
    #expect(refusal(Raw(fields: [Self.grace, Self.idle, Raw.number(4, 1)], .settings)) == .unexpectedField)
    #expect(refusal(Raw(fields: [Self.grace, Self.idle, [0]], .settings)) == .cutShort)
    #expect(refusal(Raw(fields: [Self.grace, Self.idle, Raw.field(3, 4, [1]), [0]], .settings)) == .unexpectedField)
    #expect(refusal(Raw(fields: [Self.grace], .lock)) == .unexpectedField)
    #expect(refusal(Raw(fields: [[0]], .lock)) == .cutShort)
  }

  @Test("refuses missing fields, wrong types, sizes and values")
  func fields() {
    #expect(refusal(Raw(fields: [Self.grace], .settings)) == .missingField)
    #expect(refusal(Raw(fields: [Raw.field(1, 2, Raw.little(10, 8)), Self.idle], .settings)) == .wrongType)
    #expect(refusal(Raw(fields: [Raw.field(1, 1, Raw.little(10, 4)), Self.idle], .settings)) == .wrongSize)
    #expect(refusal(Raw(fields: [Raw.number(1, -1), Self.idle], .settings)) == .wrongValue)
    #expect(refusal(Raw(fields: [Raw.field(1, 9, [])], .settings)) == .wrongType)
  }

  @Test("refuses a size beyond the message")
  func cut() {
    var bytes = Raw(fields: [Self.grace, Self.idle], .settings).bytes
    // The size of the second field.
    for value: UInt8 in [9, 255] {
      bytes[bytes.count - 12] = value
      #expect(refusal(bytes) == .cutShort)
    }
  }

  @Test("refuses every beginning of a message, and every message with a byte behind it")
  func everyLength() throws {
    for request in try Samples.requests() {
      let packet = try Encoding.packet(request).bytes
      for count in 0..<packet.count {
        // What may be absent may be left out.
        guard refusal(Array(packet.prefix(count))) == nil else { continue }
        let shorter = Array(packet.prefix(count))
        #expect(try Encoding.packet(try Encoding.request(shorter)).bytes == shorter)
      }
      #expect(refusal(packet + [0]) != nil)
    }
  }

  @Test("refuses other versions, operations and kinds of answers")
  func heads() throws {
    #expect(refusal(Raw(.lock, version: 2)) == .version)
    #expect(refusal(Raw(.lock, version: 0)) == .version)
    #expect(refusal(Raw(.hello)) == .unknownKind)
    for number: UInt8 in [0, 22, 255] {
      var raw = Raw(.lock)
      raw.bytes[6] = number
      #expect(refusal(raw) == .unknownKind)
    }
    #expect(refusal([1, 0, 7, 0, 0, 0, 8]) == .cutShort)
    #expect(throws: FrameError.unknownKind) { try Encoding.reply(Raw(.lock).bytes, to: .lock) }
    // Only what takes long tells of progress, and never of more than there is.
    let progress = try Encoding.packet(ReplyMessage.progress(done: 3, total: 2)).bytes
    #expect(throws: FrameError.wrongValue) { try Encoding.reply(progress, to: .rotate) }
    let early = try Encoding.packet(ReplyMessage.progress(done: 1, total: 2)).bytes
    #expect(throws: FrameError.wrongValue) { try Encoding.reply(early, to: .find) }
  }

  @Test("refuses a passcode one byte above the limit", arguments: [(1_024, true), (1_025, false)])
  func passcode(count: Int, isTaken: Bool) {
    let raw = Raw(fields: [Raw.field(1, 4, Array(repeating: 1, count: count))], .passcodeSet)
    #expect(refusal(raw) == (isTaken ? nil : .overLimit))
  }

  /// A find whose caller has these groups.
  private func find(groups: [[UInt8]], count: Int? = nil) throws -> [UInt8] {
    let whole = try Encoding.packet(.find(ItemQuery(.key), Caller(accessGroups: []))).bytes
    // The caller: a group of one empty list.
    let end = Raw.field(2, 6, Raw.list(1, [])).count
    return whole.dropLast(end) + Raw.field(2, 6, Raw.list(1, count: count, groups))
  }

  @Test("refuses lists above their limit, and lists that lie about their size")
  func lists() throws {
    #expect(refusal(try find(groups: [[0x41], []])) == nil)
    #expect(refusal(try find(groups: Array(repeating: [], count: FrameLimits.groupsCountMax))) == nil)
    #expect(refusal(try find(groups: Array(repeating: [], count: FrameLimits.groupsCountMax + 1))) == .overLimit)
    #expect(refusal(try find(groups: [[0x41]], count: 2)) == .cutShort)
    #expect(refusal(try find(groups: [[0x41]], count: 0)) == .unexpectedField)
    #expect(refusal(try find(groups: [[0x41]], count: -1)) == .overLimit)
    #expect(refusal(try find(groups: [[0xFF]])) == .wrongValue)
    let text = Array(repeating: UInt8(0x41), count: FrameLimits.textCountMax)
    #expect(refusal(try find(groups: [text])) == nil)
    #expect(refusal(try find(groups: [text + [0x41]])) == .overLimit)
  }

  @Test("says at the client what is above a limit, and sends none of it")
  func writing() throws {
    let long = String(repeating: "a", count: FrameLimits.textCountMax)
    #expect(throws: Never.self) { try Encoding.packet(.find(ItemQuery(.key), Caller(accessGroups: [long]))) }
    #expect(throws: FrameError.overLimit) {
      try Encoding.packet(.find(ItemQuery(.key), Caller(accessGroups: [long + "a"])))
    }
    var query = ItemQuery(.key)
    query.reference = Array(repeating: 0, count: FrameLimits.referenceCountMax + 1)
    #expect(throws: FrameError.overLimit) { try Encoding.packet(.find(query, Caller())) }
    let passcode = try Samples.secret(Array(repeating: 1, count: FrameLimits.passcodeCountMax + 1))
    #expect(throws: FrameError.overLimit) { try Encoding.packet(.unlock(passcode: passcode)) }
    let attributes: [Attribute: AttributeValue] = [
      .label: .data(Array(repeating: 0, count: FrameLimits.attributesCountMax - 7))
    ]
    #expect(throws: Never.self) { try Encoding.packet(.add(NewItem(.key, attributes), Caller())) }
    let more = attributes.merging([.account: .text("")]) { $1 }
    #expect(throws: FrameError.overLimit) { try Encoding.packet(.add(NewItem(.key, more), Caller())) }
  }

  @Test("takes a secret of 17 MiB, and refuses one byte more", arguments: [(0, true), (1, false)])
  func secret(excess: Int, isTaken: Bool) throws {
    let secret = SharedSecret(
      try SecretBytes(count: FrameLimits.secretCountMax + excess) {
        (_: inout MutableSpan<UInt8>) throws(CryptoError) in
      })
    let request = AgentRequest.add(NewItem(.key, [:], secret: secret), Caller())
    guard isTaken else {
      #expect(throws: FrameError.overLimit) { try Encoding.packet(request) }
      return
    }
    let (packet, file) = try Encoding.packet(request)
    #expect(refusal(packet, file) == nil)
  }

  @Test("refuses a file that is not announced, not sealed, of another size, with holes, or that would fit in a packet")
  func files() throws {
    let secret = try Samples.secret(Array(repeating: 3, count: 100_000))
    let (packet, file) = try Encoding.packet(.add(NewItem(.key, [:], secret: secret), Caller()))
    #expect(refusal(packet, file) == nil)
    #expect(refusal(packet) == .wrongFile)
    #expect(refusal(try Encoding.packet(.lock).bytes, file) == .wrongFile)
    for size in [99_999, 65_528, 0] {
      var other = packet
      for index in 0..<8 { other[15 + index] = UInt8(truncatingIfNeeded: size >> (8 * index)) }
      #expect(refusal(other, file) == .wrongFile)
    }
    var large = packet
    large[15 + 4] = 1
    #expect(refusal(large, file) == .overLimit)
    let size = (0..<8).reduce(0) { $0 | Int(packet[15 + $1]) << (8 * $1) }
    let unsealed = try #require(OpenFile.unsealed(count: size))
    let null = try #require(OpenFile.null())
    let sparse = try #require(OpenFile.sparse(count: size))
    #expect(refusal(packet, sparse) == .wrongFile)
    #expect(refusal(packet, unsealed) == .wrongFile)
    #expect(refusal(packet, null) == .wrongFile)
  }
}

@Suite("Mutated messages")
struct MutatedMessageTests {
  @Test("are refused or mean what they say, 20,000 of them")
  func mutated() throws {
    let totals = try DecoderFuzz.run(count: 20_000, seed: 0x7B)
    #expect(totals.count == 20_000)
    #expect(totals.different.isEmpty, "\(totals.different.first ?? [])")
    // Both happen, else nothing is shown.
    #expect(totals.accepted > 100)
    #expect(totals.refused.count >= 8, "\(totals.refused)")
  }
}
