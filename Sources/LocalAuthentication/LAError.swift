// swift-format-ignore-file: AlwaysUseLowerCamelCase
public import CLocalAuthentication
public import Foundation

/// The domain of the errors of this module, as on Apple's systems.
public let LAErrorDomain = "com.apple.LocalAuthentication"

/// Why an evaluation failed, or cannot succeed.
///
/// Every usual way to look at one works: `catch LAError.userCancel`, `error as? LAError`, also of an `NSError`, and
/// `(error as NSError).code`. `localizedDescription` says what happened and what to do about it; it holds nothing of the
/// user's and may be shown as it is.
public struct LAError: _BridgedStoredNSError, Sendable {
  /// Apple's name of the codes.
  public typealias Code = LAErrorCode

  /// The error as an object.
  public let _nsError: NSError

  /// An error of the domain `LAErrorDomain`, as it is.
  public init(_nsError error: NSError) { _nsError = error }

  /// An error with the texts of its code, as tests make them.
  ///
  /// - Parameter userInfo: What else it holds; it stands over the texts.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    self.init(
      _nsError: NSError(
        domain: LAErrorDomain, code: code.rawValue, userInfo: Self.texts(of: code).merging(userInfo) { $1 }))
  }

  /// ``LAErrorDomain``.
  public static var errorDomain: String { LAErrorDomain }
  /// ``LAErrorDomain``.
  public static var _nsErrorDomain: String { LAErrorDomain }
}

extension LAErrorCode: @retroactive _ErrorCodeProtocol {
  /// The error that has such codes.
  public typealias _ErrorType = LAError
}

// So that an NSError of this domain is one in every cast, as on Apple's systems.
extension LAError: _ObjectiveCBridgeable {
  /// The object.
  public func _bridgeToObjectiveC() -> NSError { _nsError }

  /// Makes one of an object of whatever domain.
  public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout LAError?) {
    result = LAError(_nsError: source)
  }

  /// Makes one of an object of this domain, and of no other.
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout LAError?) -> Bool {
    guard source.domain == LAErrorDomain else { return false }
    result = LAError(_nsError: source)
    return true
  }

  /// Makes one of an object of whatever domain.
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> LAError {
    LAError(_nsError: source ?? NSError(domain: LAErrorDomain, code: 0))
  }
}
