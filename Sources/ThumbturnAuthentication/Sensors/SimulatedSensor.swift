internal import Glibc
#if !SANITIZE_THREAD
  internal import Synchronization
#endif
package import ThumbturnCrypto

/// What a person does at a simulated reader, said beforehand: as in Apple's simulator.
public enum SimulatedEvent: UInt8, CaseIterable, Hashable, Sendable {
  /// A finger is enrolled. After ``none`` it is another set of fingers.
  case enrolled = 1
  /// No finger is enrolled any more.
  case none = 2
  /// Every finger that is asked for from now on is the right one.
  case match = 3
  /// Every finger is a wrong one.
  case noMatch = 4
  /// Every prompt is cancelled.
  case cancel = 5
  /// As after five wrong fingers.
  case lockout = 6
}

/// A reader without hardware, for a vault that was made for it. Nothing is enrolled at first, and nobody shows a finger until
/// an event says so.
public final class SimulatedSensor: FingerSensor {
  private struct State {
    /// Random, so that another set of fingers is another one; nil while nothing is enrolled.
    var generation: [UInt8]?
    var answer: SimulatedEvent?
  }

  private let state_ = Mutex(State())
  /// How often it is looked whether an event came.
  private static let pauseMilliseconds: Int32 = 20

  /// A reader on which nothing is enrolled.
  public init() {}

  /// A simulated one.
  public var isSimulated: Bool { true }

  /// Does what an event says; it also holds for a verification that runs. ``SimulatedEvent/lockout`` is the agent's to do.
  ///
  /// - Throws: ``CryptoError/Code/randomUnavailable``.
  package func simulate(_ event: SimulatedEvent) throws(CryptoError) {
    var generation = [UInt8](repeating: 0, count: 16)
    var bytes = generation.mutableSpan
    try randomBytes(into: &bytes)
    let fresh = generation
    state_.withLock { state in
      switch event {
      case .enrolled: if state.generation == nil { state.generation = fresh }
      case .none: state.generation = nil
      case .match, .noMatch, .cancel: state.answer = event
      case .lockout: break
      }
    }
  }

  /// As ``FingerSensor/state()``.
  public func state() -> SensorState {
    guard let generation = state_.withLock({ $0.generation }) else { return .notEnrolled }
    return .ready(Enrolment(device: "simulated", fingers: ["right-index-finger"], generation: generation))
  }

  /// As ``FingerSensor/verify(limit:stop:onEvent:)``.
  public func verify(limit: Duration, stop: StopSignal, onEvent: (FingerEvent) -> FingerStep) -> FingerEnd {
    let end = ContinuousClock.now + limit
    while true {
      let now = state_.withLock { $0 }
      guard now.generation != nil else {
        return .failed(AuthenticationFailure(.biometryNotEnrolled, .nothingSimulated))
      }
      switch now.answer {
      case .cancel: return .cancelled
      case .match: if onEvent(.matched) == .stop { return .enough }
      case .noMatch: if onEvent(.notMatched) == .stop { return .enough }
      default: break
      }
      if waitsInVain(stop) { return .stopped }
      if ContinuousClock.now >= end { return .timedOut }
    }
  }

  private func waitsInVain(_ stop: StopSignal) -> Bool {
    var entry = pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&entry, 1, Self.pauseMilliseconds) > 0
  }
}
