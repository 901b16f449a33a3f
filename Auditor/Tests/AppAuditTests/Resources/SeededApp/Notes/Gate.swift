// swift-format-ignore-file
import LocalAuthentication
import SwiftUI

final class Gate: ObservableObject {
  @Published var unlocked = false
// wrong: biometric.context-reused
  private let context = LAContext()
// right
  private var context: LAContext { LAContext() }
// end

  func open() {
    let fresh = LAContext()
    guard fresh.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil) else {
// wrong: biometric.fails-open
      unlocked = true
// right
      unlocked = false
// end
      return
    }
    fresh.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open your notes") { success, _ in
// wrong: biometric.reply-off-main
      self.unlocked = success
// right
      DispatchQueue.main.async { self.unlocked = success }
// end
    }
  }

  func again() async throws -> Bool {
    try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open your notes again")
  }

  func export() async throws -> Bool {
// wrong: biometric.reason
    try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "")
// right
    try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Export your notes")
// end
  }
}
