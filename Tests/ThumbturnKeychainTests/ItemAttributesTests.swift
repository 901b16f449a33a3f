internal import Testing

@testable internal import ThumbturnKeychain
@testable internal import ThumbturnVault

@Suite("Attributes of a found item")
struct ItemAttributesTests {
  private let values: [Attribute: AttributeValue] = [
    .service: .text("caf\u{65}\u{301}"), .account: .data([0, 0xFF, 0xC3]), .label: .text(""), .comment: .data([]),
    .creator: .number(-2), .isInvisible: .number(.max), .creationDate: .date(-0.5), .modificationDate: .date(1e300),
  ]

  @Test("every value comes back as it went in, kind and bytes")
  func roundTrip() {
    let attributes = ItemAttributes(values)
    #expect(attributes.count == values.count)
    #expect(attributes.dictionary == values)
    for (attribute, value) in values { #expect(attributes[attribute] == value) }
    guard case .text(let text)? = attributes[.service] else { Issue.record("no text"); return }
    #expect(Array(text.utf8) == Array("caf\u{65}\u{301}".utf8))
  }

  @Test("what is not set is nil and not contained")
  func absent() {
    let attributes = ItemAttributes(values)
    #expect(attributes[.generic] == nil && attributes[.accessGroup] == nil)
    #expect(!attributes.contains(.generic) && attributes.contains(.label))
    let none: ItemAttributes = [:]
    #expect(none.isEmpty && none[.label] == nil && Array(none).isEmpty && !attributes.isEmpty)
  }

  @Test("they come in ascending order of their numbers")
  func order() {
    let numbers = ItemAttributes(values).map(\.key.rawValue)
    #expect(numbers == values.keys.map(\.rawValue).sorted())
  }

  @Test("two are equal when kinds and bytes are; spelling counts")
  func equality() {
    #expect(ItemAttributes(values) == ItemAttributes(values))
    #expect(ItemAttributes([.label: .text("é")]) != ItemAttributes([.label: .text("e\u{301}")]))
    #expect(ItemAttributes([.label: .text("a")]) != ItemAttributes([.label: .data([0x61])]))
    #expect(ItemAttributes([.label: .text("a")]) == [.label: .text("a")])
    #expect(ItemAttributes([.label: .text("a")]).merging([.label: .text("b")]) { $1 } == [.label: .text("b")])
  }

  /// What stands in the record, what is asked for, and whether it is the same.
  @Test(
    "a field is compared by its canonical bytes",
    arguments: [
      (AttributeValue.text("a"), AttributeValue.data([0x61]), true), (.data([0x61]), .text("a"), true),
      (.text("é"), .text("e\u{301}"), false), (.number(12), .text("12"), true), (.text("12"), .number(12), true),
      (.number(12), .text("012"), false), (.number(1), .number(2), false), (.number(-1), .number(-1), true),
      (.date(1.5), .date(1.5), true), (.date(1.5), .date(2), false), (.text(""), .data([]), true),
      (.number(1), .date(1), false), (.text("ab"), .text("a"), false),
    ] as [(AttributeValue, AttributeValue, Bool)])
  func comparison(stored: AttributeValue, wanted: AttributeValue, isSame: Bool) throws {
    var fields: [UInt8] = []
    stored.append(.label, to: &fields)
    let place = try #require(try RecordFieldWalk.find(Attribute.label.rawValue, in: fields.span))
    #expect(try place.holds(wanted, in: fields.span) == isSame)
    #expect(stored.hasSameBytes(as: wanted) == isSame)
  }

  @Test("a field that cannot be decoded is damage, whether it is asked for or not")
  func damage() throws {
    var fields: [UInt8] = []
    let noText: [UInt8] = [0xC3, 0x28]
    RecordField.append(Attribute.label.rawValue, .text, noText.span, to: &fields)
    let text = try #require(try RecordFieldWalk.find(Attribute.label.rawValue, in: fields.span))
    #expect(throws: VaultError(.damagedRecord, "")) { try text.check(in: fields.span) }
    fields = []
    let short: [UInt8] = [1, 2, 3]
    RecordField.append(Attribute.creator.rawValue, .number, short.span, to: &fields)
    let number = try #require(try RecordFieldWalk.find(Attribute.creator.rawValue, in: fields.span))
    #expect(throws: VaultError(.damagedRecord, "")) { try number.check(in: fields.span) }
  }
}
