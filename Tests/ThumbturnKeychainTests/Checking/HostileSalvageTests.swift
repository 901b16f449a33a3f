internal import Foundation
internal import TestFixtures
internal import Testing
internal import ThumbturnVault

@testable internal import ThumbturnKeychain

/// Files that somebody made so that a salvage runs for hours with the writer lock held.
@Suite("A salvage of a hostile file")
struct HostileSalvageTests {
  private static let pageBytes = 65_536

  private static func varint(_ value: Int) -> [UInt8] {
    var bytes = [UInt8(value & 0x7F)]
    var rest = value >> 7
    while rest > 0 {
      bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
      rest >>= 7
    }
    return bytes
  }

  /// Pages of 64 KiB: a head, one with eight boxes for each of two ids, a page full of records whose boxes they are, and the
  /// chain that all the boxes have.
  ///
  /// - Parameter next: The page that follows each page of the chain, which begins at 4.
  private static func file(itemCount: Int, boxCount: Int, next: [UInt32]) -> Data {
    let serial = varint(12 + 2 * boxCount)
    let head = [UInt8(2 + serial.count), 0] + serial
    let count = head.count + boxCount
    let least = (pageBytes - 12) * 32 / 255 - 23
    let wanted = least + (count - least) % (pageBytes - 4)
    let localCount = wanted <= pageBytes - 35 ? wanted : least
    var first = Data(count: pageBytes)
    first.replaceSubrange(0..<20, with: Data("SQLite format 3\0".utf8) + Data([0, 1, 2, 2]))
    var boxes = Data(count: pageBytes)
    for index in 0..<16 {
      let cell = varint(count) + varint(10 + index / 8) + head
      let at = 64 + index * 24
      boxes.replaceSubrange(at..<(at + cell.count), with: cell)
      let link = at + cell.count - head.count + localCount
      boxes.replaceSubrange(link..<(link + 4), with: [0, 0, 0, 4])
    }
    let item: [UInt8] = [31, 5, 15, 0, 44] + [UInt8](repeating: 0, count: 12)
    var items = Data(count: pageBytes)
    for at in (0..<itemCount).map({ 8 + item.count * $0 }) {
      items.replaceSubrange(at..<(at + item.count), with: item)
    }
    let chain = next.map { page in
      var bytes = Data(count: pageBytes)
      bytes.replaceSubrange(0..<4, with: (0..<4).map { UInt8(truncatingIfNeeded: page >> (24 - 8 * UInt32($0))) })
      return bytes
    }
    return chain.reduce(first + boxes + items) { $0 + $1 }
  }

  @Test(
    "a chain in a circle is a broken one, and pages that lead astray end a salvage",
    arguments: [
      // Read 245 times each, these circles alone would take more pages than a salvage reads.
      (100, 16_000_000, [4], "nothing"), (3_850, 16_000_000, [4], "its pages lead"),
      (3_850, 640_000, Array(5...14), "its pages lead"),
    ])
  func bounded(itemCount: Int, boxCount: Int, next: [UInt32], reason: String) throws {
    let scratch = try Scratch()
    try scratch.fill(1..<2)
    let bytes = Self.file(itemCount: itemCount, boxCount: boxCount, next: next)
    try bytes.write(to: URL(fileURLWithPath: try Rows(scratch.home).database))
    let begin = ContinuousClock.now
    let error = #expect(throws: KeychainError.self) { try scratch.another().salvage() }
    #expect(error?.cause?.code == .damaged && error?.cause?.reason.hasPrefix(reason) == true)
    #expect(.now - begin < .seconds(60))
    #expect(try Data(contentsOf: URL(fileURLWithPath: try Rows(scratch.home).database)) == bytes)
  }
}
