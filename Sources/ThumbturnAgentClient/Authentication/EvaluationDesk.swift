#if !SANITIZE_THREAD
  internal import Synchronization
#endif
internal import ThumbturnAuthentication
internal import ThumbturnCrypto
internal import ThumbturnKeychain

/// Where the evaluations of one process wait for the agent: equal ones that run at the same time are one request.
///
/// From any thread; nothing here waits but threads of its own, which are there only while somebody is asked.
final class EvaluationDesk: Sendable {
  /// Requests under way: what the agent lets one process have in its queue. The others wait here, in order.
  static let runningCountMax = 2
  /// Those who wait, in all: more is a mistake of the program.
  static let waitersCountMax = 65_536
  /// How long an answer may take in all.
  private static let limitNanoseconds: Int64 = ClientLimits.evaluationTotalNanoseconds

  /// What makes two evaluations one.
  struct Question: Hashable, Sendable {
    let requirement: Requirement
    let texts: AuthenticationTexts
    let place: PromptPlace
    let sessions: [[UInt8]]
    let hasCredential: Bool
  }

  /// What was verified; the session is nil when earlier ones were enough.
  typealias Outcome = Result<(session: VerifiedSession?, shown: Set<Factor>), AuthenticationFailure>
  typealias Reply = @Sendable (Outcome) -> Void

  private struct Entry {
    let id: UInt64
    let question: Question
    let until: Int64
    var isRunning = false
    var waiters: [Int: Reply] = [:]
  }

  private struct State {
    /// In the order in which they came; one that nobody waits for any more can not be joined.
    var entries: [Entry] = []
    var runningCount = 0
    var waitersCount = 0
    var nextWaiter = 0
  }

  private let state = Mutex(State())
  private let errands: Errands

  init(_ errands: Errands) { self.errands = errands }

  /// Has somebody asked, or joins an equal question.
  ///
  /// - Parameter reply: Called once, on a thread of the desk or of who leaves.
  /// - Returns: A number to ``leave(_:over:)`` with; nil when it was answered already.
  func join(_ question: Question, over link: AgentLink, reply: @escaping Reply) -> Int? {
    guard let id = Self.freshID() else {
      reply(.failure(AuthenticationFailure(.systemCancel, .agentFailed)))
      return nil
    }
    let (number, mustStart) = state.withLock { state -> (Int?, Bool) in
      guard state.waitersCount < Self.waitersCountMax else { return (nil, false) }
      state.waitersCount += 1
      state.nextWaiter += 1
      let number = state.nextWaiter
      if let index = state.entries.firstIndex(where: { $0.question == question && !$0.waiters.isEmpty }) {
        state.entries[index].waiters[number] = reply
        return (number, false)
      }
      var entry = Entry(id: id, question: question, until: system_bootNanoseconds() + Self.limitNanoseconds)
      entry.waiters[number] = reply
      state.entries.append(entry)
      guard state.runningCount < Self.runningCountMax else { return (number, false) }
      state.runningCount += 1
      return (number, true)
    }
    guard let number else {
      reply(.failure(AuthenticationFailure(.systemCancel, .tooManyPrompts)))
      return nil
    }
    if mustStart {
      do throws(SystemError) { try system_detachThread { self.run(link) } } catch { return refuse(id) }
    }
    return number
  }

  /// Answers those who wait for a question that gets no thread.
  private func refuse(_ id: UInt64) -> Int? {
    state.withLock { $0.runningCount -= 1 }
    for (_, reply) in takeWaiters(id) { reply(.failure(AuthenticationFailure(.systemCancel, .agentFailed))) }
    return nil
  }

  private func takeWaiters(_ id: UInt64) -> [(key: Int, value: Reply)] {
    state.withLock { state in
      guard let index = state.entries.firstIndex(where: { $0.id == id }) else { return [] }
      let waiters = state.entries.remove(at: index).waiters
      state.waitersCount -= waiters.count
      return waiters.sorted { $0.key < $1.key }
    }
  }

  /// Answers one at once with *the program cancelled*; when nobody is left the agent is told.
  func leave(_ number: Int, over link: AgentLink) {
    let (reply, cancelled) = state.withLock { state -> (Reply?, UInt64?) in
      guard let index = state.entries.firstIndex(where: { $0.waiters[number] != nil }) else { return (nil, nil) }
      let reply = state.entries[index].waiters.removeValue(forKey: number)
      state.waitersCount -= 1
      guard state.entries[index].waiters.isEmpty else { return (reply, nil) }
      guard state.entries[index].isRunning else {
        state.entries.remove(at: index)
        return (reply, nil)
      }
      return (reply, state.entries[index].id)
    }
    if let cancelled { errands.tell(.cancelEvaluation(cancelled), over: link) }
    reply?(.failure(AuthenticationFailure(.appCancel)))
  }

  /// Answers what waits, until nothing does.
  private func run(_ link: AgentLink) {
    while true {
      let next = state.withLock { state -> Entry? in
        guard let index = state.entries.firstIndex(where: { !$0.isRunning }) else {
          state.runningCount -= 1
          return nil
        }
        state.entries[index].isRunning = true
        return state.entries[index]
      }
      guard let next else { return }
      let outcome = ask(next, over: link)
      for (_, reply) in takeWaiters(next.id) { reply(outcome) }
    }
  }

  private func ask(_ entry: Entry, over link: AgentLink) -> Outcome {
    let question = entry.question
    guard system_bootNanoseconds() < entry.until else {
      return .failure(AuthenticationFailure(.systemCancel, .tooManyPrompts))
    }
    var request = EvaluationRequest(id: entry.id, question.requirement, question.texts, at: question.place)
    request.sessions = question.sessions
    request.hasCredential = question.hasCredential
    let reply: AgentReply
    do throws(AgentFailure) { reply = try link.call(.evaluate(request)) } catch {
      guard error.error.cause?.isNoAgent == true || error.error.cause?.isOtherVault == true else {
        return .failure(AuthenticationFailure(.systemCancel, .agentFailed))
      }
      return .failure(.withoutAgent(question.requirement))
    }
    switch reply {
    case .evaluated(.success(let evaluated)):
      let session = evaluated.session.map { id in
        VerifiedSession(id: id, shown: evaluated.shown) { [errands] id in errands.tell(.endSession(id), over: link) }
      }
      return .success((session, evaluated.shown))
    case .evaluated(.failure(let failure)): return .failure(failure)
    default: return .failure(AuthenticationFailure(.systemCancel, .agentFailed))
    }
  }

  private static func freshID() -> UInt64? {
    var bytes = [UInt8](repeating: 0, count: 8)
    var span = bytes.mutableSpan
    do throws(CryptoError) { try randomBytes(into: &span) } catch { return nil }
    return bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension AuthenticationFailure {
  /// What an evaluation answers where no agent is: only an agent verifies.
  static func withoutAgent(_ requirement: Requirement) -> AuthenticationFailure {
    if requirement.factors.isEmpty, !requirement.needsApplicationPassword {
      return AuthenticationFailure(.companionNotAvailable)
    }
    return AuthenticationFailure(requirement.insistsOnFinger ? .biometryNotAvailable : .notInteractive, .noAgent)
  }
}
