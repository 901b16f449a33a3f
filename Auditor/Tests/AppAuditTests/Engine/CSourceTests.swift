import Testing

@testable import AppAudit

@Suite("Objective-C and C")
struct CSourceTests {
  private func source(_ text: String) -> CSource { CSource(path: "a.m", bytes: Array(text.utf8)) }

  @Test("messages have receiver, selector and arguments, also inside each other and across lines")
  func messages() {
    let read = source("[[Keep shared]\n  setObject:(a ? b : c) forKey:@\"k\"]; x[0]; id y = @[ z ];")
    #expect(read.messages.map(\.selector) == ["setObject:forKey:", "shared"])
    #expect(read.messages.first?.arguments.map { $0.map(\.text) } == [["(", "a", "?", "b", ":", "c", ")"], ["k"]])
    #expect(read.messages.last?.receiverName == "Keep")
  }

  @Test("a call is no declaration, no method of another thing and no macro of the language")
  func calls() {
    let read = source(
      "int stat(const char *p);\nif (stat(p, &s)) return lstat(p, &s);\na.fstat(1); a->fstat(1); A::fstat(1); ::fstat(1);"
    )
    #expect(read.calls.map(\.name) == ["stat", "lstat", "fstat"])
    #expect(read.calls.map(\.line) == [2, 2, 3])
    #expect(read.calls.first?.arguments.count == 2)
  }

  /// Each row is a condition and whether its branch and its `#else` are read.
  @Test(
    "conditions are answered for a device's Release build, and both branches count where nobody knows",
    arguments: [
      ("#if 0", false, true), ("#if 1", true, false), ("#ifdef DEBUG", false, true), ("#ifndef DEBUG", true, false),
      ("#if TARGET_OS_SIMULATOR", false, true), ("#if !TARGET_OS_SIMULATOR && TARGET_OS_IOS", true, false),
      ("#if defined(DEBUG) || TARGET_OS_OSX", false, true), ("#if OWN_FLAG", true, true),
      ("#if OWN_FLAG && 0", false, true),
      ("#if __has_include(<x.h>)", true, true), ("#if (TARGET_OS_IPHONE == 1)", true, false),
      ("#if OWN || 1", true, false),
    ])
  func conditions(_ condition: String, _ first: Bool, _ second: Bool) {
    let read = source(condition + "\nyes();\n#else\nno();\n#endif\nafter();")
    #expect(read.calls.map(\.name) == (first ? ["yes"] : []) + (second ? ["no"] : []) + ["after"])
  }

  @Test("comments and strings hold no code, and a macro's body does")
  func dead() {
    let read = source("// a()\n/* b()\n */ char *s = \"c() \\\" d()\"; @\"e()\";\n#define F(x) f(x)\n")
    #expect(read.calls.map(\.name) == ["f"])
    #expect(read.tokens.filter { $0.kind == .string }.map(\.text) == ["c() \\\" d()", "e()"])
  }
}
