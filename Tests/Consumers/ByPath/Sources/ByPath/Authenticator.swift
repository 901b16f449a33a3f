import Foundation
import LocalAuthentication

/// As in a tutorial: it asks for a finger, or says why not.
final class Authenticator {
  private(set) var message = ""

  func kind() -> String {
    let context = LAContext()
    context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)
    switch context.biometryType {
    case .touchID: return "Touch ID"
    case .faceID: return "Face ID"
    case .opticID: return "Optic ID"
    case .none: return "none"
    @unknown default: return "unknown"
    }
  }

  func authenticate(completion: @escaping (Bool) -> Void) {
    let context = LAContext()
    var error: NSError?
    guard context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error) else {
      message = error?.localizedDescription ?? ""
      completion(false)
      return
    }
    context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "Log in") { success, error in
      switch error {
      case LAError.userCancel?: print("cancelled")
      default: break
      }
      completion(success)
    }
  }
}

/// No agent runs here: the program must be told so at once.
func checkAuthenticator() -> Bool {
  let authenticator = Authenticator()
  var result: Bool?
  authenticator.authenticate { result = $0 }
  return result == false && !authenticator.message.isEmpty && authenticator.kind() == "none"
    && LocalAuthentication.LAErrorDomain == LAError.errorDomain && errSecSuccess == 0
}
