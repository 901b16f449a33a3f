internal import CLocalAuthentication
internal import Foundation
internal import ThumbturnAuthentication

extension LAError {
  /// The error for a failure, with what happened and what to do about it.
  init(_ failure: AuthenticationFailure) {
    self.init(
      _nsError: NSError(
        domain: LAErrorDomain, code: Code(failure.code).rawValue, userInfo: Self.texts(of: failure)))
  }

  /// The texts of a code without a reason.
  static func texts(of code: Code) -> [String: Any] {
    AuthenticationFailure.Code.allCases.first { Code($0) == code }.map { texts(of: AuthenticationFailure($0)) } ?? [:]
  }

  private static func texts(of failure: AuthenticationFailure) -> [String: Any] {
    var texts: [String: Any] = [
      NSLocalizedDescriptionKey: failure.text, NSLocalizedFailureReasonErrorKey: failure.message,
    ]
    texts[NSLocalizedRecoverySuggestionErrorKey] = failure.remedy
    return texts
  }
}

extension LAErrorCode {
  /// Apple's number: one row for each code (SECACCESS.md §4).
  init(_ code: AuthenticationFailure.Code) {
    self =
      switch code {
      case .authenticationFailed: .authenticationFailed
      case .userCancel: .userCancel
      case .userFallback: .userFallback
      case .systemCancel: .systemCancel
      case .passcodeNotSet: .passcodeNotSet
      case .biometryNotAvailable: .biometryNotAvailable
      case .biometryNotEnrolled: .biometryNotEnrolled
      case .biometryLockout: .biometryLockout
      case .appCancel: .appCancel
      case .invalidContext: .invalidContext
      case .companionNotAvailable: .companionNotAvailable
      case .biometryDisconnected: .biometryDisconnected
      case .notInteractive: .notInteractive
      }
  }
}
