/// A fingerprint reader, or what stands in for one.
///
/// Every call waits on the thread that makes it, and ends in bounded time. From any thread; one verification at a time.
public protocol FingerSensor: Sendable {
  /// Whether it is a simulated one, so that every prompt says so.
  var isSimulated: Bool { get }

  /// What is there now; it takes at most 3 seconds. Nobody is asked for anything.
  func state() -> SensorState

  /// Lets fingers be shown until `onEvent` has seen enough.
  ///
  /// A finger that is not recognised, or badly placed, does not end it: `onEvent` decides, and the reader looks again.
  ///
  /// - Parameters:
  ///   - limit: The longest that it takes, from now.
  ///   - stop: Ends it when it is set.
  ///   - onEvent: Called on this thread for each finger; what it returns decides whether another one is looked at.
  /// - Returns: Why it ended. Nothing that comes after a stop, or after the end, is told.
  func verify(limit: Duration, stop: StopSignal, onEvent: (FingerEvent) -> FingerStep) -> FingerEnd
}

/// What is known of a reader without a finger on it.
public enum SensorState: Hashable, Sendable {
  /// No finger can be looked at.
  case unavailable(AuthenticationFailure.Reason)
  /// A reader without an enrolled finger.
  case notEnrolled
  /// A reader with these fingers.
  case ready(Enrolment)
}

/// What is enrolled: another set of fingers is another value, as far as the reader lets it be seen.
public struct Enrolment: Hashable, Sendable {
  /// At most that many fingers: a person has ten.
  public static let fingersCountMax = 32

  /// The reader, by whatever names it.
  public let device: String
  /// The fingers, sorted.
  public let fingers: [String]
  /// What else tells one set from another with the same names; empty where nothing does.
  public let generation: [UInt8]

  /// Makes an enrolment.
  public init(device: String, fingers: [String], generation: [UInt8] = []) {
    self.device = device
    self.fingers = fingers.sorted()
    self.generation = generation
  }
}

/// What happened with one finger.
public enum FingerEvent: Hashable, Sendable {
  /// It is enrolled.
  case matched
  /// It is not.
  case notMatched
  /// It was not seen well enough to tell; no failure.
  case retry(FingerRetry)
}

/// Why a finger has to be shown again.
public enum FingerRetry: UInt8, CaseIterable, Hashable, Sendable {
  /// Nothing more is known.
  case again = 1
  /// Swiped too short.
  case tooShort = 2
  /// Not in the middle.
  case notCentred = 3
  /// It has to be taken away first.
  case removeFirst = 4
}

/// Whether another finger is looked at.
public enum FingerStep: Hashable, Sendable {
  case goOn
  case stop
}

/// Why a verification ended.
public enum FingerEnd: Hashable, Sendable {
  /// `onEvent` said so.
  case enough
  /// The stop signal.
  case stopped
  /// Nothing, or not enough, within the limit.
  case timedOut
  /// The person gave up at the reader itself; simulated readers only.
  case cancelled
  /// The reader cannot go on.
  case failed(AuthenticationFailure)
}
