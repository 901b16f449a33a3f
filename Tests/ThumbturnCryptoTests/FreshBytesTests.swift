internal import Testing

@testable internal import ThumbturnCrypto

@Suite("Fresh bytes for one record")
struct FreshBytesTests {
  /// Three of 16 and three of 12 bytes, as a record takes them.
  private func pieces(_ fresh: inout FreshBytes) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    for _ in 0..<3 {
      let long = fresh.next(InlineArray<16, UInt8>.self)
      pieces.append(long.span.copied())
      let short = fresh.next(InlineArray<12, UInt8>.self)
      pieces.append(short.span.copied())
    }
    return pieces
  }

  @Test("no piece is given twice, and those of two records differ")
  func areDistinct() throws {
    var one = try FreshBytes()
    var other = try FreshBytes()
    let all = pieces(&one) + pieces(&other)
    #expect(Set(all.map { Array($0.prefix(12)) }).count == 12)
    #expect(all.allSatisfy { $0.contains { $0 != 0 } })
  }

  @Test("more than a record needs is not to be had")
  func hasAnEnd() async {
    await #expect(processExitsWith: .failure) {
      var fresh = try FreshBytes()
      for _ in 0..<8 { _ = fresh.next(InlineArray<12, UInt8>.self) }
    }
  }

  @Test("nothing is to be had after it was wiped")
  func isWiped() async {
    await #expect(processExitsWith: .failure) {
      var fresh = try FreshBytes()
      fresh.wipe()
      _ = fresh.next(InlineArray<12, UInt8>.self)
    }
  }

  @Test("a box that is sealed with them opens, and begins with the next 12")
  func seal() throws {
    var fresh = try FreshBytes()
    let cipher = try AESGCM()
    let key = try SecretBytes.random(count: 32)
    let text = Array("a text".utf8)
    var boxes: [[UInt8]] = []
    for _ in 0..<2 {
      var box = [UInt8](repeating: 0, count: text.count + AESGCM.overhead)
      var out = box.mutableSpan
      try cipher.seal(key: key.bytes, aad: Span(), text.span, into: &out, &fresh)
      boxes.append(box)
      var opened = [UInt8](repeating: 0, count: text.count)
      var openedOut = opened.mutableSpan
      try cipher.open(key: key.bytes, aad: Span(), box.span, into: &openedOut)
      #expect(opened == text)
    }
    #expect(boxes[0].prefix(12) != boxes[1].prefix(12))
  }
}
