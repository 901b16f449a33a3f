internal import CLocalAuthentication
internal import Dispatch
internal import Foundation
internal import Synchronization
internal import ThumbturnAuthentication
internal import ThumbturnSecurity

/// What an ``LAContext`` remembers.
final class ContextMemory: Sendable {
  struct State {
    /// What a test put in place of the process's.
    var backend: (any AuthenticationBackend)?
    var biometryType = LABiometryType.none
    var evaluatedPolicyDomainState: Data?
    var reuseSeconds: TimeInterval = 0
    var maxBiometryFailures: NSNumber?
    /// Policies that have succeeded: they are not asked for again.
    var succeeded: Set<AuthenticationPolicy> = []
  }

  let state = Mutex(State())
  /// Where replies run: one after the other, and never on the thread of a call. It has no thread of its own.
  let queue = DispatchQueue(label: "LocalAuthentication.LAContext", target: .global())

  /// Who can ask a person.
  func backend() throws(AuthenticationFailure) -> any AuthenticationBackend {
    if let backend = state.withLock({ $0.backend }) { return backend }
    guard let backend = processAuthenticationBackend() else {
      throw AuthenticationFailure(.notInteractive, .noAgent)
    }
    return backend
  }

  /// Looks at what can be asked for, and keeps what a context says of it afterwards.
  ///
  /// - Throws: Why a policy cannot be fulfilled.
  func check(_ policy: AuthenticationPolicy) throws(AuthenticationFailure) {
    let status: AuthenticationStatus
    do throws(AuthenticationFailure) {
      status = try backend().authenticationStatus()
    } catch {
      state.withLock { $0.biometryType = .none }
      throw error.ofNobody(asking: policy)
    }
    // Apple's own sample asks for the owner and then reads the type.
    state.withLock { $0.biometryType = LABiometryType(status) }
    if let obstacle = status.obstacle(toAsking: policy) { throw obstacle }
    if policy.isBiometric { state.withLock { $0.evaluatedPolicyDomainState = status.stateHash.map { Data($0) } } }
  }

  /// Keeps what an evaluation that succeeded leaves behind.
  func keepSuccess(_ shown: Set<Factor>, of policy: AuthenticationPolicy?) {
    // The agent is asked, with no lock held.
    let hash = shown.contains(.finger) ? (try? backend().authenticationStatus())?.stateHash : nil
    state.withLock { state in
      if let hash { state.evaluatedPolicyDomainState = Data(hash) }
      if let policy { state.succeeded.insert(policy) }
    }
  }
}

extension LABiometryType {
  init(_ status: AuthenticationStatus) { self = status.hasReader ? .touchID : .none }
}

extension AuthenticationPolicy {
  /// Nil for Apple's watch, and for what no system has.
  init?(_ policy: LAPolicy) { self.init(rawValue: UInt8(exactly: policy.rawValue) ?? 0) }
}

extension AuthenticationStatus {
  /// Why a policy cannot be fulfilled by asking now; nil when it can.
  fileprivate func obstacle(toAsking policy: AuthenticationPolicy) -> AuthenticationFailure? {
    let requirement = policy.requirement
    // Without an agent there is no reader, whatever else is missing.
    if requirement.insistsOnFinger, reader == .unavailable(.noAgent) {
      return AuthenticationFailure(.biometryNotAvailable, .noAgent)
    }
    if let obstacle = obstacle(to: requirement) { return obstacle }
    // A simulated reader needs no prompt for its fingers.
    if isSimulated, requirement.factors.contains(.finger), fingerObstacle == nil { return nil }
    return promptObstacle.map { AuthenticationFailure(.notInteractive, $0) }
  }
}

extension AuthenticationFailure {
  /// Apple's word for it where nobody can be asked: without an agent there is no reader either.
  func ofNobody(asking policy: AuthenticationPolicy) -> AuthenticationFailure {
    switch policy {
    case .biometrics, .biometricsOrCompanion: AuthenticationFailure(.biometryNotAvailable, reason ?? .noAgent)
    case .companion: AuthenticationFailure(.companionNotAvailable)
    case .owner: code == .biometryNotAvailable ? AuthenticationFailure(.notInteractive, reason ?? .noAgent) : self
    }
  }
}
