public import ThumbturnCrypto

/// Whatever shows prompts to a person.
///
/// Calls wait on the thread that makes them and end in bounded time. From any thread; prompts at several places may be open
/// at once.
public protocol Prompter: Sendable {
  /// Why no prompt could be shown there; nil when one could. Shows nothing.
  func obstacle(at place: PromptPlace) -> AuthenticationFailure.Reason?

  /// Shows a prompt until it is answered: one answer, whatever the program that shows it does.
  ///
  /// - Parameters:
  ///   - limit: The longest that it takes, from now.
  ///   - stop: Takes the prompt away when it is set.
  func ask(_ prompt: Prompt, at place: PromptPlace, limit: Duration, stop: StopSignal) -> PromptAnswer
}

/// How a prompt ended.
public enum PromptAnswer: Sendable {
  /// What was typed: UTF-8, at most 1,024 bytes, may be empty.
  case secret(SharedSecret)
  /// The button for another way than the finger.
  case fallback
  /// The person cancelled, or closed the prompt.
  case cancelled
  /// The stop signal.
  case stopped
  /// Nobody answered within the limit.
  case timedOut
  /// It could not be shown, or its program failed.
  case failed(AuthenticationFailure.Reason)
}
