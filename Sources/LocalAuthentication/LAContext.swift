// swift-format-ignore-file: AlwaysUseLowerCamelCase
public import CLocalAuthentication
public import Foundation
internal import Synchronization
public import ThumbturnAuthentication
internal import ThumbturnCrypto
public import ThumbturnSecurity

/// The longest ``LAContext/touchIDAuthenticationAllowableReuseDuration``, in seconds.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: TimeInterval = 300

/// Asks the person in front of the machine for a finger or the passcode of the vault.
///
/// Only the agent asks and looks: what this process says of an answer opens nothing. A context that has succeeded answers
/// the same policy again without asking, until it is invalidated, and opens items with an access control that it fulfils, as
/// `kSecUseAuthenticationContext` of a query; take a fresh one for each login. A context lives as long as it asks, and ends what
/// was shown when it is let go.
///
/// All members may be used from any thread. As with Apple's, the class is not `Sendable`; all of it can be overridden.
open class LAContext: NSObject, AuthenticationContextProviding {
  /// What the keychain sees of it; not of Apple's API.
  public let authenticationContext = AuthenticationContext()
  let memory = ContextMemory()

  /// A context in which nobody was asked yet.
  public override init() { super.init() }

  /// A context over another backend than the process's.
  package convenience init(over backend: any AuthenticationBackend) {
    self.init()
    memory.state.withLock { $0.backend = backend }
  }

  deinit { authenticationContext.invalidate() }

  // MARK: Asking

