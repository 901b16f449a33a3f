import Foundation
import Glibc
import Synchronization
import Testing
import ThumbturnAuthentication
import ThumbturnCrypto

@testable import ThumbturnDevice

/// An answer that can be compared.
enum Outcome: Equatable {
  case secret(String)
  case fallback, cancelled, stopped, timedOut
  case failed(AuthenticationFailure.Reason)

  init(_ answer: PromptAnswer) {
    switch answer {
    case .secret(let secret):
      self = .secret(secret.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) })
    case .fallback: self = .fallback
    case .cancelled: self = .cancelled
    case .stopped: self = .stopped
    case .timedOut: self = .timedOut
    case .failed(let reason): self = .failed(reason)
    }
  }
}

/// A prompt that is being shown by another thread.
final class Asked: Sendable {
  private let answer = Mutex<(Outcome, Duration)?>(nil)
  let stop: StopSignal

  init(_ prompter: SystemPrompter, _ prompt: Prompt, at place: PromptPlace, limit: Duration = .seconds(20)) throws {
    stop = try #require(StopSignal())
    let stop = stop
    let isStarted = system_startThread { [self] in
      let clock = ContinuousClock()
      let start = clock.now
      let outcome = Outcome(prompter.ask(prompt, at: place, limit: limit, stop: stop))
      answer.withLock { $0 = (outcome, clock.now - start) }
    }
    try #require(isStarted)
  }

  /// The answer; nil when there is none within 30 seconds.
  func outcome() -> Outcome? { wait()?.0 }

  /// The answer and how long it took.
  func wait() -> (Outcome, Duration)? {
    for _ in 0..<6_000 {
      if let answer = answer.withLock({ $0 }) { return answer }
      usleep(5_000)
    }
    return nil
  }
}

extension Prompt {
  static func sample(_ kind: Kind, reason: String = "open the notes") -> Prompt {
    Prompt(kind, program: "/usr/bin/notes", process: 4_711, reason: reason)
  }
}

extension PromptPlace {
  /// A display alone.
  static var onDisplay: PromptPlace {
    var place = PromptPlace()
    place.display = ":99"
    return place
  }

  static func terminal(_ path: String) -> PromptPlace {
    var place = PromptPlace()
    place.terminal = path
    place.terminalType = "xterm"
    place.charactersLocale = "C.UTF-8"
    return place
  }
}

/// Asks and waits.
func ask(
  _ prompter: SystemPrompter, _ prompt: Prompt, at place: PromptPlace = .onDisplay, limit: Duration = .seconds(20)
) throws -> Outcome {
  let stop = try #require(StopSignal())
  return Outcome(prompter.ask(prompt, at: place, limit: limit, stop: stop))
}
