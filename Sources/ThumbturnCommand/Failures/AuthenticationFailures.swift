internal import ThumbturnAuthentication

extension CommandFailure {
  /// What is printed for a person who could not be asked, or did not show what was asked for.
  init(_ failure: AuthenticationFailure) {
    self.init(ExitCode(failure), Self.plain(failure.message), hint: failure.remedy.map(Self.plain))
  }

  /// A sentence of a dialog as our messages are: lower case, without a full stop.
  static func plain(_ sentence: String) -> String {
    let text = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

extension ExitCode {
  /// Refused is what another try in the same way does not change; a person is needed where one has to come, or to do
  /// something else first.
  init(_ failure: AuthenticationFailure) {
    switch failure.code {
    case .userCancel, .userFallback, .systemCancel, .appCancel, .invalidContext, .notInteractive, .passcodeNotSet:
      self = failure.reason == .agentFailed ? .failed : .personNeeded
    case .authenticationFailed, .biometryNotEnrolled, .companionNotAvailable: self = .refused
    case .biometryLockout: self = failure.reason == .vaultLocked ? .personNeeded : .refused
    case .biometryDisconnected: self = .failed
    case .biometryNotAvailable:
      switch failure.reason {
      case .noAgent, .vaultLocked: self = .personNeeded
      case .readerFailed, .serviceSilent, .agentFailed, .prompterFailed, .countNotWritten: self = .failed
      default: self = .refused
      }
    }
  }
}
