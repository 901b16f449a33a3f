#if !SANITIZE_THREAD
  internal import Synchronization
#endif
internal import ThumbturnAuthentication
internal import ThumbturnCrypto

/// The state of a reader for calls that wait for it one after the other.
///
/// A service that hangs must not make each of them wait anew: what was unavailable, and took long to say so, is taken for
/// unavailable a while longer. What is enrolled is asked for each time. From any thread.
final class SensorView: Sendable {
  /// What counts as long, and how long it holds.
  private static let slowNanoseconds: Int64 = 500_000_000
  private static let keptNanoseconds: Int64 = 5_000_000_000

  let sensor: any FingerSensor
  private let kept = Mutex<(state: SensorState, until: Int64)?>(nil)

  init(_ sensor: any FingerSensor) { self.sensor = sensor }

  /// Whether it can be asked where nothing may wait.
  var isImmediate: Bool { sensor.isSimulated }

  func state() -> SensorState {
    let began = system_bootNanoseconds()
    if let kept = kept.withLock({ $0 }), began < kept.until { return kept.state }
    let state = sensor.state()
    let now = system_bootNanoseconds()
    if case .unavailable = state, now - began > Self.slowNanoseconds {
      kept.withLock { $0 = (state, now + Self.keptNanoseconds) }
    } else {
      kept.withLock { $0 = nil }
    }
    return state
  }
}
