import Testing

@testable import AppAudit

@Suite("Rule pasteboard.secret")
struct PasteboardSecretRuleTests {
  @Test("a secret on the general pasteboard is found")
  func copied() throws {
    try expectMarkedFindings(
      PasteboardSecretRule(),
      [
        "App/P.swift": """
        import UIKit
        func copy(_ entry: Entry) {
          UIPasteboard.general.string = entry.password // expect: pasteboard.secret
          UIPasteboard.general.setValue(entry.apiKey, forPasteboardType: "public.text") // expect: pasteboard.secret
          UIPasteboard.general.setItems([[type: entry.password]]) // expect: pasteboard.secret
          let board = UIPasteboard.general
          board.string = entry.recoveryPhrase // expect: pasteboard.secret
        }
        """,
        "App/P.m": """
        void copy(Entry *entry) {
          [UIPasteboard generalPasteboard].string = entry.password; // expect: pasteboard.secret
          [[UIPasteboard generalPasteboard] setString:password]; // expect: pasteboard.secret
        }
        """,
      ])
  }

  @Test("a local item that expires, other text and own pasteboards are silent")
  func kept() throws {
    try expectMarkedFindings(
      PasteboardSecretRule(),
      [
        "App/P.swift": """
        import UIKit
        func copy(_ entry: Entry) {
          UIPasteboard.general.string = entry.name
          UIPasteboard.general.setItems([[type: entry.password]], options: [.localOnly: true, .expirationDate: soon])
          own.string = entry.password
          UIPasteboard.general.string = ""
        }
        """,
        "App/P.m": """
        void copy(Entry *entry) { [UIPasteboard generalPasteboard].string = entry.name; }
        """,
      ])
  }
}
