#if !SANITIZE_THREAD
  internal import Synchronization
#endif
internal import ThumbturnCrypto
internal import ThumbturnKeychain

/// What the agent is told, and nobody waits for: an evaluation that nobody wants any more, a session that is over.
///
/// From any thread; never waits. A thread is there only while there is something to say.
final class Errands: Sendable {
  /// How many wait at most; one more is not told. The agent forgets sessions by itself when the process is gone.
  static let countMax = 1_024

  private struct State {
    var waiting: [AgentRequest] = []
    var isRunning = false
  }

  private let state = Mutex(State())

  init() {}

  func tell(_ request: AgentRequest, over link: AgentLink) {
    let mustStart = state.withLock { state -> Bool in
      guard state.waiting.count < Self.countMax else { return false }
      state.waiting.append(request)
      guard !state.isRunning else { return false }
      state.isRunning = true
      return true
    }
    guard mustStart else { return }
    do throws(SystemError) { try system_detachThread { self.run(link) } } catch {
      state.withLock { $0 = State() }
    }
  }

  private func run(_ link: AgentLink) {
    while true {
      let next = state.withLock { state -> AgentRequest? in
        guard !state.waiting.isEmpty else {
          state.isRunning = false
          return nil
        }
        return state.waiting.removeFirst()
      }
      guard let next else { return }
      do throws(AgentFailure) { _ = try link.call(next) } catch {
        // Without an agent there is nothing left to be ended.
        guard error.error.cause?.isNoAgent == true else { continue }
        state.withLock { $0.waiting = [] }
      }
    }
  }
}
