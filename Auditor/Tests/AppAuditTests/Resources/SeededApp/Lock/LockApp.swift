// swift-format-ignore-file
import LocalAuthentication
import Security

struct Lock {
  func open() async throws -> Bool {
    let context = LAContext()
// wrong: biometric.no-enrolment-check
// right
    guard context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil) else { return false }
// end
// wrong: biometric.no-fallback
    let isKnown = try await context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "Open the lock")
// right
    let isKnown = try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open the lock")
// end
// wrong: biometric.bool-gate
    return isKnown
// right
    guard isKnown else { return false }
    let query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecUseAuthenticationContext: context]
    return SecItemCopyMatching(query as CFDictionary, nil) == errSecSuccess
// end
  }
}
