#if !SANITIZE_THREAD
  internal import Synchronization
#endif
public import ThumbturnCrypto

#if SANITIZE_THREAD
  typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif

/// What a program has at hand for calls that may need a person: what was verified already, and how to ask.
///
/// It is what an `LAContext` is made of. From any thread; nothing here waits.
public final class AuthenticationContext: Sendable {
  /// The most sessions of one context; the oldest goes first. A context needs one for each factor, and one more for each
  /// application password.
  public static let sessionsCountMax = 16

  private struct State {
    var texts = AuthenticationTexts()
    var forbidsPrompts = false
    var isInvalidated = false
    var credential: SharedSecret?
    var sessions: [VerifiedSession] = []
    var hooks: [Int: @Sendable () -> Void] = [:]
    var nextHook = 0
  }

  private let state = Mutex(State())

  /// A context in which nothing was verified.
  public init() {}

  deinit { invalidate() }

  /// What prompts say.
  public var texts: AuthenticationTexts {
    get { state.withLock { $0.texts } }
    set { state.withLock { $0.texts = newValue } }
  }

  /// Whether nobody may be asked: what would need it fails.
  public var forbidsPrompts: Bool {
    get { state.withLock { $0.forbidsPrompts } }
    set { state.withLock { $0.forbidsPrompts = newValue } }
  }

  /// The program's password for items that need one.
  public var credential: SharedSecret? {
    get { state.withLock { $0.credential } }
    set {
      // The old one is wiped outside of the lock.
      let old = state.withLock { state in
        let old = state.credential
        state.credential = state.isInvalidated ? nil : newValue
        return old
      }
      _ = old
    }
  }

  /// Whether ``invalidate()`` was called.
  public var isInvalidated: Bool { state.withLock { $0.isInvalidated } }

  /// The agent's names of what was verified, the oldest first.
  public var sessionIDs: [[UInt8]] { state.withLock { $0.sessions.map(\.id) } }

  /// What was shown, as the agent said.
  public var shown: Set<Factor> { state.withLock { $0.sessions.reduce(into: []) { $0.formUnion($1.shown) } } }

  /// Keeps what was verified, unless the context was invalidated.
  package func keep(_ session: VerifiedSession) {
    // One that goes is let go outside of the lock.
    let gone = state.withLock { state -> VerifiedSession? in
      guard !state.isInvalidated else { return nil }
      state.sessions.append(session)
      return state.sessions.count > Self.sessionsCountMax ? state.sessions.removeFirst() : nil
    }
    _ = gone
  }

  /// Forgets what was verified, because the agent does not know it any more.
  package func forgetSessions(_ ids: Set<[UInt8]>) {
    let gone = state.withLock { state -> [VerifiedSession] in
      let gone = state.sessions.filter { ids.contains($0.id) }
      state.sessions.removeAll { ids.contains($0.id) }
      return gone
    }
    _ = gone
  }

  /// Ends what runs, forgets what was verified and the credential. A second call does nothing.
  public func invalidate() {
    let old = state.withLock { state -> State? in
      guard !state.isInvalidated else { return nil }
      let old = state
      state.isInvalidated = true
      state.credential = nil
      state.sessions = []
      state.hooks = [:]
      return old
    }
    for (_, hook) in (old?.hooks ?? [:]).sorted(by: { $0.key < $1.key }) { hook() }
  }

  /// Has `hook` called once when the context is invalidated.
  ///
  /// - Returns: A number for ``removeHook(_:)``; nil when it is invalidated already, and `hook` is not called.
  package func addHook(_ hook: @escaping @Sendable () -> Void) -> Int? {
    state.withLock { state in
      guard !state.isInvalidated else { return nil }
      state.nextHook += 1
      state.hooks[state.nextHook] = hook
      return state.nextHook
    }
  }

  /// Takes a hook back.
  package func removeHook(_ number: Int) { state.withLock { _ = $0.hooks.removeValue(forKey: number) } }
}

/// What carries an ``AuthenticationContext``: the keychain's calls see an `LAContext` through it.
public protocol AuthenticationContextProviding: AnyObject {
  /// The context.
  var authenticationContext: AuthenticationContext { get }
}
