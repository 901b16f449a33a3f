import Testing

@testable import AppAudit

@Suite("Rule biometric.reply-off-main")
struct ReplyOffMainRuleTests {
  @Test("views and their state in the reply are found")
  func off() throws {
    try expectMarkedFindings(
      ReplyOffMainRule(),
      [
        "App/V.swift": """
        import LocalAuthentication
        import UIKit
        final class Screen: UIViewController {
          func go() {
            LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open") { ok, _ in
              self.label.text = "open" // expect: biometric.reply-off-main
            }
          }
          func next() {
            LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open") { ok, _ in
              if ok { self.performSegue(withIdentifier: "notes", sender: nil) } // expect: biometric.reply-off-main
            }
          }
        }
        """,
        "App/M.swift": """
        import LocalAuthentication
        import SwiftUI
        final class Model: ObservableObject {
          @Published var unlocked = false
          func go() {
            LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open") { ok, _ in
              self.unlocked = ok // expect: biometric.reply-off-main
            }
          }
        }
        """,
        "App/V.m": """
        - (void)unlock {
          [context evaluatePolicy:LAPolicyDeviceOwnerAuthentication localizedReason:@"Open" reply:^(BOOL ok, NSError *error) {
            self.lockView.hidden = ok; // expect: biometric.reply-off-main
          }];
        }
        """,
      ])
  }

  @Test("changes on the main actor, and what is no view, are silent")
  func on() throws {
    try expectMarkedFindings(
      ReplyOffMainRule(),
      [
        "App/V.swift": """
        import LocalAuthentication
        import UIKit
        final class Screen: UIViewController {
          var count = 0
          func go() {
            LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open") { ok, _ in
              DispatchQueue.main.async { self.label.text = "open" }
              Task { @MainActor in self.dismiss(animated: true) }
              self.count += 1
              completion(ok)
            }
          }
          func later() async throws {
            let ok = try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open")
            label.text = ok ? "open" : "shut"
          }
        }
        """,
        "App/V.m": """
        - (void)unlock {
          [context evaluatePolicy:LAPolicyDeviceOwnerAuthentication localizedReason:@"Open" reply:^(BOOL ok, NSError *error) {
            dispatch_async(dispatch_get_main_queue(), ^{ self.lockView.hidden = ok; });
          }];
        }
        """,
      ])
  }
}
