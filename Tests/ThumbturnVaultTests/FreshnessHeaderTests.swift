internal import Testing
internal import ThumbturnCrypto

@testable internal import ThumbturnVault

@Suite("Freshness header")
struct FreshnessHeaderTests {
  static func makeKeys() throws -> (keybag: Keybag, keys: RecordKeys) {
    let keySet = try KeySet.random()
    let keybag = Keybag(
      vaultID: try Identifier.random(), number: 7, id: try Identifier.random(), predecessor: try Identifier.random(),
      deviceKeyID: try Identifier.random(), keySetID: keySet.id, wraps: [], dead: [])
    return (keybag, try RecordKeys(keySet, keybag))
  }

  private func bytes(_ array: InlineArray<32, UInt8>) -> [UInt8] { array.indices.map { array[$0] } }

  @Test("what was added and subtracted again leaves the sum as it was, in any order")
  func sum() throws {
    let (keybag, keys) = try Self.makeKeys()
    var header = try FreshnessHeader(keybag, keys)
    let zero = header
    var leaves: [InlineArray<32, UInt8>] = [.init(repeating: 255), .init(repeating: 1)]
    for _ in 0..<50 {
      let uuid = try Identifier.random().bytes
      leaves.append(try keys.leaf(uuid: uuid.span, version: uuid.span))
    }
    for leaf in leaves { header.add(leaf) }
    #expect(bytes(header.sum) != bytes(zero.sum))
    for leaf in leaves.reversed() { header.subtract(leaf) }
    #expect(bytes(header.sum) == bytes(zero.sum))
    header.subtract(leaves[1])
    header.add(leaves[1])
    #expect(bytes(header.sum) == bytes(zero.sum))
  }

  @Test("the sum is one modulo 2^256")
  func wraps() throws {
    let (keybag, keys) = try Self.makeKeys()
    var header = try FreshnessHeader(keybag, keys)
    var one = InlineArray<32, UInt8>(repeating: 0)
    one[0] = 1
    header.subtract(one)
    let ones = InlineArray<32, UInt8>(repeating: 255)
    #expect(bytes(header.sum) == bytes(ones))
    header.add(one)
    let zeros = InlineArray<32, UInt8>(repeating: 0)
    #expect(bytes(header.sum) == bytes(zeros))
  }

  @Test("opens what it sealed, and nothing with a bit changed or of another key set")
  func sealing() throws {
    let (keybag, keys) = try Self.makeKeys()
    var header = try FreshnessHeader(keybag, keys)
    header.counter = 0x0102_0304_0506_0708
    header.rowCount = 9
    header.flags = .simulated
    var box = try header.sealed(keys)
    #expect(box.count == 288)
    let opened = try FreshnessHeader(opening: box.span, keys)
    #expect(opened.counter == header.counter)
    #expect(opened.rowCount == 9)
    #expect(opened.flags == .simulated)
    #expect(opened.keybagID == keybag.id)
    #expect(opened.keybagNumber == 7)
    for bit in 0..<(box.count * 8) {
      box[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: VaultError(.damaged, "")) { _ = try FreshnessHeader(opening: box.span, keys) }
      box[bit / 8] ^= 1 << UInt8(bit % 8)
    }
    let (_, others) = try Self.makeKeys()
    #expect(throws: VaultError(.damaged, "")) { _ = try FreshnessHeader(opening: box.span, others) }
  }

  @Test("accepts the keybag's own id and its predecessor's, and names what is older otherwise")
  func olderCopies() throws {
    var (keybag, keys) = try Self.makeKeys()
    let header = try FreshnessHeader(keybag, keys)
    try header.check(against: keybag, keys)
    let own = keybag.id
    keybag.id = try Identifier.random()
    keybag.predecessor = own
    keybag.number = 8
    try header.check(against: keybag, keys)
    keybag.predecessor = try Identifier.random()
    #expect {
      try header.check(against: keybag, keys)
    } throws: {
      ($0 as? VaultError)?.code == .olderCopy && ($0 as? VaultError)?.part == .database
    }
    keybag.number = 6
    #expect {
      try header.check(against: keybag, keys)
    } throws: {
      ($0 as? VaultError)?.code == .olderCopy && ($0 as? VaultError)?.part == .keybag
    }
  }

  @Test("a class key that does not give its check value is a wrong key, not damage")
  func checkValues() throws {
    let (keybag, keys) = try Self.makeKeys()
    var header = try FreshnessHeader(keybag, keys)
    header.checkValues[2][5] ^= 1
    #expect(throws: VaultError(.wrongKey, "")) { try header.check(against: keybag, keys) }
  }
}
