import Foundation
import Synchronization
import Testing
import ThumbturnAgentClient
import ThumbturnAuthentication

@testable import ThumbturnAgent

/// What a client was told.
private final class Told: Sendable {
  private let state = Mutex<(results: [Result<Evaluated, AuthenticationFailure>], progress: Int)>(([], 0))
  var results: [Result<Evaluated, AuthenticationFailure>] { state.withLock { $0.results } }
  var progress: Int { state.withLock { $0.progress } }
  func take(_ reply: ReplyMessage) {
    state.withLock { state in
      switch reply {
      case .answer(.evaluated(let result)): state.results.append(result)
      case .progress: state.progress += 1
      default: Issue.record("another message")
      }
    }
  }
  var failure: AuthenticationFailure? { results.first.flatMap { if case .failure(let failure) = $0 { failure } else { nil } } }
}

@Suite("The queue of prompts")
struct PromptQueueTests {
  /// A queue whose prompts wait until a gate opens.
  private final class Stage: Sendable {
    let gate = DispatchSemaphore(value: 0)
    let shown = Mutex<[UInt64]>([])
    let queue: PromptQueue

    init() throws {
      let now = Now()
      self.now = now
      queue = try PromptQueue { now.value }
    }

    let now: Now

    deinit {
      for _ in 0..<100 { gate.signal() }
      queue.stop()
    }

    func put(_ id: UInt64, process: Int32, connection: UInt64 = 1, isOpen: Bool = true) -> Told {
      let told = Told()
      let peer = AgentPeer(process: process, user: 0, handle: nil)
      let request = EvaluationRequest(id: id, .owner, AuthenticationTexts(), at: PromptPlace())
      let verification = Verification(request, for: PromptedProgram(peer, (.plain, "/bin/p")), epoch: 0)
      let answer = EvaluationAnswer(connection: connection, isConnected: { isOpen }) { told.take($0) }
      let (gate, queue) = (gate, queue)
      queue.put(verification, answer) { [weak self] verification in
        self?.shown.withLock { $0.append(verification.request.id) }
        gate.wait()
        return verification.cause.map { .failure($0) } ?? .success(Evaluated(session: nil, shown: [.finger]))
      }
      return told
    }
  }

  final class Now: Sendable {
    private let state = Mutex<Int64>(0)
    var value: Int64 { state.withLock { $0 } }
    func advance(seconds: Int64) { state.withLock { $0 += seconds * 1_000_000_000 } }
  }

  private let busy = AuthenticationFailure(.systemCancel, .tooManyPrompts)

  @Test("shows one, lets eight wait, two of a process, and refuses the next at once")
  func limits() throws {
    let stage = try Stage()
    let first = stage.put(1, process: 1)
    #expect(becomes { stage.shown.withLock { $0 } == [1] })
    var waiting: [Told] = []
    for process in Int32(1)...4 { for _ in 0..<2 { waiting.append(stage.put(UInt64(waiting.count + 2), process: process)) } }
    #expect(waiting.allSatisfy { $0.results.isEmpty })
    // A ninth, of a process that has none.
    #expect(stage.put(90, process: 9).failure == busy)
    stage.queue.cancel(9, process: 4)
    #expect(waiting[7].failure == AuthenticationFailure(.appCancel))
    // Room for one again, but not of a process that has two.
    #expect(stage.put(91, process: 3).failure == busy)
    let last = stage.put(92, process: 9)
    #expect(last.results.isEmpty)
    for _ in 0..<9 { stage.gate.signal() }
    #expect(becomes { last.results.count == 1 })
    // In the order in which they came.
    #expect(stage.shown.withLock { $0 } == [1, 2, 3, 4, 5, 6, 7, 8, 92])
    #expect(first.results.count == 1 && waiting.allSatisfy { $0.results.count == 1 })
  }

