package import ThumbturnAuthentication

/// The fingerprint readers of this machine, for `finger` and `doctor`. The program puts the real ones in: nothing here
/// links a bus.
///
/// Calls wait on the thread that makes them, and end in bounded time.
package protocol FingerReaders: Sendable {
  /// What is there, within some 20 seconds at the worst. Nobody is asked for anything, and no reader is claimed.
  func look() -> FingerLook

  /// Enrols a finger of this user on the first reader.
  ///
  /// - Parameters:
  ///   - limit: The longest that it takes, from now.
  ///   - stop: Ends it when it is set; the reader is free when this returns.
  ///   - onStep: Called on this thread for each time that the finger was shown.
  func enrol(
    _ finger: FingerName, limit: Duration, stop: StopSignal, onStep: (EnrolmentStep) -> Void
  ) -> EnrolmentEnd

  /// Deletes a finger of this user from the first reader, or all of them.
  ///
  /// - Parameters:
  ///   - finger: Nil is every one.
  ///   - stop: Ends the wait for a right to do it; ``AuthenticationFailure/Code/appCancel`` then.
  func delete(_ finger: FingerName?, stop: StopSignal) throws(AuthenticationFailure)
}

/// What can be said of the readers.
package struct FingerLook: Hashable, Sendable {
  /// The readers, the one that is used first.
  package var readers: [FingerReader]
  /// Why nothing, or not all, could be found out; nil when everything was.
  package var obstacle: AuthenticationFailure.Reason?

  package init(readers: [FingerReader] = [], obstacle: AuthenticationFailure.Reason? = nil) {
    self.readers = readers
    self.obstacle = obstacle
  }
}

/// A fingerprint reader.
package struct FingerReader: Hashable, Sendable {
  /// What its driver calls it.
  package var name: String
  /// How often a finger is shown to be enrolled; nil when that is not known.
  package var stageCount: Int?
  /// The fingers of this user; nil when they cannot be told.
  package var fingers: [String]?

  package init(name: String, stageCount: Int? = nil, fingers: [String]?) {
    self.name = name
    self.stageCount = stageCount
    self.fingers = fingers
  }
}

/// What happened with a finger that is being enrolled.
package enum EnrolmentStep: Hashable, Sendable {
  /// It was seen `done` times of `total`.
  case seen(done: Int, total: Int)
  /// It has to be shown again.
  case retry(FingerRetry)
}

/// How an enrolment ended.
package enum EnrolmentEnd: Hashable, Sendable {
  case enrolled
  /// The stop signal.
  case stopped
  case timedOut
  /// The reader knows the finger already, under whatever name.
  case alreadyEnrolled
  /// The reader has no room.
  case readerFull
  case failed(AuthenticationFailure)
}
