import LocalAuthentication

/// No agent runs here: the program must be told so at once.
func authenticationError() async -> LAError.Code? {
  do {
    _ = try await LAContext().evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "Log in")
    return nil
  } catch {
    return (error as? LAError)?.code
  }
}
