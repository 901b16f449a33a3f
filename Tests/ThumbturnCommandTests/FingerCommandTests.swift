import Foundation
import Synchronization
import Testing
import ThumbturnAuthentication
import ThumbturnKeychain
import ThumbturnVault

@testable import ThumbturnCommand

@Suite("finger")
struct FingerCommandTests {
  private func run(
    _ arguments: [String], on vault: FakeBackend = FakeBackend(), _ agents: FakeAgents = FakeAgents(),
    readers: FakeReaders? = nil, change: (inout CommandContext) -> Void = { _ in }
  ) throws -> Outcome {
    try runCommand(["finger"] + arguments, on: vault) {
      $0.findAgents = { _ in agents }
      $0.fingerReaders = readers
      change(&$0)
    }
  }

  @Test("list shows each reader and its fingers, and JSON has them exactly")
  func list() throws {
    let readers = FakeReaders(
      FingerLook(readers: [
        FingerReader(name: "Reader One", stageCount: 5, fingers: ["left-thumb", "right-index-finger"]),
        FingerReader(name: "a\u{1b}[2J", fingers: []), FingerReader(name: "Three", fingers: nil),
      ]))
    #expect(
      try run(["list"], readers: readers).text == """
        reader   Reader One
        fingers  left-thumb, right-index-finger

        reader   a\\u{1b}[2J
        fingers  none

        reader   Three
        fingers  cannot be told

        """)
    let json = try run(["list", "--json"], readers: readers).text
    let found = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
    #expect(found.map { $0["reader"] as? String } == ["Reader One", "a\u{1b}[2J", "Three"])
    #expect(found.map { $0["fingers"] as? [String] } == [["left-thumb", "right-index-finger"], [], nil])
  }

  @Test(
    "list says why there is no reader",
    arguments: [
      (AuthenticationFailure.Reason.noBus, 4, "the system bus cannot be reached"),
      (.noService, 4, "the fingerprint service does not run"), (.noReader, 4, "no fingerprint reader is connected"),
      (.serviceSilent, 5, "the fingerprint service does not answer"),
    ] as [(AuthenticationFailure.Reason, Int32, String)])
  func noReader(reason: AuthenticationFailure.Reason, exitCode: Int32, text: String) throws {
    let outcome = try run(["list"], readers: FakeReaders(FingerLook(obstacle: reason)))
    #expect(outcome.exitCode == exitCode)
    #expect(outcome.errors.hasPrefix("thumbturn: error: \(text)\nthumbturn: hint: "))
  }

  @Test("enrol tells each stage, takes either spelling, and enrols the right index finger when none is named")
  func enrol() throws {
    for (arguments, finger) in [
      (["enrol"], "right-index-finger"), (["enroll", "left-thumb"], "left-thumb"),
    ] {
      let readers = FakeReaders(fingers: ["right-thumb"])
      readers.state.withLock {
        $0.steps = [.seen(done: 1, total: 3), .retry(.tooShort), .seen(done: 2, total: 3), .seen(done: 3, total: 3)]
      }
      let outcome = try run(arguments, readers: readers)
      #expect(outcome.exitCode == 0)
      #expect(outcome.text == "\(finger) is enrolled\n")
      let name = finger.split(separator: "-").joined(separator: " ")
      #expect(
        outcome.errors == """
          Reader One: put the \(name) on the reader and lift it again, 3 times; ^C ends it
          seen 1 of 3
          too short. Try again
          seen 2 of 3
          seen 3 of 3

          """)
      #expect(readers.calls == ["enrol \(finger)"])
    }
  }

  @Test(
    "enrol says how it ended",
    arguments: [
      (.stopped, 3, "the enrolment was ended"), (.timedOut, 3, "not shown often enough in time"),
      (.alreadyEnrolled, 4, "knows this finger already"), (.readerFull, 4, "no room for another"),
      (.failed(AuthenticationFailure(.biometryNotAvailable, .permissionDenied)), 4, "does not let this user change"),
      (.failed(AuthenticationFailure(.biometryNotAvailable, .readerBusy)), 4, "another program uses the"),
      (.failed(AuthenticationFailure(.biometryDisconnected, .readerUnplugged)), 5, "was unplugged"),
    ] as [(EnrolmentEnd, Int32, String)])
  func enrolmentEnds(end: EnrolmentEnd, exitCode: Int32, text: String) throws {
    let readers = FakeReaders(fingers: [])
    readers.state.withLock { $0.end = end }
    let outcome = try run(["enrol"], readers: readers)
    #expect(outcome.exitCode == exitCode)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains(text), "\(outcome.errors)")
  }

  @Test("enrol refuses a finger that is enrolled, and touches nothing")
  func enrolAgain() throws {
    let readers = FakeReaders(fingers: ["left-thumb"])
    let outcome = try run(["enrol", "left-thumb"], readers: readers)
    #expect(outcome.exitCode == 4)
    #expect(outcome.errors.contains("thumbturn finger delete left-thumb"))
    #expect(readers.calls.isEmpty)
  }

  @Test(
    "no word that is no finger reaches a reader, and a near one is guessed",
    arguments: [
      ("right-index", "did you mean right-index-finger? "), ("RIGHT_THUMB", "did you mean right-thumb? "),
      ("thumb", "did you mean left-thumb or right-thumb? "), ("rihgt-thum", "did you mean right-thumb? "),
      ("any", ""), ("toe", ""), ("", ""), (String(repeating: "thumb-", count: 1_000), ""), ("hunter2", ""),
    ])
  func wrongFinger(word: String, guess: String) throws {
    for action in ["enrol", "delete"] {
      let readers = FakeReaders(fingers: ["left-thumb"])
      let outcome = try run([action, word], readers: readers)
      #expect(outcome.exitCode == 2)
      #expect(
        outcome.errors.hasPrefix("thumbturn: error: there is no such finger\nthumbturn: hint: \(guess)the fingers"))
      #expect(!outcome.errors.contains("hunter2"))
      #expect(readers.calls.isEmpty)
    }
  }

  @Test("delete removes one finger, and all only when that was confirmed")
  func delete() throws {
    let readers = FakeReaders(fingers: ["left-thumb", "right-thumb"])
    #expect(try run(["delete", "left-thumb"], readers: readers).exitCode == 0)
    let unconfirmed = try run(["delete"], readers: readers)
    #expect(unconfirmed.exitCode == 3)
    #expect(unconfirmed.errors.contains("thumbturn finger delete --yes confirms"))
    #expect(try run(["delete", "--yes"], readers: readers).exitCode == 0)
    let missing = try run(["delete", "right-index-finger"], readers: readers)
    #expect(missing.exitCode == 1)
    #expect(missing.errors.contains("enrolled are left-thumb, right-thumb"))
    #expect(readers.calls == ["delete left-thumb", "delete all"])
    #expect(try run(["delete"], readers: FakeReaders(fingers: [])).exitCode == 1)
    readers.state.withLock { $0.deletionFailure = AuthenticationFailure(.biometryNotAvailable, .permissionDenied) }
    #expect(try run(["delete", "left-thumb"], readers: readers).exitCode == 4)
  }

  @Test("a change of the fingers asks while items hang on those that are enrolled, and warns when nobody can tell")
  func currentSet() throws {
    let vault = FakeBackend(.withPasscode)
    for arguments in [["enrol"], ["delete", "left-thumb"]] {
      let readers = FakeReaders(fingers: ["left-thumb"])
      vault.state.withLock { $0.items = [] }
      // Others do not hang on them.
      let any = AccessControl(.whenUnlocked, .biometryAny)
      vault.put([.service: .text("a")], secret: nil, .whenUnlocked, date: 0, .genericPassword, any)
      #expect(try run(arguments, on: vault, readers: readers).exitCode == 0)
      let current = AccessControl(.whenUnlocked, .biometryCurrentSet)
      vault.put([.service: .text("b")], secret: nil, .whenUnlocked, date: 0, .genericPassword, current)
      let asked = try run(arguments, on: vault, readers: readers)
      #expect(asked.exitCode == 3)
      #expect(asked.errors.contains("thumbturn finger \(arguments[0]) --yes confirms"))
      #expect(readers.calls.count == 1)
      #expect(try run(arguments + ["--yes"], on: vault, readers: readers).exitCode == 0)
      #expect(readers.calls.count == 2)
      vault.state.withLock { $0.errors = [KeychainError(VaultError(.classKeyLocked, "r"))] }
      let warned = try run(arguments, on: vault, readers: readers)
      #expect(warned.exitCode == 0)
      #expect(warned.errors.contains("thumbturn: warning: items that require current-finger"))
    }
  }

  @Test("test has the agent ask anew, and says what came of it")
  func test() throws {
    let (vault, agent) = (FakeBackend(.withPasscode, isTaken: true), FakeAgent())
    let agents = FakeAgents(agent)
    #expect(
      try run(["test"], on: vault, agents)
        == Outcome(exitCode: 0, output: Array("the finger was recognised\n".utf8), errors: ""))
    #expect(agent.person.state.withLock { $0.asked } == ["test your finger (thumbturn finger test), anew"])
    for (failure, exitCode, text) in [
      (AuthenticationFailure(.authenticationFailed), 4, "the finger or passcode was not recognised"),
      (AuthenticationFailure(.userCancel), 3, "cancelled"),
      (AuthenticationFailure(.biometryLockout), 4, "too many fingers were not recognised"),
      (AuthenticationFailure(.biometryLockout, .vaultLocked), 3, "the vault is locked"),
      (AuthenticationFailure(.notInteractive, .noPlace), 3, "there is neither a display nor a terminal"),
      (AuthenticationFailure(.biometryNotEnrolled), 4, "no finger is enrolled"),
    ] as [(AuthenticationFailure, Int32, String)] {
      agent.person.state.withLock { $0.answer = .failure(failure) }
      let outcome = try run(["test"], on: vault, agents)
      #expect(outcome.exitCode == exitCode, "\(failure)")
      #expect(outcome.errors.hasPrefix("thumbturn: error: \(text)"), "\(outcome.errors)")
    }
  }

  @Test("test says how an agent is started, and gives up on one that never answers")
  func testWithoutAnswer() throws {
    let outcome = try run(["test"], on: FakeBackend(.withPasscode))
    #expect(outcome.exitCode == 3)
    #expect(outcome.errors.contains("start it: thumbturn unlock"))
    let agent = FakeAgent()
    agent.person.state.withLock { $0.answer = nil }
    let silent = try run(["test"], on: FakeBackend(.withPasscode, isTaken: true), FakeAgents(agent)) {
      $0.evaluationWaitMilliseconds = 100
    }
    #expect(silent.exitCode == 5)
    #expect(silent.errors.contains("the agent did not answer"))
  }

  @Test(
    "simulate gives the agent of a vault that was made for it each event",
    arguments: ["enrolled", "none", "match", "no-match", "cancel", "lockout"])
  func simulate(event: String) throws {
    let (vault, agent) = (FakeBackend(.simulated, isTaken: true), FakeAgent(status: .simulated))
    #expect(
      try run(["simulate", event], on: vault, FakeAgents(agent)) == Outcome(exitCode: 0, output: [], errors: ""))
    #expect(agent.calls.withLock { $0.count } == 1)
    let ordinary = FakeAgent()
    let refused = try run(["simulate", event], on: FakeBackend(.withPasscode, isTaken: true), FakeAgents(ordinary))
    #expect(refused.exitCode == 4)
    #expect(refused.errors.contains("no other vault takes a simulated one"))
    #expect(ordinary.calls.withLock { $0.isEmpty })
    #expect(try run(["simulate", event], on: FakeBackend(.simulated)).exitCode == 3)
  }

  @Test("in a vault with a simulated finger list shows that, and no real finger is enrolled or deleted")
  func simulatedList() throws {
    let (vault, agent) = (FakeBackend(.simulated, isTaken: true), FakeAgent(status: .simulated))
    let (agents, readers) = (FakeAgents(agent), FakeReaders(fingers: ["left-thumb"]))
    #expect(
      try run(["list"], on: vault, agents, readers: readers).text
        == "reader   simulated\nfingers  right-index-finger\n")
    agent.person.state.withLock { $0.status = .success(AuthenticationStatus()) }
    #expect(try run(["list"], on: vault, agents, readers: readers).text == "reader   simulated\nfingers  none\n")
    for arguments in [["enrol"], ["delete", "left-thumb"], ["delete", "--yes"]] {
      #expect(try run(arguments, on: vault, agents, readers: readers).exitCode == 4)
    }
    #expect(readers.calls.isEmpty)
  }

  @Test(
    "takes no more than it needs, and repeats nothing",
    arguments: [
      ["hunter2"], ["list", "hunter2"], ["test", "hunter2"], ["simulate"], ["simulate", "hunter2"],
      ["enrol", "left-thumb", "hunter2"], ["enrol", "--json"], ["test", "--yes"], ["simulate", "match", "--json"], [],
    ])
  func usage(arguments: [String]) throws {
    let readers = FakeReaders(fingers: [])
    let outcome = try run(arguments, readers: readers)
    #expect(outcome.exitCode == 2)
    #expect(outcome.errors.contains("thumbturn: hint: "))
    #expect(!outcome.errors.contains("hunter2"))
    #expect(readers.calls.isEmpty)
  }
}

@Suite("Names of fingers")
struct FingerNameTests {
  @Test("are ten, each hand has the same five, and each finds itself")
  func ten() {
    let names = FingerName.allCases.map(\.rawValue)
    #expect(Set(names).count == 10)
    let left = names.filter { $0.hasPrefix("left-") }.map { $0.dropFirst(5) }
    let right = names.filter { $0.hasPrefix("right-") }.map { $0.dropFirst(6) }
    #expect(left == right && left.count == 5)
    for name in FingerName.allCases { #expect(FingerName.meant(by: Array(name.rawValue.utf8)) == [name]) }
  }
}
