package import ThumbturnAuthentication

/// Where no reader can be had.
package struct NoSensor: FingerSensor {
  private let reason: AuthenticationFailure.Reason

  /// One that is unavailable because of this.
  package init(_ reason: AuthenticationFailure.Reason = .noService) { self.reason = reason }

  package var isSimulated: Bool { false }
  package func state() -> SensorState { .unavailable(reason) }
  package func verify(limit: Duration, stop: StopSignal, onEvent: (FingerEvent) -> FingerStep) -> FingerEnd {
    .failed(AuthenticationFailure(.biometryNotAvailable, reason))
  }
}

/// Where nothing shows prompts.
package struct NoPrompter: Prompter {
  package init() {}

  package func obstacle(at place: PromptPlace) -> AuthenticationFailure.Reason? {
    place.isNowhere ? .noPlace : .noPrompter
  }
  package func ask(_ prompt: Prompt, at place: PromptPlace, limit: Duration, stop: StopSignal) -> PromptAnswer {
    .failed(.noPrompter)
  }
}
