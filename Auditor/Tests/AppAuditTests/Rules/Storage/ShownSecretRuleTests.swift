import Testing

@testable import AppAudit

@Suite("Rule storage.shown-secret")
struct ShownSecretRuleTests {
  @Test("a password as text is found")
  func shown() throws {
    try expectMarkedFindings(
      ShownSecretRule(),
      [
        "App/V.swift": #"""
        import SwiftUI
        struct Entry: View {
          let password: String
          var body: some View {
            Text(password) // expect: storage.shown-secret
            Text("Your PIN: \(pinCode)") // expect: storage.shown-secret
          }
        }
        """#,
        "App/U.swift": """
        import UIKit
        func fill() {
          passwordLabel.text = entry.password // expect: storage.shown-secret
        }
        """,
      ])
  }

  @Test("text on request, and text about passwords, are silent")
  func hidden() throws {
    try expectMarkedFindings(
      ShownSecretRule(),
      [
        "App/V.swift": """
        import SwiftUI
        struct Entry: View {
          let password: String
          var body: some View {
            Text("Password")
            Text(passwordHint)
            Text(LString.titleSetupAppPasscode)
            Text(L10n.Login.password)
            Text(isRevealed ? password : "****")
            if showPassword { Text(password) }
            Text(password).privacySensitive()
          }
        }
        #Preview { Text(password) }
        """,
        "App/U.swift": """
        import UIKit
        func fill() { titleLabel.text = "password"; passwordField.text = entry.password }
        """,
      ])
  }
}
