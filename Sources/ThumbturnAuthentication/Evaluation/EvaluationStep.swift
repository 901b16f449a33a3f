/// What whoever runs an evaluation has to do next.
public enum EvaluationStep: Hashable, Sendable {
  /// Let a finger be shown; while one is asked for already, change what the prompt says.
  case askFinger(hasFallback: Bool, problem: EvaluationProblem?)
  /// Ask for the passcode.
  case askPasscode(problem: EvaluationProblem?)
  /// Ask for the program's password.
  case askApplicationPassword
  /// It succeeded with these.
  case succeeded(Set<Factor>)
  /// It ended.
  case failed(AuthenticationFailure)
}

/// What was wrong with what the person did last.
public enum EvaluationProblem: Hashable, Sendable {
  case fingerNotRecognised
  case fingerNotSeen(FingerRetry)
  case readerFailed
  case passcodeWrong
  /// Fingers are not looked at any more, the passcode is.
  case tooManyFingers

  /// What a prompt says.
  public var text: String {
    switch self {
    case .fingerNotRecognised: "Not recognised. Try again."
    case .fingerNotSeen(.again): "Not seen. Try again."
    case .fingerNotSeen(.tooShort): "Too short. Try again."
    case .fingerNotSeen(.notCentred): "Put the finger in the middle of the reader."
    case .fingerNotSeen(.removeFirst): "Take the finger away, and try again."
    case .readerFailed: "The fingerprint reader failed."
    case .passcodeWrong: "Wrong passcode. Try again."
    case .tooManyFingers: "Too many fingers were not recognised."
    }
  }
}

/// What came of asking for a finger.
public enum FingerOutcome: Hashable, Sendable {
  case matched
  /// So many wrong ones were counted by now, this one included.
  case notMatched(failures: Int)
  case retry(FingerRetry)
  /// The person wants another way.
  case fallback
  case cancelled
  case timedOut
  /// The reader, the count or the prompt failed.
  case failed(AuthenticationFailure)
}

/// What came of asking for a passcode or a password.
public enum SecretOutcome: Hashable, Sendable {
  case right
  case wrong
  /// The vault looks at no passcode now.
  case refused(secondsToWait: Int)
  case cancelled
  case timedOut
  case failed(AuthenticationFailure)
}
