import Foundation
import Synchronization
import ThumbturnAuthentication
import ThumbturnCommand

/// Readers that are none.
final class FakeReaders: FingerReaders {
  struct State {
    var look: FingerLook
    var delaySeconds = 0.0
    /// What happens while a finger is enrolled, and how that ends; nil waits for the stop signal.
    var steps: [EnrolmentStep] = []
    var end: EnrolmentEnd? = .enrolled
    var deletionFailure: AuthenticationFailure?
    var calls: [String] = []
  }
  let state: Synchronization.Mutex<State>

  init(_ look: FingerLook) { state = Synchronization.Mutex(State(look: look)) }

  /// One reader with these fingers.
  convenience init(fingers: [String]?) {
    self.init(FingerLook(readers: [FingerReader(name: "Reader One", stageCount: 3, fingers: fingers)]))
  }

  func look() -> FingerLook {
    let (look, delay) = state.withLock { ($0.look, $0.delaySeconds) }
    if delay > 0 { Thread.sleep(forTimeInterval: delay) }
    return look
  }

  func enrol(
    _ finger: FingerName, limit: Duration, stop: StopSignal, onStep: (EnrolmentStep) -> Void
  ) -> EnrolmentEnd {
    let (steps, end) = state.withLock { state in
      state.calls.append("enrol \(finger.rawValue)")
      return (state.steps, state.end)
    }
    for step in steps { onStep(step) }
    if let end { return end }
    for _ in 0..<2_000 where !stop.isSet { Thread.sleep(forTimeInterval: 0.005) }
    return stop.isSet ? .stopped : .timedOut
  }

  func delete(_ finger: FingerName?, stop: StopSignal) throws(AuthenticationFailure) {
    let failure = state.withLock { state in
      state.calls.append("delete \(finger?.rawValue ?? "all")")
      return state.deletionFailure
    }
    if let failure { throw failure }
  }

  var calls: [String] { state.withLock { $0.calls } }
}
