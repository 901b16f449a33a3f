// What a program shows when it shows an error as it is, as the tutorials do: what happened, and what to do about it.
extension AuthenticationFailure {
  /// What happened, one sentence.
  public var message: String {
    switch code {
    case .authenticationFailed:
      switch reason {
      case .passcodesRefused: "Too many wrong passcodes."
      case .notPermitted: AuthenticationFailure.Reason.notPermitted.message
      default: "The finger or passcode was not recognised."
      }
    case .userCancel: "Cancelled."
    case .userFallback: "Another way than the finger was asked for."
    case .systemCancel: reason?.message ?? "The request was ended."
    case .passcodeNotSet: "The vault has no passcode."
    case .biometryNotAvailable: reason?.message ?? "No fingerprint reader can be used."
    case .biometryNotEnrolled: "No finger is enrolled."
    case .biometryLockout:
      reason == .vaultLocked
        ? "The vault is locked, and a finger alone cannot open it." : "Too many fingers were not recognised."
    case .appCancel: "The program ended the request."
    case .invalidContext: "The program asked with a context that it had invalidated."
    case .companionNotAvailable: "There is no companion device on Linux."
    case .biometryDisconnected: "The fingerprint reader was unplugged."
    case .notInteractive: reason?.message ?? "A prompt is needed, and none can be shown."
    }
  }

  /// What to do about it, one sentence; nil when there is nothing to do.
  public var remedy: String? {
    if secondsToWait > 0 { return "Try again in \(secondsToWait) seconds." }
    switch code {
    case .passcodeNotSet: return "Set one: thumbturn passcode set."
    case .biometryNotEnrolled:
      return reason == .nothingSimulated
        ? "Simulate one: thumbturn finger simulate enrolled." : "Enrol one: thumbturn finger enrol."
    case .biometryLockout: return "Give the passcode: thumbturn unlock."
    case .authenticationFailed: return reason == .notPermitted ? nil : "Try again."
    default: return reason?.remedy
    }
  }

  /// ``message`` and ``remedy``.
  public var text: String { remedy.map { "\(message) \($0)" } ?? message }
}

extension AuthenticationFailure.Reason {
  /// What stands in the way, one sentence.
  public var message: String {
    switch self {
    case .noAgent: "The agent, which alone asks for fingers and passcodes, does not run."
    case .noVault: "There is no vault yet."
    case .vaultLocked: "The vault is locked."
    case .passcodesRefused: "Too many wrong passcodes."
    case .noBus: "The system bus cannot be reached."
    case .noService: "The fingerprint service does not run."
    case .noReader: "No fingerprint reader is connected."
    case .permissionDenied: "The fingerprint service refuses this user."
    case .readerBusy: "Another program uses the fingerprint reader."
    case .readerFailed: "The fingerprint reader failed."
    case .readerUnplugged: "The fingerprint reader was unplugged."
    case .serviceSilent: "The fingerprint service does not answer."
    case .noPlace: "There is neither a display nor a terminal for a prompt."
    case .noPrompter: "No program that shows prompts is installed."
    case .prompterFailed: "The program that shows prompts failed."
    case .timedOut: "Nobody answered in time."
    case .tooManyPrompts: "Other prompts are open."
    case .lockedMeanwhile: "The vault was locked meanwhile."
    case .agentFailed: "The agent did not answer."
    case .promptsForbidden: "A prompt is needed, and the program forbids it."
    case .foreignTerminal: "The terminal is another user's."
    case .countNotWritten: "The count of wrong fingers cannot be written."
    case .nothingSimulated: "The simulated fingerprint reader has no finger."
    case .notPermitted: "The access control does not allow it."
    }
  }

  /// What to do about it, one sentence; nil when there is nothing to do.
  public var remedy: String? {
    switch self {
    case .noAgent: "Start it: thumbturn unlock, which needs a passcode (thumbturn passcode set)."
    case .vaultLocked: "Unlock it: thumbturn unlock."
    case .noVault: "Store something first, then: thumbturn passcode set."
    case .noBus: "Start dbus, or use the passcode."
    case .noService: "Install fprintd, or use the passcode."
    case .noReader, .readerUnplugged: "Connect one, or use the passcode."
    case .permissionDenied: "Ask the administrator for the polkit rule net.reactivated.fprint.device.verify."
    case .readerBusy, .readerFailed, .serviceSilent, .timedOut, .agentFailed, .prompterFailed, .passcodesRefused:
      "Try again."
    case .noPlace, .foreignTerminal: "Run it in a terminal, or in a desktop session."
    case .noPrompter: "Install pinentry-gnome3, pinentry-qt or pinentry-curses."
    case .tooManyPrompts: "Answer the open one first."
    case .lockedMeanwhile: "Unlock it: thumbturn unlock."
    case .promptsForbidden, .notPermitted: nil
    case .countNotWritten: "See: thumbturn status."
    case .nothingSimulated: "Simulate one: thumbturn finger simulate enrolled."
    }
  }
}
