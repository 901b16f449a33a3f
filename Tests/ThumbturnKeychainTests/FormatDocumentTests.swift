internal import Foundation
internal import Testing
internal import ThumbturnCrypto

@testable internal import ThumbturnKeychain
@testable internal import ThumbturnVault

/// Holds Documentation/vault-format.md against the code, where it repeats what stands there as a table.
@Suite("Format document")
struct FormatDocumentTests {
  private let lines: [Substring]

  init() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "Documentation/vault-format.md"), encoding: .utf8)
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The lines of a section, its title left out.
  private func section(_ title: String) throws -> ArraySlice<Substring> {
    let start = try #require(lines.firstIndex { $0 == title })
    let level = title.prefix { $0 == "#" }
    let rest = lines[(start + 1)...]
    let end = rest.firstIndex { $0.hasPrefix("#") && $0.prefix { $0 == "#" }.count <= level.count }
    return rest[..<(end ?? rest.endIndex)]
  }

  /// The cells of a section's table rows, without head and rule.
  private func rows(_ title: String) throws -> [[String]] {
    try section(title).filter { $0.hasPrefix("| ") }.map { line in
      line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  /// The lines of the only code block of a section.
  private func block(_ kind: String, in title: String) throws -> [String] {
    let lines = try section(title)
    let start = try #require(lines.firstIndex { $0 == "```" + kind })
    return lines[(start + 1)...].prefix { $0 != "```" }.map(String.init)
  }

  private func codes(_ attributes: [Attribute]) -> String {
    attributes.compactMap { AttributeDefinition.of($0)?.code }.joined(separator: " ")
  }

  @Test("has the quarantine's schema and application id")
  func quarantine() throws {
    let expected = Quarantine.expected.compactMap(\.text)
    #expect(try block("quarantine", in: "### 13.1 Quarantine") == expected)
    #expect(try section("### 13.1 Quarantine").contains { $0.contains("0x54545651") })
    #expect(Quarantine.applicationID == 0x5454_5651)
  }

  @Test("has every attribute with its number, code, kind, tables, key and place")
  func attributes() throws {
    let expected = AttributeDefinition.table.map { row in
      let tables = row.classes == ItemClass.allCases ? "all" : row.classes.map(\.code).joined(separator: " ")
      let kind = row.kind == .accessControl ? "access control" : "\(row.kind)"
      return ["\(row.attribute.rawValue)", "`\(row.code)`", kind, tables, row.isKey ? "yes" : "", "\(row.place)"]
    }
    let written = try rows("## 9. Attributes").dropFirst().map { cells in
      try #require(cells.count == 7)
      #expect(!cells[2].isEmpty)
      return [cells[0], cells[1], cells[3], cells[4], cells[5], cells[6]]
    }
    #expect(written == expected)
    #expect(RecordField.ownNumberMax == 15)
  }

  @Test("has the schema to the byte")
  func schema() throws {
    let expected = [Schema.items, Schema.firstIndex, Schema.secondIndex, Schema.blobs, Schema.header].map { "\($0)" }
    #expect(try block("sql", in: "## 5. Database") == expected)
    #expect(Schema.applicationID == 0x5454_5654)
    #expect(Schema.userVersion == 0x0001_0000)
  }

  @Test("has every step of the padding")
  func padding() throws {
    let text = try block("steps", in: "### 7.1 Padding").joined(separator: " ")
    let steps = Array(stride(from: 64, to: 1_024, by: 64)) + text.split(separator: " ").compactMap { Int($0) }
    var smallest = 0
    for step in steps {
      #expect(Padding.paddedCount(smallest) == step)
      #expect(Padding.paddedCount(step - 4) == step)
      smallest = step - 3
    }
    #expect(try #require(steps.last) >= RecordLimits.secretCountMax + 11)
    #expect(Padding.paddedCount(smallest) + 28 > RecordLimits.boxCountMax)
  }

  @Test("has the order of the primary keys and the indexed attributes")
  func keys() throws {
    let orders = try rows("### 6.3 Primary key").dropFirst().map { $0[1] }
    #expect(orders == ItemClass.allCases.map { codes(PrimaryKey.attributes(of: $0)) })
    let indexed = try rows("### 6.2 Indexed attributes").dropFirst().map { "\($0[1].prefix(4)) \($0[2].prefix(4))" }
    #expect(indexed == ItemClass.allCases.map { codes([PrimaryKey.indexed($0).first, PrimaryKey.indexed($0).second]) })
  }

  @Test("has the numbers of tables, classes and roles, and the sizes of what is authenticated")
  func numbers() throws {
    let names = try rows("## 0. Words and notation").filter { $0.count == 6 }.dropFirst()
    let tables = names.filter { !$0[0].isEmpty }.map { "\($0[0]) \($0[1])" }
    #expect(tables == ItemClass.allCases.map { "\($0.code) \($0.rawValue)" })
    #expect(names.map { "\($0[3]) \($0[4])" } == ProtectionClass.allCases.map { "\($0.code) \($0.rawValue)" })
    var parents: [UInt8: Bool] = [:]
    for row in try rows("### 4.2 Key set").dropFirst() {
      for role in row[0].split(separator: ", ") { parents[try #require(UInt8(role))] = row[2] == "KEK" }
    }
    #expect(parents == Dictionary(uniqueKeysWithValues: KeyRole.all.map { ($0.rawValue, $0.needsPasscodeKey) }))
    #expect(RecordBinding.metadataCount == 164)
    #expect(RecordBinding.secretCount == 71)
    #expect(FreshnessHeader.count == 260)
  }

  @Test("has the fields of the keybag with the sizes that the fixture's have")
  func keybag() throws {
    let bytes = try FormatHome(fixture: "format-1.0").bytes("vault/keybag")
    var found: [String] = []
    var at = 12
    while at < bytes.count - Keybag.macCount {
      let count = Int(bytes.span.number(at: at + 2, count: 4))
      found.append("\(bytes.span.number(at: at, count: 2)) \(count)")
      at += 6 + count
    }
    let written = try rows("### 3.1 The file").filter { Keybag.Field(rawValue: UInt16($0[0]) ?? 0) != nil }
    // The head's table has offsets of that size too, but its third column names them.
    let fields = written.filter { !$0[2].hasPrefix("format") }
    #expect(fields.map { $0[0] } == (1...12).map(String.init))
    #expect(zip(fields, found).allSatisfy { $0[1] == "any" || "\($0[0]) \($0[1])" == $1 })
    #expect(found.last == "11 0")
  }
}
