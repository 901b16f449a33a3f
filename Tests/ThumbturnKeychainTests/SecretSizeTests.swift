internal import Testing
internal import ThumbturnCrypto
internal import ThumbturnVault

@testable internal import ThumbturnKeychain

@Suite("Secrets of every size and content")
struct SecretSizeTests {
  @Test(
    "come back byte for byte, through another opening too",
    arguments: [0, 1, 20, 49, 50, 1_000, 4_000, 4_096, 5_000, 70_000, 1_048_576, 16_777_216])
  func sizes(count: Int) throws {
    let scratch = try Scratch()
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
    _ = try scratch.backend.add(
      NewItem(.genericPassword, [.service: .text("s")], secret: try secret(bytes)), for: me)
    for backend in [scratch.backend, scratch.another()] {
      let found = try #require(try backend.find(query(), for: me).first?.secret)
      #expect(found.withBytes { $0.equals(bytes.span) })
    }
  }

  @Test("one byte over 16 MiB is refused and nothing is stored")
  func overTheLimit() throws {
    let scratch = try Scratch()
    let large = try secret([UInt8](repeating: 7, count: 16_777_217))
    #expect(throws: KeychainError(.dataTooLarge)) {
      try scratch.backend.add(NewItem(.genericPassword, [.service: .text("s")], secret: large), for: me)
    }
    #expect(try scratch.backend.status().isPresent == false)
    _ = try scratch.backend.add(try password("s", "a", "old"), for: me)
    #expect(throws: KeychainError(.dataTooLarge)) {
      try scratch.backend.update(query(), with: ItemChange(secret: large), for: me)
    }
    #expect(try scratch.backend.find(query(), for: me).map(\.text) == ["old"])
  }

  @Test("attributes up to 1 MiB in all; more is refused and nothing is stored")
  func attributeSizes() throws {
    let scratch = try Scratch()
    let fits = String(repeating: "n", count: 1_000_000)
    _ = try scratch.backend.add(try password("s", fits), for: me)
    #expect(try scratch.another().find(query([.account: .text(fits)]), for: me).count == 1)
    let large = String(repeating: "n", count: 1_048_576)
    #expect(throws: KeychainError(.dataTooLarge)) { try scratch.backend.add(try password("s", large), for: me) }
    #expect(try scratch.backend.status().itemCount == 1)
  }

  @Test(
    "NUL, newline, invalid UTF-8 and everything else are bytes like others",
    arguments: [[0], [10], [13, 10], [0xFF, 0xFE, 0xC0], [0xED, 0xA0, 0x80], Array(0...255)] as [[UInt8]])
  func contents(bytes: [UInt8]) throws {
    let scratch = try Scratch()
    let names: [Attribute: AttributeValue] = [.service: .data(bytes), .account: .data(bytes), .label: .data(bytes)]
    _ = try scratch.backend.add(NewItem(.genericPassword, names, secret: try secret(bytes)), for: me)
    let found = try #require(try scratch.another().find(query(names), for: me).first)
    #expect(found.attributes[.account] == .data(bytes))
    #expect(found.secret?.withBytes { $0.equals(bytes.span) } == true)
  }

  @Test("no data and empty data are not the same")
  func noData() throws {
    let scratch = try Scratch()
    _ = try scratch.backend.add(NewItem(.genericPassword, [.account: .text("none")]), for: me)
    _ = try scratch.backend.add(NewItem(.genericPassword, [.account: .text("empty")], secret: try secret("")), for: me)
    let found = try scratch.another().find(query(), for: me)
    #expect(found[0].secret == nil)
    #expect(found[1].secret?.count == 0)
  }

  @Test("a secret that is not asked for is not opened")
  func notAskedFor() throws {
    let scratch = try Scratch()
    _ = try scratch.backend.add(try password("s", "a"), for: me)
    var query = query()
    query.wantsSecret = false
    #expect(try scratch.backend.find(query, for: me).first?.secret == nil)
  }
}
