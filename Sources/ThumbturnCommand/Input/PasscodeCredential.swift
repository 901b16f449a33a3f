internal import ThumbturnVault

extension CommandContext {
  /// The passcode that systemd gives to a service; nil when it gives none.
  func credential() throws(CommandFailure) -> Passcode? {
    do throws(ServiceCredential.Failure) {
      return try ServiceCredential.passcode(in: findCredentialFolder())
    } catch {
      switch error {
      case .unsafe: throw .unsafeCredential
      case .cannotBeRead(let error):
        throw CommandFailure(.failed, "the credential \(ServiceCredential.name) cannot be read (\(error.text))")
      case .empty: throw .emptyPasscode
      case .tooLong: throw .passcodeTooLong
      case .outOfMemory: throw .outOfSecretMemory
      }
    }
  }
}