  /// Whether a policy could succeed now. Nobody is asked; it looks at the passcode, the reader, what is enrolled, the lock,
  /// and whether a prompt could be shown. ``interactionNotAllowed`` does not matter here.
  ///
  /// It waits for the agent, up to 12 seconds in the worst case. Not to be called in a reply, as with Apple's.
  ///
  /// - Parameters:
  ///   - policy: What is to be shown.
  ///   - error: Set to the reason when the answer is false, in the domain `LAErrorDomain`; not touched otherwise. May be nil.
  /// - Returns: False with passcodeNotSet, biometryNotAvailable, biometryNotEnrolled, biometryLockout (also while the vault is
  ///   locked), companionNotAvailable (also for a policy that Linux does not have), notInteractive where no prompt can be
  ///   shown, and invalidContext.
  @discardableResult
  @safe
  open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
    do throws(AuthenticationFailure) {
      try check(policy)
      return true
    } catch let failure {
      unsafe error?.pointee = LAError(failure)._nsError
      return false
    }
  }

  private func check(_ policy: LAPolicy) throws(AuthenticationFailure) {
    guard !authenticationContext.isInvalidated else { throw AuthenticationFailure(.invalidContext) }
    guard let policy = AuthenticationPolicy(policy) else { throw AuthenticationFailure(.companionNotAvailable) }
    try memory.check(policy)
  }

  /// Has the person asked, unless this context has succeeded with the policy before.
  ///
  /// It never waits. One evaluation takes at most 60 seconds once it is shown, and ends after three wrong fingers.
  ///
  /// - Parameters:
  ///   - policy: What is to be shown.
  ///   - localizedReason: What it is for; the prompt shows it as the words of the program. An empty one ends the program, as
  ///     Apple's exception does.
  ///   - reply: Called once, on a queue of the context's, never before this returns. The error is an ``LAError``.
  @preconcurrency
  open func evaluatePolicy(
    _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    precondition(!localizedReason.isEmpty, "localizedReason must not be empty")
    let delivery = Delivery(reply, of: self)
    guard let policy = AuthenticationPolicy(policy) else {
      return delivery.finish(.failure(AuthenticationFailure(.companionNotAvailable)))
    }
    let isKnown = memory.state.withLock { $0.succeeded.contains(policy) }
    evaluate(policy.requirement, localizedReason, anew: !isKnown, of: policy, delivery)
  }

  /// As the method with a reply. A cancelled task does not end it; ``invalidate()`` does.
  ///
  /// - Returns: True.
  /// - Throws: ``LAError``.
  @discardableResult
  open func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      evaluatePolicy(policy, localizedReason: localizedReason) { isDone, error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: isDone) }
      }
    }
  }

  /// Has the person asked for what an access control wants, unless this context has it already. Afterwards the context opens
  /// such items without asking.
  ///
  /// - Parameters:
  ///   - accessControl: What guards an item or a key.
  ///   - operation: What is to be done with it. What needs nobody succeeds at once; what the access control forbids fails with
  ///     authenticationFailed.
  ///   - localizedReason: As in ``evaluatePolicy(_:localizedReason:reply:)``.
  ///   - reply: As there.
  @preconcurrency
  open func evaluateAccessControl(
    _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String,
    reply: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    precondition(!localizedReason.isEmpty, "localizedReason must not be empty")
    let delivery = Delivery(reply, of: self)
    guard !authenticationContext.isInvalidated else {
      return delivery.finish(.failure(AuthenticationFailure(.invalidContext)))
    }
    switch accessControl.demand(of: AccessControlUse(operation)) {
    case .nothing: delivery.finish(.success([]))
    case .forbidden: delivery.finish(.failure(AuthenticationFailure(.authenticationFailed, .notPermitted)))
    case .requirement(let requirement): evaluate(requirement, localizedReason, anew: false, of: nil, delivery)
    }
  }

  /// As the method with a reply.
  ///
  /// - Returns: True.
  /// - Throws: ``LAError``.
  @discardableResult
  open func evaluateAccessControl(
    _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String
  ) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      evaluateAccessControl(accessControl, operation: operation, localizedReason: localizedReason) { isDone, error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: isDone) }
      }
    }
  }

  private func evaluate(
    _ requirement: Requirement, _ reason: String, anew: Bool, of policy: AuthenticationPolicy?, _ delivery: Delivery
  ) {
    let context = authenticationContext
    guard !context.isInvalidated else { return delivery.finish(.failure(AuthenticationFailure(.invalidContext))) }
    var texts = context.texts
    texts.reason = reason
    do throws(AuthenticationFailure) {
      try memory.backend().evaluate(requirement, texts, in: context, anew: anew) { [memory] result in
        delivery.finish(result.mapError { $0.ofEvaluation(policy) }) { memory.keepSuccess($0, of: policy) }
      }
    } catch {
      delivery.finish(.failure(error.ofEvaluation(policy)))
    }
  }

  /// Ends what runs with `appCancel`, and forgets what was shown and the credential; whatever is asked for later fails with
  /// `invalidContext`. A second call does nothing. A context that is let go does it by itself.
  open func invalidate() { authenticationContext.invalidate() }

  // MARK: What prompts say

  /// What a prompt of a keychain call is for; empty at first.
  open var localizedReason: String {
    get { authenticationContext.texts.reason }
    set { authenticationContext.texts.reason = newValue }
  }

  /// The button for another way than the finger; nil is the default one, an empty text hides it.
  open var localizedFallbackTitle: String? {
    get { authenticationContext.texts.fallbackTitle }
    set { authenticationContext.texts.fallbackTitle = newValue }
  }

  /// The cancel button; nil or an empty text is the default one.
  open var localizedCancelTitle: String? {
    get { authenticationContext.texts.cancelTitle }
    set { authenticationContext.texts.cancelTitle = newValue }
  }

  // MARK: How it asks

  /// Whether nobody may be asked: what would need it fails with `notInteractive`, keychain calls with
  /// errSecInteractionNotAllowed. False at first.
  open var interactionNotAllowed: Bool {
    get { authenticationContext.forbidsPrompts }
    set { authenticationContext.forbidsPrompts = newValue }
  }

  /// How long, in seconds, a finger that unlocked the device counts: 0 at first, at most
  /// ``LATouchIDAuthenticationMaximumAllowableReuseDuration``; what is more is cut, what is less than 0 is 0.
  ///
  /// Without effect: no finger unlocks a Linux machine yet in a way that the agent could see.
  open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
    get { memory.state.withLock { $0.reuseSeconds } }
    set {
      // Not a number is 0 too.
      let seconds = newValue > 0 ? min(newValue, LATouchIDAuthenticationMaximumAllowableReuseDuration) : 0
      memory.state.withLock { $0.reuseSeconds = seconds }
    }
  }

  /// Without effect, as with Apple's.
  @available(*, deprecated, message: "it has no effect")
  open var maxBiometryFailures: NSNumber? {
    get { memory.state.withLock { $0.maxBiometryFailures } }
    set { memory.state.withLock { $0.maxBiometryFailures = newValue } }
  }

  // MARK: What is there

  /// `touchID` when there is a fingerprint reader, enrolled or not: known after ``canEvaluatePolicy(_:error:)``, whatever
  /// that answered; `none` before.
  open var biometryType: LABiometryType { memory.state.withLock { $0.biometryType } }

  /// What was enrolled at the last evaluation by finger that succeeded, or when ``canEvaluatePolicy(_:error:)`` last answered
  /// true for a biometric policy: 32 bytes that change with the set of fingers. Nil before.
  ///
  /// Apple deprecates it for programs that need iOS 18 at least, in favour of ``domainState``.
  open var evaluatedPolicyDomainState: Data? { memory.state.withLock { $0.evaluatedPolicyDomainState } }

  /// What is enrolled now. It waits for the agent, as ``canEvaluatePolicy(_:error:)`` does; empty when nobody can say it.
  open var domainState: LADomainState {
    guard let status = try? memory.backend().authenticationStatus() else {
      return LADomainState(LADomainStateBiometry(.none, stateHash: nil))
    }
    return LADomainState(LADomainStateBiometry(LABiometryType(status), stateHash: status.stateHash.map { Data($0) }))
  }

  // MARK: Credentials

  /// Gives the password of items with `applicationPassword`, so that nobody is asked for it.
  ///
  /// The bytes are copied into locked memory, which is wiped when the context lets go of them; wiping the `Data` is the
  /// program's.
  ///
  /// - Parameters:
  ///   - credential: The password, from 1 to 1,024 bytes; nil takes it back.
  ///   - type: `applicationPassword`; there are no smart cards here.
  /// - Returns: Whether it was taken: false for another type or size, and for an invalidated context.
  @discardableResult
  open func setCredential(_ credential: Data?, type: LACredentialType) -> Bool {
    guard type == .applicationPassword, !authenticationContext.isInvalidated else { return false }
    guard let credential else {
      authenticationContext.credential = nil
      return true
    }
    guard (1...1_024).contains(credential.count), let secret = try? SecretBytes(copying: credential.span) else {
      return false
    }
    authenticationContext.credential = SharedSecret(secret)
    return isCredentialSet(type)
  }

  /// Whether the context has a credential of this type.
  open func isCredentialSet(_ type: LACredentialType) -> Bool {
    type == .applicationPassword && authenticationContext.credential != nil
  }
}

extension AccessControlUse {
  /// Nil for what no system has.
  fileprivate init?(_ operation: LAAccessControlOperation) {
    switch operation {
    case .createItem: self = .store
    case .useItem: self = .read
    case .createKey: self = .makeKey
    case .useKeySign, .useKeyDecrypt, .useKeyKeyExchange: self = .useKey
    @unknown default: return nil
    }
  }
}

extension AuthenticationFailure {
  /// Without an agent a policy on fingers says so in Apple's word for it, as ``LAContext/canEvaluatePolicy(_:error:)`` does.
  fileprivate func ofEvaluation(_ policy: AuthenticationPolicy?) -> AuthenticationFailure {
    guard let policy, reason == .noAgent || reason == .noVault else { return self }
    return ofNobody(asking: policy)
  }
}
