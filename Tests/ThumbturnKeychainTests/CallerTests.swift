internal import Testing

@testable internal import ThumbturnKeychain

/// SECITEM.md §6, VAULT.md §8.
@Suite("Access groups of a caller")
struct CallerTests {
  private func groups(_ caller: Caller, _ named: AttributeValue? = nil, writes: Bool = true) throws -> [String] {
    try caller.groups(named: named, writes: writes)
  }

  @Test("are all of them, or the one that is named and its own")
  func own() throws {
    let caller = Caller(accessGroups: ["a", "b"])
    #expect(try groups(caller) == ["a", "b"])
    #expect(try groups(caller, .text("b")) == ["b"])
    for named in [AttributeValue.text("c"), .text(""), .text("A"), .data(Array("a".utf8)), .number(1)] {
      #expect(throws: KeychainError(.missingEntitlement)) { try groups(caller, named) }
    }
    #expect(throws: KeychainError(.missingEntitlement)) {
      try groups(Caller(accessGroups: ["\u{E9}"]), .text("e\u{301}"))
    }
    #expect(throws: KeychainError(.missingEntitlement)) { try groups(Caller(accessGroups: [])) }
    #expect(try groups(Caller()) == ["default"])
  }

  @Test("of tokens are read and never written")
  func token() throws {
    let caller = Caller(accessGroups: ["com.apple.token", "a"])
    #expect(try groups(caller, writes: false) == ["com.apple.token", "a"])
    #expect(try groups(caller) == ["a"])
    #expect(try groups(caller, .text("com.apple.token"), writes: false) == ["com.apple.token"])
    #expect(throws: KeychainError(.missingEntitlement)) { try groups(caller, .text("com.apple.token")) }
    #expect(throws: KeychainError(.missingEntitlement)) { try groups(Caller(accessGroups: ["com.apple.token"])) }
    let scratch = try Scratch()
    defer { scratch.end() }
    #expect(try scratch.backend.add(try password("s", "a"), for: caller).attributes[.accessGroup] == .text("a"))
    #expect(throws: KeychainError(.missingEntitlement)) {
      try scratch.backend.update(query(), with: ItemChange([.accessGroup: .text("com.apple.token")]), for: caller)
    }
  }

  @Test("of an app clip are its own one, and its items are never synchronizable")
  func appClip() throws {
    #expect(try groups(Caller(accessGroups: ["clip"], appClipGroup: "clip")) == ["clip"])
    for others in [["clip", "a"], ["a"]] {
      #expect(throws: KeychainError(.restricted)) { try groups(Caller(accessGroups: others, appClipGroup: "clip")) }
    }
    let scratch = try Scratch()
    defer { scratch.end() }
    let clip = Caller(accessGroups: ["clip"], appClipGroup: "clip")
    var item = try password("s", "a")
    item.isSynchronizable = true
    #expect(throws: KeychainError(.restricted)) { try scratch.backend.add(item, for: clip) }
    item.isSynchronizable = false
    _ = try scratch.backend.add(item, for: clip)
    var change = ItemChange()
    change.isSynchronizable = true
    #expect(throws: KeychainError(.restricted)) { try scratch.backend.update(query(), with: change, for: clip) }
  }
}
