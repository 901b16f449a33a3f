#if !SANITIZE_THREAD
  internal import Synchronization
#endif
internal import ThumbturnCrypto

@testable internal import ThumbturnKeychain
@testable internal import ThumbturnVault

/// Stands for the agent's verification.
final class EvaluatorStub: PolicyEvaluator {
  struct State {
    var answer: KeychainError?
    var hash: [UInt8] = [7]
    var asked: [Set<PolicyQuestion>] = []
    /// Policies of which the set of fingers is another one by now.
    var dead: Set<RecordPolicy> = []
    /// What ``isDead(_:)`` was asked, and what it throws.
    var askedDead: [PolicyQuestion] = []
    var deadRefusal: KeychainError?
    /// What ``enrolmentHash(for:)`` throws.
    var refusal: KeychainError?
    /// Application passwords, one for each time that it is asked.
    var passwords: [SharedSecret] = []
    var wrongBefore: [Bool] = []
    /// Runs while somebody is asked: with a lock held it would wait for ever.
    var meanwhile: (@Sendable () -> Void)?
    /// Whether it verifies something else than what it was asked.
    var isWrong = false
  }
  let state = Mutex(State())

  func release(_ questions: Set<PolicyQuestion>) throws(KeychainError) -> PolicyRelease {
    let (answer, meanwhile, isWrong, dead) = state.withLock { state in
      state.asked.append(questions)
      return (state.answer, state.meanwhile, state.isWrong, state.dead)
    }
    meanwhile?()
    if let answer { throw answer }
    let policies = Set(questions.map(\.policy))
    return PolicyRelease(verified: isWrong ? [] : policies, dead: policies.intersection(dead))
  }

  func isDead(_ question: PolicyQuestion) throws(KeychainError) -> Bool {
    let (isDead, refusal, meanwhile) = state.withLock { state in
      state.askedDead.append(question)
      return (state.dead.contains(question.policy), state.deadRefusal, state.meanwhile)
    }
    meanwhile?()
    if let refusal { throw refusal }
    return isDead
  }

  func enrolmentHash(for control: AccessControl) throws(KeychainError) -> [UInt8] {
    let (hash, refusal) = state.withLock { ($0.hash, $0.refusal) }
    if let refusal { throw refusal }
    return hash
  }

  func applicationPassword(wrongBefore: Bool) throws(KeychainError) -> SharedSecret {
    let (password, meanwhile) = state.withLock { state in
      state.wrongBefore.append(wrongBefore)
      return (state.passwords.isEmpty ? nil : state.passwords.removeFirst(), state.meanwhile)
    }
    meanwhile?()
    guard let password else { throw KeychainError(.interactionNotAllowed) }
    return password
  }
}
