// swift-format-ignore-file
import SwiftUI

final class Settings {
  static let shared = Settings()
  var showsReminders = false

  func read() { showsReminders = UserDefaults.standard.bool(forKey: "reminders") }

  func keep(_ accessToken: String, in vault: TokenVault) throws {
// wrong: storage.secret-in-user-defaults
    UserDefaults.standard.set(accessToken, forKey: "accessToken")
// right
    try vault.add(accessToken)
// end
  }

  func export(_ data: Data, to url: URL) throws {
// wrong: storage.no-file-protection
    try data.write(to: url, options: [.atomic, .noFileProtection])
// right
    try data.write(to: url, options: [.atomic, .completeFileProtection])
// end
  }
}

struct SettingsView: View {
  @State private var password = ""

  var body: some View {
// wrong: storage.plain-password-field
    TextField("Password", text: $password)
// right
    SecureField("Password", text: $password)
// end
  }
}
