// What goes wrong with a passcode before it is tried.
extension CommandFailure {
  private static let otherWay = "give the passcode with --fd N, as in: --fd 3 3<file"

  static var passcodeNeeded: Self {
    Self(.personNeeded, "a passcode is needed, and nobody can be asked; nothing was changed", hint: otherWay)
  }
  static var passcodesDiffer: Self {
    Self(
      .personNeeded, "the new passcode was not typed the same way twice, nothing was changed",
      hint: "try again; or \(otherWay)")
  }
  static var emptyPasscode: Self {
    Self(.usage, "no passcode was given, nothing was changed", hint: "a passcode has 1 to 1024 bytes")
  }
  static var passcodeTooLong: Self {
    Self(.refused, "the passcode is too long, nothing was changed", hint: "a passcode has 1 to 1024 bytes")
  }
  static var noPasscodeInput: Self {
    Self(
      .failed, "no passcode came for too long, nothing was changed",
      hint: "end the line where the passcode comes from")
  }
  static var unsafeCredential: Self {
    Self(
      .refused, "the credential thumbturn.passcode is open to other users, or not a file of this user or root",
      hint: "let systemd make it: LoadCredential= or LoadCredentialEncrypted=")
  }

  /// A failure of the prompt, in the words of a passcode.
  var ofPasscode: Self {
    switch self {
    case .cancelled: Self(exitCode, "the prompt was cancelled, nothing was changed")
    case .promptTimeOver: Self(exitCode, "nobody answered the prompt, nothing was changed", hint: Self.otherWay)
    case .emptyPrompt: .emptyPasscode
    case .promptTooLong: .passcodeTooLong
    case .controlCharacter:
      Self(
        exitCode, "a control character was typed, nothing was changed", hint: "a passcode with one comes through --fd")
    default:
      exitCode == .personNeeded
        ? Self(exitCode, "the passcode cannot be asked for here, nothing was changed", hint: Self.otherWay) : self
    }
  }
}
