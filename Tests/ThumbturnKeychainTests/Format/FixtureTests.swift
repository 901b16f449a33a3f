internal import Foundation
internal import Testing
internal import ThumbturnCrypto
internal import ThumbturnVault

@testable internal import ThumbturnKeychain

/// The promise of Documentation/vault-format.md: a vault written by 1.0 is read for ever.
@Suite("Fixture of format 1.0")
struct FixtureTests {
  private let home: FormatHome
  private let backend: LocalBackend

  init() throws {
    home = try FormatHome(fixture: "format-1.0")
    backend = LocalBackend(location: home.location)
  }

  @Test("every attribute, reference and secret is the one that was written")
  func listing() throws {
    let listing = try FixtureListing.of(backend)
    let expected = try String(
      contentsOf: FormatHome.fixture("format-1.0").appending(path: "contents.txt"), encoding: .utf8)
    #expect(listing == expected)
    #expect(try backend.status().itemCount == FixtureItem.all.count)
    #expect(try backend.status().format == (1, 0))
  }

  @Test("each item is found by each of its attributes and holds what the list of items says")
  func items() throws {
    for item in FixtureItem.all {
      var query = ItemQuery(item.itemClass, item.attributes, limit: .all, wantsSecret: true)
      query.synchronizable = item.isSynchronizable ? .yes : .no
      query.protectionClass = item.protection
      let found = try backend.find(query, for: FixtureItem.caller).filter {
        $0.attributes.count == item.attributes.count + 2
      }
      try #require(found.count == 1)
      let undated = found[0].attributes.dictionary.filter { ![.creationDate, .modificationDate].contains($0.key) }
      #expect(undated == item.attributes)
      #expect(found[0].secret?.withBytes { $0.copied() } == item.data)
      for (attribute, value) in item.attributes {
        query.attributes = [attribute: value]
        #expect(try backend.find(query, for: FixtureItem.caller).contains { $0.reference == found[0].reference })
      }
    }
  }

  @Test("reading changes no byte of any file, and leaves none behind")
  func readingChangesNothing() throws {
    let before = try home.files()
    _ = try FixtureListing.of(backend)
    #expect(throws: KeychainError(.itemNotFound)) {
      try backend.update(ItemQuery(.key, [.label: .text("nothing")]), with: ItemChange(), for: FixtureItem.caller)
    }
    backend.close()
    #expect(try home.files() == before)
    #expect(before.count == 3)
  }

  @Test("the same items written now have the same shape: nothing was added to a record")
  func shape() throws {
    let now = try FormatHome()
    try FixtureItem.write(to: LocalBackend(location: now.location))
    #expect(try VaultShape.of(now) == VaultShape.of(home))
  }

  @Test("it can be written like a vault of this version")
  func writing() throws {
    let others = try FixtureListing.of(backend).split(separator: "\n\n").filter { !$0.contains("com.example.large") }
    let query = ItemQuery(.genericPassword, [.service: .text("com.example.large")], wantsSecret: true)
    try backend.update(
      query, with: ItemChange([.label: .text("new")], secret: try secret([1])), for: FixtureItem.caller)
    backend.close()
    let found = try backend.find(query, for: FixtureItem.caller)
    #expect(found[0].attributes[.label] == .text("new"))
    #expect(found[0].secret?.withBytes { $0.copied() } == [1])
    try backend.delete(query, for: FixtureItem.caller)
    #expect(try FixtureListing.of(backend).split(separator: "\n\n") == others)
  }
}
