internal import Testing

@testable internal import ThumbturnKeychain

/// SECITEM.md §11, where it depends on the other certificates or on time.
@Suite("Match keys of the keychain")
struct ItemFilterTests {
  private func link(_ subject: Int, _ issuer: Int) throws -> ItemFilter.ChainLink {
    func name(_ number: Int) -> AttributeValue { .data(Array("\(number)".utf8)) }
    return try #require(ItemFilter.ChainLink([.subject: name(subject), .issuer: name(issuer)]))
  }
  private func names(_ numbers: ClosedRange<Int>) -> Set<[UInt8]> { Set(numbers.map { Array("\($0)".utf8) }) }

  @Test("a chain has ten certificates at most, in whatever order they stand")
  func chain() throws {
    let links = try (0..<30).map { try link($0 + 1, $0) }
    // Ten certificates: the one that is looked at, and nine that stand between.
    #expect(ItemFilter.names(below: names(0...0), in: links) == names(0...9))
    #expect(ItemFilter.names(below: names(0...0), in: links.reversed()) == names(0...9))
    #expect(ItemFilter.names(below: names(40...40), in: links) == names(40...40))
    #expect(ItemFilter.ChainLink([.subject: .data([1])]) == nil)
  }

  @Test("a part of a subject is found in time that grows with the sizes, and not with their product")
  func subjectTime() {
    var filter = ItemFilter()
    let count = 500_000
    filter.subjectPart = .init(String(repeating: "a", count: count / 2) + "b")
    let subject: [Attribute: AttributeValue] = [.subject: .data([UInt8](repeating: UInt8(ascii: "a"), count: count))]
    let start = ContinuousClock.now
    #expect(!filter.accepts(subject, reference: []))
    // The product would be 6 × 10^10 comparisons: minutes.
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  @Test("a part of a subject is found wherever it begins", arguments: ["aab", "aaab", "b", "", "ba", "aaba"])
  func subjectPlaces(part: String) {
    var filter = ItemFilter()
    filter.subjectPart = .init(part)
    let subject: [Attribute: AttributeValue] = [.subject: .data(Array("aaaaba".utf8))]
    #expect(filter.accepts(subject, reference: []))
    filter.subjectPart = .init(part + "c")
    #expect(!filter.accepts(subject, reference: []))
    #expect(!filter.accepts([.subject: .text("aaaaba")], reference: []))
  }
}
