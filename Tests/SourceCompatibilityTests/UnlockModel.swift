import Foundation
import LocalAuthentication

/// The shape of most tutorials: a context of the function's own, that nobody keeps while the prompt is open.
class UnlockModel {
  var isUnlocked = false
  var message = ""
  var showsPasswordField = false
  var onChange: (() -> Void)?

  func authenticate() {
    let context = LAContext()
    var error: NSError?

    if context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error) {
      let reason = "We need to unlock your data."
      context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: reason) {
        success, authenticationError in
        DispatchQueue.main.async {
          if success {
            self.isUnlocked = true
          } else {
            self.message = authenticationError?.localizedDescription ?? "Failed"
          }
          self.onChange?()
        }
      }
    } else {
      // No biometrics: a field for the password.
      showsPasswordField = true
      message = error?.localizedDescription ?? ""
      onChange?()
    }
  }

  func authenticateWithPasscode() async {
    let context = LAContext()
    context.localizedCancelTitle = "Enter Username/Password"
    do {
      isUnlocked = try await context.evaluatePolicy(
        .deviceOwnerAuthentication, localizedReason: "Log in to your account")
    } catch let error {
      message = error.localizedDescription
    }
  }
}

/// Whether the enrolled set changed since it was last looked at.
struct EnrolmentWatch {
  static var saved: Data?

  static func hasChanged() -> Bool {
    let context = LAContext()
    var error: NSError?
    context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error)
    let state = context.domainState.biometry.stateHash
    defer { saved = state }
    guard error == nil, let saved = saved else { return false }
    return saved != state
  }
}
