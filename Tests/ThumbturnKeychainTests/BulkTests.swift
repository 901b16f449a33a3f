internal import Testing
internal import ThumbturnVault

@_spi(Benchmarks) @testable internal import ThumbturnKeychain

@Suite("Items added together")
struct BulkTests {
  @Test("are found in their order, as if each had been added alone")
  func order() throws {
    let scratch = try Scratch()
    defer { scratch.end() }
    try scratch.backend.addTogether(["a", "b", "c"].map { try password("bulk", $0, "secret of \($0)") }, for: me)
    let found = try scratch.backend.find(query(), for: me)
    #expect(found.accounts == [.text("a"), .text("b"), .text("c")])
    #expect(found.map(\.text) == ["secret of a", "secret of b", "secret of c"])
    #expect(try scratch.backend.check().isClean)
  }

  @Test("are not there, none of them, when one cannot be added")
  func allOrNone() throws {
    let scratch = try Scratch()
    defer { scratch.end() }
    _ = try scratch.backend.add(try password("bulk", "b"), for: me)
    #expect(throws: KeychainError(.duplicateItem)) {
      try scratch.backend.addTogether(["a", "b", "c"].map { try password("bulk", $0) }, for: me)
    }
    #expect(try scratch.backend.find(query(), for: me).accounts == [.text("b")])
    #expect(try scratch.backend.check().isClean)
  }
}
