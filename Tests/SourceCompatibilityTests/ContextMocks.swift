import Foundation
import LocalAuthentication

/// What apps' tests put in place of a context.
class MockContext: LAContext {
  var canEvaluate = true
  var canEvaluateError: NSError?
  var succeeds = true
  var evaluateError: Error?
  var type = LABiometryType.faceID
  private(set) var evaluations = 0

  override var biometryType: LABiometryType { return type }

  override func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
    error?.pointee = canEvaluateError
    return canEvaluate
  }

  override func evaluatePolicy(_ policy: LAPolicy, localizedReason: String, reply: @escaping (Bool, Error?) -> Void) {
    evaluations += 1
    reply(succeeds, evaluateError)
  }
}

final class SpyContext: LAContext {
  private(set) var invalidations = 0
  override func invalidate() {
    invalidations += 1
    super.invalidate()
  }
}

protocol AuthenticationContexting {
  var biometryType: LABiometryType { get }
  var localizedFallbackTitle: String? { get set }
  func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool
  func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool
}

extension LAContext: AuthenticationContexting {}

struct ContextStub: AuthenticationContexting {
  var biometryType = LABiometryType.touchID
  var localizedFallbackTitle: String?
  var result: Result<Bool, Error> = .success(true)
  func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool { return true }
  func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool { return try result.get() }
}

struct LoginService {
  var context: AuthenticationContexting

  func login() async -> String {
    guard context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil) else { return "unavailable" }
    do {
      return try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Log in") ? "in" : "out"
    } catch LAError.userCancel {
      return "cancelled"
    } catch {
      return error.localizedDescription
    }
  }
}
