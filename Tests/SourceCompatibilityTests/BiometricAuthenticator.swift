import Foundation
import LocalAuthentication

enum BiometricKind {
  case none, touchID, faceID, unknown
}

/// A class around one context, with a message for each error.
class BiometricAuthenticator {
  private let context: LAContext
  var reason = "Log in to your account"

  init(context: LAContext = LAContext()) { self.context = context }

  var isAvailable: Bool { context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil) }

  func kind() -> BiometricKind {
    _ = context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)
    switch context.biometryType {
    case .none: return .none
    case .touchID: return .touchID
    case .faceID: return .faceID
    case .opticID: return .unknown
    @unknown default: return .unknown
    }
  }

  func authenticate(completion: @escaping (String?) -> Void) {
    guard isAvailable else {
      completion("Biometrics are not available.")
      return
    }
    context.localizedFallbackTitle = "Use password"
    context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: reason) {
      (success, evaluateError) in
      if success {
        DispatchQueue.main.async { completion(nil) }
        return
      }
      let message: String
      switch evaluateError {
      case LAError.authenticationFailed?: message = "We could not verify that it is you."
      case LAError.userCancel?: message = "You pressed cancel."
      case LAError.userFallback?: message = "You pressed password."
      case LAError.biometryNotAvailable?: message = "There is no reader."
      case LAError.biometryNotEnrolled?: message = "Nothing is set up."
      case LAError.biometryLockout?: message = "Locked."
      default: message = "Biometrics may not be set up."
      }
      completion(message)
    }
  }
}

/// The same with codes.
enum LoginError: LocalizedError {
  case denied, cancelled, wantsPassword, notEnrolled, other(String)

  var errorDescription: String? {
    switch self {
    case .denied: return "Denied"
    case .cancelled: return "Cancelled"
    case .wantsPassword: return "Password"
    case .notEnrolled: return "Enrol a finger"
    case .other(let text): return text
    }
  }

  init(_ error: Error) {
    guard let error = error as? LAError else {
      self = .other(error.localizedDescription)
      return
    }
    switch error.code {
    case .authenticationFailed: self = .denied
    case .userCancel, .appCancel, .systemCancel: self = .cancelled
    case .userFallback: self = .wantsPassword
    case .biometryNotEnrolled: self = .notEnrolled
    case .passcodeNotSet, .biometryNotAvailable, .biometryLockout: self = .other(error.localizedDescription)
    default: self = .other("unknown")
    }
  }
}