  @Test("sends away who waited for more than 65 s, and tells the others that they still wait")
  func late() throws {
    let stage = try Stage()
    _ = stage.put(1, process: 1)
    #expect(becomes { stage.shown.withLock { $0 } == [1] })
    let late = stage.put(2, process: 1)
    stage.now.advance(seconds: 65)
    let next = stage.put(3, process: 2)
    // What wakes the queue up is somebody new.
    #expect(becomes { next.progress > 0 })
    #expect(late.results.isEmpty)
    stage.now.advance(seconds: 1)
    _ = stage.put(4, process: 3)
    #expect(becomes { late.failure == busy })
    #expect(next.results.isEmpty)
  }

  @Test("tells who waits, and who is shown, every five seconds that it lives")
  func pace() throws {
    let stage = try Stage()
    let first = stage.put(1, process: 1)
    #expect(becomes { stage.shown.withLock { $0 } == [1] })
    let before = first.progress
    #expect(becomes(within: 9) { first.progress > before + 1 || first.progress > before })
    #expect(first.results.isEmpty)
  }

  @Test("ends what a process cancels of its own, what a client leaves, and everything, each once")
  func ends() throws {
    let stage = try Stage()
    let first = stage.put(1, process: 1, connection: 10)
    #expect(becomes { stage.shown.withLock { $0 } == [1] })
    let (second, third) = (stage.put(2, process: 2, connection: 20), stage.put(3, process: 3, connection: 30))
    stage.queue.cancel(2, process: 3)
    #expect(second.results.isEmpty)
    stage.queue.left(20)
    #expect(second.failure == AuthenticationFailure(.appCancel))
    stage.queue.endAll(AuthenticationFailure(.systemCancel, .lockedMeanwhile))
    #expect(third.failure == AuthenticationFailure(.systemCancel, .lockedMeanwhile))
    stage.gate.signal()
    #expect(becomes { first.failure == AuthenticationFailure(.systemCancel, .lockedMeanwhile) })
    #expect([first, second, third].allSatisfy { $0.results.count == 1 })
    // Whoever has gone before it was put is not shown anything.
    _ = stage.put(4, process: 4, connection: 40, isOpen: false)
    let last = stage.put(5, process: 5)
    stage.gate.signal()
    #expect(becomes { last.results.count == 1 })
    #expect(!stage.shown.withLock { $0.contains(2) || $0.contains(3) })
  }

  @Test("an answer is sent once, also when nobody sends one")
  func once() {
    let told = Told()
    do {
      let answer = EvaluationAnswer(connection: 1, isConnected: { true }) { told.take($0) }
      answer.progress()
    }
    #expect(told.failure == AuthenticationFailure(.systemCancel, .agentFailed) && told.progress == 1)
    let again = Told()
    do {
      let answer = EvaluationAnswer(connection: 1, isConnected: { true }) { again.take($0) }
      answer.send(.success(Evaluated(session: nil, shown: [])))
      answer.send(.failure(AuthenticationFailure(.appCancel)))
      answer.progress()
    }
    #expect(again.results.count == 1 && again.progress == 0)
  }

  @Test("a program has the name of its file, without what could change a prompt")
  func names() {
    let peer = AgentPeer(process: 7, user: 0, handle: nil)
    func name(_ path: String?) -> String { PromptedProgram(peer, (.plain, path)).name }
    #expect(name("/usr/bin/app") == "app")
    #expect(name("/usr/bin/a\u{1B}[2J\n\u{202E}b") == "a?[2J??b")
    #expect(name(nil) == "an unknown program")
    #expect(name("/x/" + String(repeating: "a", count: 300)).count == 64)
    #expect(PromptedProgram(peer, (.app("org.A"), "/bin/x")).identity != PromptedProgram(peer, (.unit("org.A"), "/bin/x")).identity)
    let other = AgentPeer(process: 8, user: 0, handle: nil)
    #expect(PromptedProgram(peer, (.plain, nil)).identity != PromptedProgram(other, (.plain, nil)).identity)
  }
}
