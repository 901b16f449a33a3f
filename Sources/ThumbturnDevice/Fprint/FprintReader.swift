public import ThumbturnAuthentication

/// A reader that fprintd knows.
public struct FprintReader: Hashable, Sendable {
  /// Its object on the bus, until it is plugged out: then it has another number.
  let path: String
  /// What it calls itself: its model.
  public let name: String
  /// How often a finger is shown to enrol it; not 0.
  public let stageCount: Int
  /// Whether a finger is swiped over it, not pressed on it.
  public let isSwiped: Bool
}

/// What happened while a finger is enrolled.
public enum EnrolmentStep: Hashable, Sendable {
  /// It was seen `done` times of `total`; never more than `total`.
  case seen(done: Int, total: Int)
  /// It has to be shown once more.
  case retry(FingerRetry)
}

/// How an enrolment ended.
public enum EnrolmentEnd: Hashable, Sendable {
  /// The finger is enrolled.
  case enrolled
  /// Nothing was enrolled: the finger is already, under another name. Some readers do not notice.
  case alreadyEnrolled
  /// Nothing was enrolled: the reader has no room for more.
  case readerFull
  /// Nothing was enrolled: the stop signal.
  case stopped
  /// Nothing was enrolled within the limit.
  case timedOut
}
