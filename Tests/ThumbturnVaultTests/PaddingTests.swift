internal import Testing
internal import ThumbturnCrypto

@testable internal import ThumbturnVault

@Suite("Padding")
struct PaddingTests {
  @Test(
    "sizes are steps of 64 up to 1 KiB, then half powers of two rounded up to 64",
    arguments: [
      (0, 64), (1, 64), (60, 64), (61, 128), (1_020, 1_024), (1_021, 1_472), (1_468, 1_472), (1_469, 2_048),
      (2_045, 2_944), (4_092, 4_096), (4_093, 5_824), (1_048_572, 1_048_576), (1_048_573, 1_482_944),
      (16_777_216, 23_726_592),
    ])
  func sizes(count: Int, padded: Int) { #expect(Padding.paddedCount(count) == padded) }

  @Test("every size holds its content, is a multiple of 64, and never shrinks")
  func everySize() {
    var last = 0
    for count in 0..<20_000 {
      let padded = Padding.paddedCount(count)
      #expect(padded >= count + 4)
      #expect(padded.isMultiple(of: 64))
      #expect(padded >= last)
      last = padded
    }
  }

  @Test("the content is what was put in")
  func content() throws {
    let text: [UInt8] = [3, 0, 0, 0, 7, 8, 9] + [UInt8](repeating: 0, count: 57)
    #expect(try Padding.content(text.span) == 4..<7)
  }

  @Test(
    "a length that is too large, a byte behind the content, a wrong size: damaged",
    arguments: [
      [61, 0, 0, 0] + [UInt8](repeating: 0, count: 60), [255, 255, 255, 255] + [UInt8](repeating: 0, count: 60),
      [0, 0, 0, 0] + [UInt8](repeating: 0, count: 59) + [1], [0, 0, 0, 0] + [UInt8](repeating: 0, count: 124),
      [0, 0, 0], [],
    ] as [[UInt8]])
  func damaged(text: [UInt8]) {
    #expect(throws: VaultError(.damagedRecord, "")) { _ = try Padding.content(text.span) }
  }
}
