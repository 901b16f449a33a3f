internal import Dispatch
internal import Synchronization
internal import ThumbturnAuthentication

/// The reply of one evaluation: once, on the context's queue, whoever comes first.
final class Delivery: Sendable {
  typealias Reply = @Sendable (Bool, (any Error)?) -> Void
  private let reply: Mutex<Reply?>
  private let queue: DispatchQueue

  init(_ reply: @escaping Reply, on queue: DispatchQueue) {
    self.reply = Mutex(reply)
    self.queue = queue
  }

  /// Replies, unless somebody did before.
  ///
  /// - Parameter afterSuccess: What is done on the queue before a program hears of a success.
  func finish(
    _ result: Result<Set<Factor>, AuthenticationFailure>,
    afterSuccess: @escaping @Sendable (Set<Factor>) -> Void = { _ in }
  ) {
    let taken = reply.withLock { reply in
      let taken = reply
      reply = nil
      return taken
    }
    guard let taken else { return }
    queue.async {
      switch result {
      case .success(let shown):
        afterSuccess(shown)
        taken(true, nil)
      case .failure(let failure): taken(false, LAError(failure))
      }
    }
  }
}
