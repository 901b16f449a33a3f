internal import Testing

@testable internal import ThumbturnCrypto

@Suite("File systems")
struct FileSystemTests {
  /// Numbers of linux/magic.h.
  @Test(
    "without shared memory are refused, local ones are not",
    arguments: [
      (0x6969, true), (0x0102_1997, true), (0x6573_5546, true), (0xFF53_4D42, true), (0xFE53_4D42, true),
      (0x517B, true), (0xEF53, false), (0x0102_1994, false), (0x9123_683E, false), (0x794C_7630, false), (0, false),
    ] as [(UInt64, Bool)])
  func remote(magic: UInt64, isRefused: Bool) { #expect(isRemote(magic: magic) == isRefused) }
}
