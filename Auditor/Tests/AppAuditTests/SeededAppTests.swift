import Foundation
import Testing

@testable import AppAudit

/// The app of `Resources/SeededApp`: each rule's mistake stands in it once, beside what is right.
///
/// A mistake lies between a line with `wrong: rule-id` and one with `right`, its correction between that and one with
/// `end`. A file of which nothing is left is not there.
private struct SeededApp {
  /// The files with the mistakes, or with their corrections.
  static func files(corrected: Bool) throws -> [String: String] {
    let root = try #require(Bundle.module.url(forResource: "Resources/SeededApp", withExtension: nil))
    let names = try #require(FileManager.default.enumerator(atPath: root.path)?.allObjects as? [String])
    var files: [String: String] = [:]
    for name in names where SourceFile.Language(path: name) != nil || isOther(name) {
      let text = cut(try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8), corrected: corrected)
      if !text.trimmed.isEmpty { files[name] = text }
    }
    return files
  }

  private static func isOther(_ name: String) -> Bool {
    ["plist", "pbxproj", "entitlements", "xcprivacy", "lock"].contains(Path.suffix(name))
  }

  private static func cut(_ text: String, corrected: Bool) -> String {
    var lines: [Substring] = []
    var isKept = true
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let words = line.split { $0 == " " || $0 == "/" || $0 == "<" || $0 == ">" || $0 == "!" || $0 == "-" }
      let isMark = line.hasPrefix("//") || line.hasPrefix("<!--")
      switch words.first {
      case "wrong:" where isMark: isKept = !corrected
      case "right" where isMark: isKept = corrected
      case "end" where isMark: isKept = true
      default: if isKept { lines.append(line) }
      }
    }
    return lines.joined(separator: "\n")
  }

  /// The rules whose mistakes are marked.
  static func marked() throws -> [String] {
    let root = try #require(Bundle.module.url(forResource: "Resources/SeededApp", withExtension: nil))
    let names = try #require(FileManager.default.enumerator(atPath: root.path)?.allObjects as? [String])
    return try names.filter { SourceFile.Language(path: $0) != nil || isOther($0) }.flatMap { name in
      try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8).split(separator: "\n").compactMap {
        line -> String? in
        guard let mark = line.range(of: "wrong: ") else { return nil }
        return String(line[mark.upperBound...].prefix { !$0.isWhitespace })
      }
    }
  }
}

@Suite("A whole app with one mistake of each rule")
struct SeededAppTests {
  @Test("each rule of the catalogue has its mistake in the app")
  func complete() throws {
    #expect(try SeededApp.marked().sorted() == RuleCatalog.all.map(\.about.id).sorted())
  }

  @Test("each mistake is found once, and nothing else")
  func mistakes() throws {
    let found = try SampleFolder(try SeededApp.files(corrected: false)).audit()
    let counts = Dictionary(grouping: found.findings, by: \.rule).mapValues(\.count)
    for rule in RuleCatalog.all {
      let id = rule.about.id
      let places = found.findings.filter { $0.rule == id }.map { "\($0.path):\($0.line) \($0.message)" }
      #expect(counts[id] == 1, "\(id): \(places)")
    }
    #expect(found.notes.isEmpty, "\(found.notes)")
  }

  @Test("the corrected app has no finding, not even a note")
  func corrected() throws {
    let found = try SampleFolder(try SeededApp.files(corrected: true)).audit()
    #expect(found.findings.map { "\($0.path):\($0.line) \($0.rule) \($0.message)" }.isEmpty, "\(found.findings)")
    #expect(found.notes.isEmpty, "\(found.notes)")
  }
}
