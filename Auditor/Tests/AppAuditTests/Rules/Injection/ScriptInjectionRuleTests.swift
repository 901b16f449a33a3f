import Testing

@testable import AppAudit

@Suite("Rule injection.javascript")
struct ScriptInjectionRuleTests {
  @Test("values in the text of a script are found")
  func put() throws {
    try expectMarkedFindings(
      ScriptInjectionRule(),
      [
        "App/W.swift": #"""
        import WebKit
        func one(_ name: String) {
          web.evaluateJavaScript("show('\(name)')") // expect: injection.javascript
          web.evaluateJavaScript("load('\(url.absoluteString)')") // expect: injection.javascript
          let script = "setUser('" + user.name + "')" // expect: injection.javascript
          web.evaluateJavaScript(script)
          let list = names.map { String($0) }.joined(separator: ",")
          web.evaluateJavaScript("receive([" + list + "])") // expect: injection.javascript
          let made = WKUserScript(source: "a = '\(user.bio)'", injectionTime: .atDocumentEnd, forMainFrameOnly: true) // expect: injection.javascript
        }
        """#,
        "App/W.m": """
        void show(NSString *name) {
          [web evaluateJavaScript:[NSString stringWithFormat:@"show('%@')", name] completionHandler:nil]; // expect: injection.javascript
        }
        """,
      ])
  }

  @Test("constants, numbers, encoded values and arguments are silent")
  func encoded() throws {
    try expectMarkedFindings(
      ScriptInjectionRule(),
      [
        "App/W.swift": #"""
        import WebKit
        let version = "1.2"
        func one(_ name: String, _ width: Int, _ isOn: Bool) throws {
          let encoded = String(decoding: try JSONEncoder().encode(name), as: UTF8.self)
          let safe = String(decoding: try JSONEncoder().encode(name), as: UTF8.self)
          web.evaluateJavaScript("show(1)")
          web.evaluateJavaScript("show(\(encoded))")
          web.evaluateJavaScript("show(\(safe))")
          web.evaluateJavaScript("resize(\(width), \(isOn), \(view.frame.height))")
          web.evaluateJavaScript("load(\"\(url.absoluteString)\")")
          if let image = components.string { web.evaluateJavaScript("load(\"\(image)\")") }
          web.evaluateJavaScript("version('\(version)')")
          web.evaluateJavaScript("set(\(isOn ? "true" : "false"))")
          let choice = isOn ? "true" : "false"
          web.evaluateJavaScript("set(\(choice))")
          web.evaluateJavaScript("\(callbackName)(true)")
          let bytes = [UInt8](data)
          let list = bytes.map { String($0) }.joined(separator: ",")
          web.evaluateJavaScript("receive([" + list + "])")
          web.callAsyncJavaScript("show(name)", arguments: ["name": name], in: nil, in: .page)
        }
        """#,
        "App/W.m": """
        void show(NSString *json) {
          [web evaluateJavaScript:[NSString stringWithFormat:@"show(%@)", json] completionHandler:nil];
          [web evaluateJavaScript:@"show(1)" completionHandler:nil];
        }
        """,
      ])
  }
}
