import Testing
import ThumbturnCrypto

@testable import ThumbturnCommand

/// What `body` writes.
private func written(_ body: (inout SecretOutput) throws -> Void) throws -> String {
  let file = try ScratchFile()
  var out = try SecretOutput(file.descriptor)
  try body(&out)
  try out.flush()
  return String(decoding: file.content(), as: UTF8.self)
}

@Suite("Output")
struct OutputTests {
  @Test(
    "JSON escapes what JSON and terminals need",
    arguments: [
      ("", #""""#),
      ("plain", #""plain""#),
      ("a\"b\\c/", #""a\"b\\c/""#),
      ("\u{0}\u{1}\u{1f}\u{7f}\u{9b}", #""\u0000\u0001\u001f\u007f\u009b""#),
      ("\u{8}\t\n\u{c}\r", #""\b\t\n\f\r""#),
      ("\u{2028}\u{2029}\u{202e}\u{feff}", #""\u2028\u2029\u202e\ufeff""#),
      ("é€😀", #""é€😀""#),
      ("e\u{301}", "\"e\u{301}\""),
      ("\u{e0041}", #""\udb40\udc41""#),
    ])
  func json(text: String, expected: String) throws {
    #expect(try written { try $0.putJSON(text) } == expected)
  }

  @Test(
    "a JSON member is base64 when it is no text",
    arguments: [
      ([], #""secret":"""#),
      ([0x61], #""secret":"a""#),
      ([0xff], #""secretBase64":"/w==""#),
      ([0xff, 0x00], #""secretBase64":"/wA=""#),
      ([0xff, 0x00, 0xfe], #""secretBase64":"/wD+""#),
      ([0xed, 0xa0, 0x80], #""secretBase64":"7aCA""#),  // a surrogate
      ([0xc0, 0x80], #""secretBase64":"wIA=""#),  // NUL in two bytes
      ([0x61, 0xf0, 0x9f, 0x98], #""secretBase64":"YfCfmA==""#),  // cut short
    ] as [([UInt8], String)])
  func member(bytes: [UInt8], expected: String) throws {
    #expect(try written { try $0.putMember("secret", bytes.span) } == expected)
  }

  @Test("base64 in pieces is base64 of the whole", arguments: [2_303, 2_304, 2_305, 4_608, 10_000])
  func longBase64(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 200) }
    let expected = String(decoding: content(try base64(bytes.span)), as: UTF8.self)
    #expect(try written { try $0.putBase64Member("x", bytes.span) } == "\"xBase64\":\"\(expected)\"")
    #expect(expected.utf8.count == (count + 2) / 3 * 4)
  }

  @Test("UTF-8 is what the standard library takes for it")
  func validity() {
    var generator = SystemRandomNumberGenerator()
    let interesting: [UInt8] = [
      0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5,
      0xff,
    ]
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
        interesting.randomElement(using: &generator) ?? 0
      }
      #expect(bytes.span.isText == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
    }
  }

  @Test("UTF-8 is decoded to its scalars", arguments: ["aé€😀\u{7ff}\u{800}\u{ffff}\u{10000}\u{10ffff}\u{d7ff}\u{e000}"])
  func scalars(text: String) {
    let bytes = Array(text.utf8)
    var found: [UInt32] = []
    var index = 0
    while let scalar = index < bytes.count ? bytes.span.scalar(at: index) : nil {
      found.append(scalar.value)
      index += scalar.sizeBytes
    }
    #expect(found == text.unicodeScalars.map(\.value))
  }

  @Test(
    "names cannot forge lines, columns or terminal sequences",
    arguments: [
      (Array("plain é😀".utf8), "plain é😀"),
      (Array("a\tb\nc\rd\\e".utf8), #"a\tb\nc\rd\\e"#),
      (Array("\u{1b}[31m\u{7f}\u{9b}".utf8), #"\u{1b}[31m\u{7f}\u{9b}"#),
      (Array("\u{202e}txt".utf8), #"\u{202e}txt"#),
      ([0x61, 0xff, 0x62, 0xc3], #"a\xffb\xc3"#),
    ] as [([UInt8], String)])
  func names(bytes: [UInt8], expected: String) {
    #expect(String(decoding: escaped(bytes.span), as: UTF8.self) == expected)
  }

  @Test(
    "dates are ISO 8601 in UTC",
    arguments: [
      (0, "2001-01-01T00:00:00Z"),
      (-1, "2000-12-31T23:59:59Z"),
      (0.999, "2001-01-01T00:00:00Z"),
      (-0.001, "2000-12-31T23:59:59Z"),
      (-978_307_200, "1970-01-01T00:00:00Z"),
      (94_607_999, "2003-12-31T23:59:59Z"),
      (99_705_600, "2004-02-29T00:00:00Z"),
      (99_792_000, "2004-03-01T00:00:00Z"),
      (-26_524_800, "2000-02-29T00:00:00Z"),
      (3_124_137_600, "2100-01-01T00:00:00Z"),
      (3_129_235_199, "2100-02-28T23:59:59Z"),
      (3_129_235_200, "2100-03-01T00:00:00Z"),
      (252_423_993_599, "9999-12-31T23:59:59Z"),
      (252_423_993_600, nil),
      (-63_113_904_000, "0001-01-01T00:00:00Z"),
      (-63_113_904_001, nil),
      (.infinity, nil),
      (.nan, nil),
      (1e300, nil),
    ] as [(Double, String?)])
  func dates(seconds: Double, expected: String?) { #expect(dateText(secondsSince2001: seconds) == expected) }

  @Test("more than the buffer goes out in order")
  func large() throws {
    let text = String(repeating: "0123456789", count: 5_000)
    #expect(try written { try $0.put(text) } == text)
  }

  @Test("a full pipe that does not block is waited for")
  func nonblocking() throws {
    let pipe = try Pipe()
    pipe.makeWritingNonblocking()
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    let read = Background { pipe.readAll() }
    try writeAll(bytes.span, to: pipe.writing)
    pipe.closeWriting()
    #expect(try read.value() == bytes)
  }
}
