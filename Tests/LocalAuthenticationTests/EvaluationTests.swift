internal import Foundation
internal import LocalAuthentication
internal import Synchronization
internal import Testing
internal import ThumbturnAuthentication

/// SECACCESS.md §5: asking.
@Suite("Evaluations")
struct EvaluationTests {
  static let biometrics = LAPolicy.deviceOwnerAuthenticationWithBiometrics

  @Test("reply once, on another thread, and never before the call returns; also over a backend without manners")
  func once() async {
    for hasManners in [true, false] {
      let person = Person()
      if !hasManners { person.hasNoManners() }
      let replies = Replies()
      let hasReturned = Mutex(false)
      let early = Mutex(0)
      // Not in an async function: there the thread may change.
      let caller = Thread { [context = UncheckedContext(LAContext(over: person))] in
        context.value.evaluatePolicy(Self.biometrics, localizedReason: "r") { isDone, error in
          if Thread.current.name == "caller" { early.withLock { $0 += 1 } }
          _ = hasReturned.withLock { $0 }
          replies.reply(isDone, error)
        }
        hasReturned.withLock { $0 = true }
      }
      caller.name = "caller"
      caller.start()
      #expect(await replies.wait(for: 1))
      try? await Task.sleep(for: .milliseconds(50))
      #expect(replies.count == 1)
      #expect(replies.codes == [nil])
      #expect(early.withLock { $0 } == 0)
    }
  }

