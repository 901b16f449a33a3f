import Dispatch
import Foundation
import Synchronization

/// Work on a thread of its own.
///
/// A task would do, but one that blocks takes a thread of the few that all tests share.
final class Background<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let ended = DispatchSemaphore(value: 0)

  init(_ body: @escaping @Sendable () throws -> Value) {
    Thread.detachNewThread { [self] in
      let found = Result { try body() }
      result.withLock { $0 = found }
      ended.signal()
    }
  }

  /// Waits for its end.
  func value() throws -> Value? {
    ended.wait()
    return try result.withLock { try $0?.get() }
  }
}
