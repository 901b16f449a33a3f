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
        == "struct A {\n  func a(){\n\n}\n  func b() { KEY }\n}\n")
    #expect(
      thinned("struct A {\n  init?(a: B) throws { one() }\n  subscript(a: B) -> C { two() }\n}\n", keeping: "KEY")
        == "struct A {\n  init(){}\n  subscript(a: B) -> C {}\n}\n")
    #expect(
      thinned("struct A {\n  var a: B { get { one } set { two } }\n  var c: D { KEY }\n}\n", keeping: "KEY")
        == "struct A {\n  var a: B {}\n  var c: D { KEY }\n}\n")
  }

  @Test("stay when a word is in the name of a property")
  func namedByProperty() {
    let text = "struct A { var KEY: String { one } }\n"
    #expect(thinned(text, keeping: "KEY") == text)
    #expect(thinned("func KEY() -> String { one }\n", keeping: "KEY") == "func KEY() -> String {}\n")
  }

  @Test("lose their parameters with their body, but for a word in them")
  func heads() {
    #expect(thinned("func a<B: C>(\n  b: B\n) -> D { one }\n", keeping: "KEY") == "func a(){\n\n}\n")
    #expect(thinned("func a(KEY: B) { one }\n", keeping: "KEY") == "func a(KEY: B) {}\n")
    #expect(thinned("func == (a: A, b: A) -> B { one }\n", keeping: "KEY") == "func == (a: A, b: A) -> B {}\n")
    #expect(thinned("func größe(a: A) { one }\n", keeping: "KEY") == "func größe(a: A) {}\n")
  }

  @Test("stay where they name a function that stays, when callers are asked for")
  func callers() {
    let bytes = Array("func a() { KEY }\nfunc b() { a() }\nfunc c() { b(aa) }\n".utf8)
    let thin = Thinning.thinned(bytes, keeping: [11], andCallers: true)
    #expect(String(decoding: thin, as: UTF8.self) == "func a() { KEY }\nfunc b() { a() }\nfunc c(){}\n")
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
      "protocol P {\n  func a()\n  associatedtype B\n}\n",
      "struct S { var a: Int = { one() }() }\n",
      "struct S { var a = 1 { didSet { one() } } }\n",
      "struct S {\n  var a: Int\n  @B() { one() } var c: Int\n}\n",
      "var a: Int\nb { one() }\n",
      "let a = \"func a() { one() }\"\n",
      "let a = \"\\(b(\"func a() { one() }\"))\"\n",
      "let a = \"\"\"\n  func a() { \"one\" }\n  \"\"\"\n",
      "// func a() { one() }\n/* func b() /* { */ { one() } */\n",
    ] {
      #expect(thinned(text, keeping: "KEY") == text)
    }
    #expect(thinned("func a(b: () -> Void = { KEY() }) { two }\n", keeping: "KEY").hasSuffix("{ KEY() }) {}\n"))
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
        func five() { SecItemAdd(query, nil) }
        func six() throws -> String { if SecItemCopyMatching(query, &found) != 0 { throw Failed() }; return found }
        func seven() -> String { (try? six()) ?? "" }
        func eight() async { context.evaluatePolicy(policy, localizedReason: "why") { done, _ in show(done) } }
        var password: String { "hunter2!hunter2!" }
      }
      """
    for rule in RuleCatalog.all where rule.reach < .file {
      var whole = Notebook()
      var thin = Notebook()
      var index = WordIndex([rule.words])
      let bytes = Array(text.utf8)
      let interest = index.interested(in: bytes)
      guard !interest.rules.isEmpty else { continue }
      let short = Thinning.thinned(bytes, keeping: interest.places, andCallers: rule.reach == .callers)
      #expect(short != bytes)
      SwiftInspector.inspect(bytes, path: "a", conditions: [], rules: [rule], into: &whole)
      SwiftInspector.inspect(short, path: "a", conditions: [], rules: [rule], into: &thin)
      #expect(whole.observations == thin.observations)
    }
  }
}