  @Test("that have succeeded are not asked again in their context, others are, and a fresh context is asked")
  func again() async {
    let person = Person()
    let context = LAContext(over: person)
    for _ in 0..<3 { #expect(await context.code() == nil) }
    #expect(person.promptCount == 1)
    #expect(person.requests.map(\.anew) == [true, false, false])
    #expect(await context.code(of: .deviceOwnerAuthentication) == nil)
    #expect(person.promptCount == 2)
    #expect(await context.code(of: .deviceOwnerAuthentication) == nil)
    #expect(person.promptCount == 2)
    #expect(await LAContext(over: person).code() == nil)
    #expect(person.promptCount == 3)
  }

  @Test("that failed are asked again")
  func afterFailure() async {
    let person = Person(.failure(AuthenticationFailure(.authenticationFailed)))
    let context = LAContext(over: person)
    #expect(await context.code() == .authenticationFailed)
    person.willAnswer(.success([.finger]))
    #expect(await context.code() == nil)
    #expect(person.requests.map(\.anew) == [true, true])
  }

  @Test("end at once with appCancel when the context is invalidated, and later ones fail with invalidContext")
  func invalidation() async {
    let person = Person(nil)
    let context = LAContext(over: person)
    let replies = Replies()
    context.evaluatePolicy(Self.biometrics, localizedReason: "r", reply: replies.reply)
    #expect(await soon { person.waitingCount == 1 })
    context.invalidate()
    #expect(await replies.wait(for: 1))
    #expect(replies.codes == [.appCancel])
    context.invalidate()
    person.answer(.success([.finger]))
    #expect(await context.code() == .invalidContext)
    #expect(await context.code(of: .deviceOwnerAuthentication) == .invalidContext)
    #expect(context.obstacle(to: Self.biometrics) == .invalidContext)
    #expect(replies.count == 1)
    #expect(person.promptCount == 1)
  }

  @Test("that had succeeded fail with invalidContext once the context is invalidated")
  func invalidationAfterSuccess() async {
    let context = LAContext(over: Person())
    #expect(await context.code() == nil)
    context.invalidate()
    #expect(await context.code() == .invalidContext)
  }

  @Test("keep their context alive until the reply: one that was made in a function and forgotten is asked all the same")
  func forgottenContext() async {
    let person = Person(nil)
    let replies = Replies()
    weak var forgotten: LAContext?
    func tutorial() {
      let context = LAContext(over: person)
      forgotten = context
      context.evaluatePolicy(Self.biometrics, localizedReason: "r", reply: replies.reply)
    }
    tutorial()
    try? await Task.sleep(for: .milliseconds(50))
    #expect(replies.count == 0)
    #expect(forgotten != nil)
    person.answer(.success([.finger]))
    #expect(await replies.wait(for: 1))
    #expect(replies.codes == [nil])
    let isGone = await soonOnThisThread { forgotten == nil }
    #expect(isGone)
  }

  @Test("end what was shown when the context is let go")
  func deinitialisation() async {
    var context: LAContext? = LAContext(over: Person())
    #expect(await context?.code() == nil)
    let inner = context?.authenticationContext
    #expect(inner?.isInvalidated == false)
    #expect(inner?.shown == [.finger])
    context = nil
    let isGone = await soonOnThisThread { inner?.isInvalidated == true }
    #expect(isGone)
    #expect(inner?.shown == [])
  }

  @Test("of a thousand callers get a reply each, whatever they end with")
  func thousand() async {
    let person = Person(nil)
    let replies = Replies()
    for index in 0..<1_000 {
      let context = LAContext(over: person)
      context.evaluatePolicy(
        index.isMultiple(of: 2) ? Self.biometrics : .deviceOwnerAuthentication, localizedReason: "r",
        reply: replies.reply)
      if index.isMultiple(of: 10) { context.invalidate() }
    }
    #expect(await soon { person.requests.count == 1_000 })
    #expect(await replies.wait(for: 100))
    person.answer(.success([.finger]))
    #expect(await replies.wait(for: 1_000))
    try? await Task.sleep(for: .milliseconds(50))
    #expect(replies.count == 1_000)
    #expect(replies.codes.filter { $0 == .appCancel }.count == 100)
    #expect(replies.codes.filter { $0 == nil }.count == 900)
  }

  @Test("of a thousand tasks over one context get a result each")
  func thousandTasks() async {
    let person = Person()
    let context = UncheckedContext(LAContext(over: person))
    let codes = await withTaskGroup(of: LAError.Code?.self) { group in
      for _ in 0..<1_000 { group.addTask { await context.value.code() } }
      return await group.reduce(into: [LAError.Code?]()) { $0.append($1) }
    }
    #expect(codes.count == 1_000)
    #expect(codes.allSatisfy { $0 == nil })
  }

  @Test("have a queue of their own: replies that take long, more than there are processors, hold up nobody else's")
  func slowReply() async {
    let gate = DispatchSemaphore(value: 0)
    let waiting = Mutex(0)
    for _ in 0..<16 {
      LAContext(over: Person()).evaluatePolicy(Self.biometrics, localizedReason: "r") { _, _ in
        waiting.withLock { $0 += 1 }
        gate.wait()
      }
    }
    #expect(await soon { waiting.withLock { $0 } == 16 })
    #expect(await LAContext(over: Person()).code() == nil)
    for _ in 0..<16 { gate.signal() }
  }

  @Test("show the texts of the context, and the reason of the call")
  func texts() async {
    let person = Person()
    let context = LAContext(over: person)
    #expect(context.localizedReason.isEmpty)
    #expect(context.localizedFallbackTitle == nil)
    #expect(context.localizedCancelTitle == nil)
    context.localizedReason = "for the keychain"
    context.localizedFallbackTitle = ""
    context.localizedCancelTitle = "No"
    #expect(await context.code() == nil)
    #expect(
      person.requests.first?.texts == AuthenticationTexts(reason: "test", fallbackTitle: "", cancelTitle: "No"))
    #expect(
      context.authenticationContext.texts
        == AuthenticationTexts(reason: "for the keychain", fallbackTitle: "", cancelTitle: "No"))
  }

  @Test("that need a prompt fail with notInteractive when interaction is not allowed")
  func notAllowed() async {
    let person = Person()
    let context = LAContext(over: person)
    #expect(!context.interactionNotAllowed)
    context.interactionNotAllowed = true
    #expect(context.obstacle(to: Self.biometrics) == nil)
    #expect(await context.code() == .notInteractive)
    #expect(person.promptCount == 0)
    context.interactionNotAllowed = false
    #expect(await context.code() == nil)
    context.interactionNotAllowed = true
    #expect(await context.code() == nil)
    #expect(person.promptCount == 1)
  }

  @Test("without an agent say in Apple's words what is missing")
  func nobody() async {
    let noAgent = AuthenticationFailure(.notInteractive, .noAgent)
    #expect(await LAContext(over: Person(.failure(noAgent))).code() == .biometryNotAvailable)
    #expect(
      await LAContext(over: Person(.failure(noAgent))).code(of: .deviceOwnerAuthentication) == .notInteractive)
    let noVault = AuthenticationFailure(.passcodeNotSet, .noVault)
    #expect(await LAContext(over: Person(.failure(noVault))).code() == .biometryNotAvailable)
    #expect(await LAContext(over: Person(.failure(noVault))).code(of: .deviceOwnerAuthentication) == .passcodeNotSet)
    // With an agent the words are its own.
    let noPlace = AuthenticationFailure(.notInteractive, .noPlace)
    #expect(await LAContext(over: Person(.failure(noPlace))).code() == .notInteractive)
  }

  @Test("of an empty reason end the program, as Apple's exception does")
  func emptyReason() async {
    await #expect(processExitsWith: .failure) {
      LAContext(over: Person()).evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "") { _, _ in }
    }
    await #expect(processExitsWith: .failure) {
      _ = try await LAContext(over: Person()).evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "")
    }
    await #expect(processExitsWith: .success) {
      _ = try await LAContext(over: Person()).evaluatePolicy(.deviceOwnerAuthentication, localizedReason: " ")
    }
  }

  @Test("of a class of the program's own go through its overrides, in both forms")
  func overrides() async throws {
    let context = Overriding()
    #expect(try await context.evaluatePolicy(Self.biometrics, localizedReason: "r"))
    context.answer = LAError(.userCancel)
    #expect(await context.code() == .userCancel)
    #expect(context.count == 2)
  }
}

/// For tests of what holds from any thread; the class is not Sendable, as Apple's is not.
struct UncheckedContext: @unchecked Sendable {
  let value: LAContext
  init(_ value: LAContext) { self.value = value }
}

private final class Overriding: LAContext {
  var answer: LAError?
  var count = 0
  override func evaluatePolicy(
    _ policy: LAPolicy, localizedReason: String, reply: @escaping (Bool, (any Error)?) -> Void
  ) {
    count += 1
    reply(answer == nil, answer)
  }
}

/// As `soon`, for what is not Sendable.
func soonOnThisThread(_ isolation: isolated (any Actor)? = #isolation, _ holds: () -> Bool) async -> Bool {
  for _ in 0..<1_000 {
    if holds() { return true }
    try? await Task.sleep(for: .milliseconds(10))
  }
  return holds()
}
