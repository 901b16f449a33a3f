internal import Testing

@testable internal import ThumbturnKeychain

@Suite("Values")
struct ValueTests {
  @Test(
    "canonical bytes",
    arguments: [
      (.text("é"), [0xC3, 0xA9]), (.data([0, 255]), [0, 255]), (.number(-42), Array("-42".utf8)),
      (.number(0), Array("0".utf8)), (.date(0), [0, 0, 0, 0, 0, 0, 0, 0]),
      (.date(1), [0x3F, 0xF0, 0, 0, 0, 0, 0, 0]), (.date(-0.5), [0xBF, 0xE0, 0, 0, 0, 0, 0, 0]), (.text(""), []),
    ] as [(AttributeValue, [UInt8])])
  func canonical(value: AttributeValue, bytes: [UInt8]) { #expect(value.canonicalBytes == bytes) }

  @Test("two values are the same exactly when their canonical bytes are")
  func sameBytes() {
    let values: [AttributeValue] = [
      .text(""), .text("é"), .text("e\u{301}"), .text("0"), .text("7"), .text("a name of more than fifteen bytes"),
      .text("a name of more than fifteen bytes."), .data([]), .data([0x37]), .data([0xC3, 0xA9]), .number(0),
      .number(7), .date(0), .date(-0.0), .date(7), .date(.nan),
    ]
    for left in values {
      for right in values {
        #expect(left.hasSameBytes(as: right) == (left.canonicalBytes == right.canonicalBytes), "\(left), \(right)")
      }
    }
  }

  @Test("every attribute finds its own row, and a number past the last has none")
  func rows() {
    for row in AttributeDefinition.table { #expect(AttributeDefinition.of(row.attribute)?.code == row.code) }
    for number in [0, 15, 95, .max] as [UInt16] { #expect(AttributeDefinition.of(Attribute(rawValue: number)) == nil) }
  }

  /// SECITEM.md §3, as far as typed values reach.
  @Test(
    "each kind stores what it takes and refuses the rest",
    arguments: [
      (.blob, .text("a"), .text("a")), (.blob, .data([1]), .data([1])), (.blob, .number(5), .number(5)),
      (.blob, .date(1), nil), (.data, .data([1]), .data([1])), (.data, .text("a"), .data([0x61])),
      (.data, .number(258), .data([2, 1, 0, 0])), (.data, .number(1 << 40), nil), (.data, .date(1), nil),
      (.text, .text("a"), .text("a")), (.text, .data([0x61]), .text("a")), (.text, .data([0xFF]), nil),
      (.text, .number(1), nil), (.text, .date(1), nil), (.number, .number(7), .number(7)),
      (.number, .text("12"), .number(12)), (.number, .text("012"), .text("012")), (.number, .text("-3"), .number(-3)),
      (.number, .text("htps"), .text("htps")), (.number, .data([1]), nil), (.number, .date(1), nil),
      (.date, .date(2.5), .date(2.5)), (.date, .date(.nan), nil), (.date, .number(2), nil), (.date, .text("2"), nil),
    ] as [(AttributeDefinition.Kind, AttributeValue, AttributeValue?)])
  func stored(kind: AttributeDefinition.Kind, value: AttributeValue, expected: AttributeValue?) {
    #expect(kind.stored(value) == expected)
  }

  @Test("the table has every row once, ascending, and each code once in a class")
  func table() {
    let numbers = AttributeDefinition.table.map(\.attribute.rawValue)
    #expect(numbers == Array(16...94))
    for itemClass in ItemClass.allCases {
      let codes = AttributeDefinition.table.filter { $0.classes.contains(itemClass) }.map(\.code)
      #expect(Set(codes).count == codes.count)
      for code in codes {
        #expect(AttributeDefinition.of(code: code, in: itemClass)?.classes.contains(itemClass) == true)
      }
    }
    #expect(AttributeDefinition.of(code: "srvr", in: .genericPassword) == nil)
    #expect(AttributeDefinition.of(code: "type", in: .key)?.attribute == .keyType)
    #expect(AttributeDefinition.of(code: "type", in: .genericPassword)?.attribute == .type)
  }

  @Test("the key attributes of a class are those marked so, its own first")
  func keys() {
    for itemClass in ItemClass.allCases {
      let listed = PrimaryKey.attributes(of: itemClass)
      let marked = AttributeDefinition.table.filter { $0.isKey && $0.classes.contains(itemClass) }.map(\.attribute)
      #expect(Set(listed) == Set(marked))
      #expect(listed.count == marked.count)
      #expect(listed.suffix(6) == [.accessGroup, .synchronizable, .syncViewHint, .tokenID, .multiUser, .sharingGroup])
    }
  }
}
