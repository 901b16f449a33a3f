import Testing

@testable import AppAudit

@Suite("Property lists")
struct PropertyListTests {
  /// `{"a": [true, 7, "é"]}` as plutil writes it.
  static let binary: [UInt8] =
    Array("bplist00".utf8) + [0xD1, 1, 2] + [0x51, 0x61] + [0xA3, 3, 4, 5] + [0x09] + [0x10, 7] + [0x61, 0x00, 0xE9]
    + [8, 11, 13, 17, 18, 20] + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 6] + [0, 0, 0, 0, 0, 0, 0, 0]
    + [0, 0, 0, 0, 0, 0, 0, 23]
  static let xml = Array(
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
      <!-- a comment with <key>x</key> -->
      <key>a</key>
      <array><true/><integer>7</integer><string>&#xE9;</string></array>
    </dict>
    </plist>
    """.utf8)
  static let old = Array("// !$*UTF8*$!\n{ a = (YES, 7, \"é\"); /* b */ }".utf8)

  @Test("the three forms give the same keys and items", arguments: [binary, xml, old])
  func forms(_ bytes: [UInt8]) throws {
    let root = try PropertyList.read(bytes)
    #expect(root.entries.map(\.key) == ["a"])
    #expect(root["a"]?.items.count == 3)
    #expect(root["a"]?.items.last?.string == "é")
  }

  @Test("an entry knows its line in a list that has lines")
  func lines() throws {
    #expect(try PropertyList.read(Self.xml).entry("a")?.line == 6)
    #expect(try PropertyList.read(Self.old).entry("a")?.line == 2)
  }

  @Test("UTF-16 with a mark is read")
  func wide() throws {
    var bytes: [UInt8] = [0xFF, 0xFE]
    for unit in String(decoding: Self.xml, as: UTF8.self).utf16 {
      bytes += [UInt8(unit & 0xFF), UInt8(unit >> 8)]
    }
    #expect(try PropertyList.read(bytes)["a"]?.items.count == 3)
  }

  @Test(
    "every truncation and 5,000 random changes are read or refused, and never trap", arguments: [binary, xml, old])
  func damage(_ bytes: [UInt8]) {
    var refused = 0
    for count in 0..<bytes.count where (try? PropertyList.read(Array(bytes.prefix(count)))) == nil { refused += 1 }
    #expect(refused > bytes.count / 2)
    var seed: UInt64 = 0x5DEE_CE66
    for _ in 0..<5_000 {
      var damaged = bytes
      for _ in 0..<3 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        damaged[Int(seed >> 33) % damaged.count] = UInt8(truncatingIfNeeded: seed >> 24)
      }
      _ = try? PropertyList.read(damaged)
    }
  }

  @Test("a list that holds itself, and one nested without end, are refused")
  func endless() {
    var cyclic = Self.binary
    // The array's first item becomes the array.
    cyclic[14] = 2
    #expect(throws: PropertyListError.self) { try PropertyList.read(cyclic) }
    let depth = PropertyList.depthMax
    func nested(_ count: Int) -> [UInt8] {
      Array((String(repeating: "(", count: count) + String(repeating: ")", count: count)).utf8)
    }
    #expect(throws: Never.self) { try PropertyList.read(nested(depth)) }
    #expect(throws: PropertyListError.self) { try PropertyList.read(nested(depth + 1)) }
  }
}
