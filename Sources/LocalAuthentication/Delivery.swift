internal import Dispatch
internal import Synchronization
internal import ThumbturnAuthentication

/// The reply of one evaluation: once, on the context's queue, whoever comes first.
///
/// Until then it keeps the context alive. Nearly every program makes one in a function, has it ask, and returns.
final class Delivery: Sendable {
  typealias Reply = @Sendable (Bool, (any Error)?) -> Void

  private struct Pending: Sendable {
    let reply: Reply
    let keeper: Keeper
  }
  /// Holds a context and does nothing else with it, so that it does not matter on which thread.
  private struct Keeper: @unchecked Sendable {
    let context: LAContext
  }

  private let pending: Mutex<Pending?>
  private let queue: DispatchQueue

  init(_ reply: @escaping Reply, of context: LAContext) {
    pending = Mutex(Pending(reply: reply, keeper: Keeper(context: context)))
    queue = context.memory.queue
  }

  /// Replies, unless somebody did before.
  ///
  /// - Parameter afterSuccess: What is done on the queue before a program hears of a success.
  func finish(
    _ result: Result<Set<Factor>, AuthenticationFailure>,
    afterSuccess: @escaping @Sendable (Set<Factor>) -> Void = { _ in }
  ) {
    let taken = pending.withLock { pending in
      let taken = pending
      pending = nil
      return taken
    }
    guard let taken else { return }
    queue.async {
      switch result {
      case .success(let shown):
        afterSuccess(shown)
        taken.reply(true, nil)
      case .failure(let failure): taken.reply(false, LAError(failure))
      }
    }
  }
}
