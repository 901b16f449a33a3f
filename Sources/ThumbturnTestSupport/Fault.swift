internal import Synchronization
public import ThumbturnKeychain

/// What goes wrong when a planned call comes.
public enum Fault: Hashable, Sendable {
  /// The call fails with this code; nothing is changed.
  case failure(KeychainError.Code)
  /// The screen lock changes just before the call.
  case lock(MemoryBackend.LockState)
  /// A finger is added or removed just before the call.
  case enrolmentChange
  /// The passcode is removed just before the call.
  case passcodeRemoval
  /// The person changes their mind just before the call.
  case answer(MemoryBackend.Answer)
}

/// Calls of a kind.
public enum CallKind: Hashable, Sendable {
  case add, find, update, delete
  /// Adds, updates and deletes.
  case write
  /// All four.
  case any

  func includes(_ call: CallKind) -> Bool {
    switch self {
    case .any: true
    case .write: call != .find
    default: self == call
    }
  }
}

extension MemoryBackend {
  /// Plans a fault, which comes once.
  ///
  /// ```swift
  /// keychain.plan(.failure(.diskFull), at: .write, number: 3)  // the third write from now on fails
  /// keychain.plan(.lock(.locked))                              // the next call finds the keychain locked
  /// ```
  ///
  /// - Parameters:
  ///   - fault: What is to happen.
  ///   - kind: Which calls count.
  ///   - number: At which of them, counted from 1 and from now; calls that fail count too.
  public func plan(_ fault: Fault, at kind: CallKind = .any, number: Int = 1) {
    precondition(number >= 1, "calls are counted from 1")
    state.withLock { $0.plans.append(.init(fault: fault, kind: kind, remaining: number)) }
  }
}

extension MemoryState {
  /// A fault that has not come yet.
  struct Plan {
    let fault: Fault
    let kind: CallKind
    var remaining: Int
  }

  /// Counts a call, and lets happen what was planned for it.
  mutating func begin(_ call: CallKind) throws(KeychainError) {
    for index in plans.indices where plans[index].kind.includes(call) { plans[index].remaining -= 1 }
    let due = plans.filter { $0.remaining == 0 }
    plans.removeAll { $0.remaining == 0 }
    var failure: KeychainError.Code?
    for plan in due {
      switch plan.fault {
      case .failure(let code): failure = failure ?? code
      case .lock(let lockState): self.lockState = lockState
      case .enrolmentChange: changeEnrolment()
      case .passcodeRemoval: setPasscode(false)
      case .answer(let answer): self.answer = answer
      }
    }
    if let failure { throw KeychainError(failure) }
  }
}
