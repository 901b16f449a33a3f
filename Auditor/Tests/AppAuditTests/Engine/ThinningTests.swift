import Testing

@testable import AppAudit

@Suite("Functions without words")
struct ThinningTests {
  private func thinned(_ text: String, keeping word: String) -> String {
    let bytes = Array(text.utf8)
    let hits = bytes.indices.filter { bytes[$0...].starts(with: word.utf8) }
    return String(decoding: Thinning.thinned(bytes, keeping: hits), as: UTF8.self)
  }

  @Test("are emptied, and lines stay where they are")
  func emptied() {
    #expect(
      thinned("struct A {\n  func a() {\n    one()\n  }\n  func b() { KEY }\n}\n", keeping: "KEY")
        == "struct A {\n  func a() {\n         \n  }\n  func b() { KEY }\n}\n")
  }

  @Test("stay when a word is in a function or closure inside them")
  func nested() {
    let text = "func a() { func b() { c { KEY } } }\n"
    #expect(thinned(text, keeping: "KEY") == text)
  }

  @Test("are told from properties, requirements, parameters and text")
  func others() {
    for text in [
      "protocol P { func a() }\nlet b = { one() }\n",
      "protocol P {\n  func a()\n  var b: Int { get }\n}\n",
      "struct S { var body: Int { one() } }\n",
      "let a = \"func a() { one() }\"\n",
      "let a = \"\\(b(\"func a() { one() }\"))\"\n",
      "let a = \"\"\"\n  func a() { \"one\" }\n  \"\"\"\n",
      "// func a() { one() }\n/* func b() /* { */ { one() } */\n",
    ] {
      #expect(thinned(text, keeping: "KEY") == text)
    }
    #expect(thinned("func a(b: () -> Void = { one() }) { two }\n", keeping: "KEY").hasSuffix("{ one() }) {     }\n"))
  }

  @Test(
    "are left as they are in a file that is not read for sure",
    arguments: [
      "let a = /\"{/\n", "let a = #\"}\"#\n", "func `func`() { one() }\n", "func a() { one() \n", "func a() { \" }\n",
      "func a() { one(/}/) }\n", "func a() ) { one() }\n",
    ])
  func unsure(_ text: String) {
    #expect(thinned(text, keeping: "KEY") == text)
  }

  @Test("change no finding of a rule that says that it is local")
  func same() throws {
    let text = """
      import Foundation
      struct A {
        func one() { let token = 1; print(token) }
        func two() { work() }
        func three() { UserDefaults.standard.set(1, forKey: "a") }
        func four() -> URL? { URL(string: "http://shop.test.de/") }
      }
      """
    for rule in RuleCatalog.all where rule.isLocal {
      var whole = Notebook()
      var thin = Notebook()
      var index = WordIndex([rule.words])
      let bytes = Array(text.utf8)
      let interest = index.interested(in: bytes)
      guard !interest.rules.isEmpty else { continue }
      let short = Thinning.thinned(bytes, keeping: interest.places)
      #expect(short != bytes)
      SwiftInspector.inspect(bytes, path: "a", conditions: [], rules: [rule], into: &whole)
      SwiftInspector.inspect(short, path: "a", conditions: [], rules: [rule], into: &thin)
      #expect(whole.observations == thin.observations)
    }
  }
}
