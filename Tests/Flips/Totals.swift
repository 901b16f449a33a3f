import Foundation
import Synchronization

/// The figures of a run, from all its lanes.
final class Totals: Sendable {
  private struct State {
    var caseCount = 0
    var refusedCount = 0
    var missingCount = 0
    var unseenCount = 0
    var salvageCount = 0
    var listed = 0
    var salvaged = 0
    var longest: Double = 0
    var flaw: Flaw?
  }
  private let state = Mutex(State())
  /// A case that takes longer hangs.
  private static let secondsMax = 30.0

  var flaw: Flaw? { state.withLock { $0.flaw } }

  /// Runs one case; false when the run is to end.
  func take(_ body: () throws -> Verdict) -> Bool {
    let began = Date()
    do {
      let verdict = try body()
      let seconds = Date().timeIntervalSince(began)
      return state.withLock { state in
        state.caseCount += 1
        state.longest = max(state.longest, seconds)
        if seconds > Self.secondsMax { state.flaw = state.flaw ?? Flaw(description: "a case took \(seconds) s") }
        if verdict.isRefused { state.refusedCount += 1 } else if verdict.isMissing { state.missingCount += 1 }
        if verdict.isClean, !verdict.isMissing { state.unseenCount += 1 }
        if let count = verdict.salvagedCount {
          state.salvageCount += 1
          state.listed += verdict.listedCount
          state.salvaged += count
        }
        return state.flaw == nil
      }
    } catch {
      state.withLock { state in state.flaw = state.flaw ?? error as? Flaw ?? Flaw(description: "\(error)") }
      return false
    }
  }

  func print(_ name: String) throws {
    let now = state.withLock { $0 }
    if let flaw = now.flaw { throw flaw }
    Swift.print(
      "\(name): \(now.caseCount) cases, 0 wrong plaintexts, 0 silent losses; \(now.refusedCount) refused, "
        + "\(now.missingCount) with items missing and told, \(now.unseenCount) without effect; "
        + "\(now.salvageCount) salvages brought back \(now.salvaged) items where find gave \(now.listed); "
        + "longest case \(Int(now.longest * 1_000)) ms")
  }
}
