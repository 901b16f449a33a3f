import Testing

@testable import AppAudit

@Suite("Rule storage.plain-password-field")
struct PlainFieldRuleTests {
  @Test("a field that shows the password is found")
  func plain() throws {
    try expectMarkedFindings(
      PlainFieldRule(),
      [
        "App/V.swift": """
        import SwiftUI
        struct Login: View {
          @State private var password = ""
          var body: some View {
            TextField("Password", text: $password) // expect: storage.plain-password-field
          }
        }
        """,
        "App/U.swift": """
        import UIKit
        func prepare() {
          passwordField.isSecureTextEntry = false // expect: storage.plain-password-field
        }
        """,
        "App/U.m": """
        void prepare(void) {
          self.passwordField.secureTextEntry = NO; // expect: storage.plain-password-field
        }
        """,
      ])
  }

  @Test("a secure field, a switch between both and other fields are silent")
  func secure() throws {
    try expectMarkedFindings(
      PlainFieldRule(),
      [
        "App/V.swift": """
        import SwiftUI
        struct Login: View {
          var body: some View {
            TextField("Name", text: $name)
            TextField("Hint", text: $passwordHint)
            SecureField("Password", text: $password)
            if isShown { TextField("Password", text: $password) }
          }
        }
        """,
        "App/U.swift": """
        import UIKit
        func toggle() {
          passwordField.isSecureTextEntry = true
          nameField.isSecureTextEntry = false
        }
        """,
        "App/U.m": """
        void prepare(void) { self.passwordField.secureTextEntry = YES; }
        """,
      ])
  }
}
