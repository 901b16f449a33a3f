import Foundation
import LocalAuthentication

/// A lock of an app, on the main actor, with a context that it keeps and with fresh ones.
@MainActor
final class AppLock {
  enum State: Equatable { case locked, unlocked, failed(LAError.Code) }

  private let context = LAContext()
  private(set) var state = State.locked
  private var makeContext: () -> LAContext = { LAContext() }

  func unlock() async {
    do {
      state =
        try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Unlock") ? .unlocked : .locked
    } catch let error as LAError {
      state = .failed(error.code)
    } catch {
      state = .locked
    }
  }

  func unlockAfresh() async throws {
    let context = makeContext()
    context.localizedFallbackTitle = ""
    guard try await context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "Unlock") else {
      return
    }
    state = .unlocked
  }

  func unlock(then done: @escaping @MainActor () -> Void) {
    let context = LAContext()
    context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Unlock") { success, _ in
      Task { @MainActor in
        self.state = success ? .unlocked : .locked
        done()
      }
    }
  }

  func lock() {
    context.invalidate()
    state = .locked
  }
}

protocol OwnerChecking: Sendable {
  func check() async throws -> Bool
}

struct OwnerCheck: OwnerChecking {
  func check() async throws -> Bool {
    let context = LAContext()
    var error: NSError?
    guard context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error) else {
      throw error ?? LAError(.biometryNotAvailable) as NSError
    }
    return try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Check")
  }
}

actor TokenGuard {
  private let context = LAContext()
  private(set) var token: String?

  func open() async throws {
    let control = SecAccessControlCreateWithFlags(
      nil, kSecAttrAccessibleWhenUnlocked, [.biometryAny, .or, .devicePasscode], nil)
    guard let control, try await context.evaluateAccessControl(control, operation: .useItem, localizedReason: "Read")
    else { return }
    token = "open"
  }
}

protocol ReplyingContext {
  func evaluatePolicy(
    _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void)
}
extension LAContext: ReplyingContext {}

final class HeldContext: LAContext, @unchecked Sendable {
  private let lock = NSLock()
  private var reply: (@Sendable (Bool, (any Error)?) -> Void)?

  override func evaluatePolicy(
    _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    lock.withLock { self.reply = reply }
  }
  override func invalidate() {
    let reply = lock.withLock {
      defer { self.reply = nil }
      return self.reply
    }
    reply?(false, LAError(.appCancel))
  }
}

class CountingContext: LAContext {
  var evaluations = 0
  override func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
    evaluations += 1
    return true
  }
}

func name(of type: LABiometryType) -> String {
  switch type {
  case .none: "none"
  case .touchID: "Touch ID"
  case .faceID: "Face ID"
  case .opticID: "Optic ID"
  @unknown default: "biometrics"
  }
}
