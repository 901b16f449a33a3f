import Synchronization
import Testing
import ThumbturnAuthentication
import ThumbturnCrypto
import ThumbturnKeychain
import ThumbturnVault

@testable import ThumbturnCommand

@Suite("set --require")
struct RequireTests {
  private let agent = FakeAgent()
  private let vault = FakeBackend(.withPasscode, isTaken: true)

  private func run(_ arguments: [String], input: [UInt8] = [1]) throws -> Outcome {
    let agents = FakeAgents(agent)
    return try runCommand(arguments, input: input, on: vault) { $0.findAgents = { _ in agents } }
  }

  private var control: AccessControl? { agent.vault.state.withLock { $0.items.first?.accessControl } }

  @Test(
    "stores an access control, of the class when-unlocked unless another is named",
    arguments: [
      ("finger", AccessControl.Conditions.biometryAny), ("passcode", .devicePasscode), ("any", .userPresence),
      ("current-finger", .biometryCurrentSet),
    ])
  func adds(name: String, conditions: AccessControl.Conditions) throws {
    #expect(try run(["set", "a", "b", "--require", name]) == Outcome(exitCode: 0, output: [], errors: ""))
    #expect(control == AccessControl(.whenUnlocked, conditions))
    agent.vault.state.withLock { $0.items = [] }
    #expect(
      try run(["set", "a", "b", "--require=\(name)", "--accessible", "when-passcode-set-this-device-only"]).exitCode
        == 0)
    #expect(control == AccessControl(.whenPasscodeSetThisDeviceOnly, conditions))
    // Shown by both, and what is stored keeps it.
    #expect(try run(["show", "a", "b"]).text.contains("\nrequires         \(name)\n"))
    #expect(try run(["show", "a", "b", "--json"]).text.contains("\n  \"requires\":\"\(name)\",\n"))
    #expect(try run(["list"]).text == "a\tb\twhen-passcode-set-this-device-only+\(name)\t2001-01-01T00:00:00Z\n")
    #expect(try run(["list", "--json"]).text.contains("\"requires\":\"\(name)\""))
    #expect(try run(["set", "a", "b"], input: [2]).exitCode == 0)
    #expect(control == AccessControl(.whenPasscodeSetThisDeviceOnly, conditions))
  }

  @Test("gives one that is there a requirement, and keeps its class; another class keeps the requirement")
  func changes() throws {
    #expect(try run(["set", "a", "b", "--accessible", "always"]).exitCode == 0)
    #expect(control == nil)
    #expect(try run(["set", "a", "b", "--require", "finger"]).exitCode == 0)
    #expect(control == AccessControl(.always, .biometryAny))
    #expect(try run(["set", "a", "b", "--accessible", "when-unlocked"]).exitCode == 0)
    #expect(control == AccessControl(.whenUnlocked, .biometryAny))
    #expect(try run(["set", "a", "b", "--require", "passcode"]).exitCode == 0)
    #expect(control == AccessControl(.whenUnlocked, .devicePasscode))
    // Who changes what is required has to show it; a new secret alone asks nobody.
    #expect(
      agent.person.state.withLock { $0.asked } == [
        "change what can read a, b", "change what can read a, b",
      ])
    #expect(try run(["set", "a", "b"], input: [7]).exitCode == 0)
    #expect(agent.person.state.withLock { $0.asked.count } == 2)
    agent.person.state.withLock { $0.answer = .failure(AuthenticationFailure(.userCancel)) }
    let cancelled = try run(["set", "a", "b", "--require", "any"], input: [8])
    #expect(cancelled.exitCode == 3)
    #expect(control == AccessControl(.whenUnlocked, .devicePasscode))
    agent.person.state.withLock { $0.answer = .success([.passcode]) }
    #expect(try run(["get", "a", "b"]).output == [7])
  }

  @Test("is refused without a passcode, and for current-finger without agent or finger, before a secret is read")
  func refused() throws {
    let input = try ScratchFile([1])
    func refusal(_ name: String, _ vault: FakeBackend, _ agents: FakeAgents) throws -> Outcome {
      let outcome = try runCommand(["set", "a", "b", "--require", name, "--fd", "\(input.descriptor)"], on: vault) {
        $0.findAgents = { _ in agents }
      }
      #expect(outcome.exitCode != 0)
      // Nothing of it was read.
      #expect(lseekPosition(input.descriptor) == 0)
      return outcome
    }
    for name in RequirementName.allCases.map(\.rawValue) {
      for vault in [FakeBackend(.withoutPasscode), FakeBackend(VaultStatus(isPresent: false))] {
        let outcome = try refusal(name, vault, FakeAgents())
        #expect(outcome.exitCode == 3)
        #expect(
          outcome.errors == """
            thumbturn: error: --require needs a passcode, and none is set; nothing was stored
            thumbturn: hint: set one: thumbturn passcode set

            """)
      }
    }
    let noAgent = try refusal("current-finger", FakeBackend(.withPasscode), FakeAgents())
    #expect(noAgent.exitCode == 3 && noAgent.errors.contains("thumbturn: hint: start it: thumbturn unlock"))
    var none = AuthenticationStatus.readyForFingers
    none.reader = .notEnrolled
    let status = none
    agent.person.state.withLock { $0.status = .success(status) }
    for name in ["finger", "current-finger"] {
      let noFinger = try refusal(name, vault, FakeAgents(agent))
      #expect(noFinger.exitCode == 4 && noFinger.errors.contains("thumbturn finger enrol"))
    }
    none.reader = .unavailable(.noReader)
    let without = none
    agent.person.state.withLock { $0.status = .success(without) }
    let noReader = try refusal("finger", vault, FakeAgents(agent))
    #expect(noReader.exitCode == 4 && noReader.errors.contains("no fingerprint reader is connected"))
    agent.person.state.withLock { $0.status = .failure(AuthenticationFailure(.notInteractive, .agentFailed)) }
    #expect(try refusal("current-finger", vault, FakeAgents(agent)).exitCode == 5)
    let unknown = try refusal("hunter2", vault, FakeAgents(agent))
    #expect(unknown.exitCode == 2 && unknown.errors.contains("finger, passcode, any, current-finger"))
    #expect(!unknown.errors.contains("hunter2"))
  }

  @Test("makes get say what it asks for, by the item's name, and never by its secret")
  func purpose() throws {
    let long = String(repeating: "n", count: 500)
    for (arguments, text) in [
      (["a\u{1b}[2J", "b"], "read the secret of a\\u{1b}[2J, b"),
      (["--url", "https://me@example.org/x"], "read the secret of example.org, me"),
      (["a", long], "read the secret of a, \(long.prefix(100))"), (["--label", "L", "s"], "read the secret of s, L"),
    ] {
      let invocation = try parseArguments((["get"] + arguments).map { Array($0.utf8) })
      #expect(try invocation.selection().purpose() == text)
    }
  }

  @Test("has nobody asked for an item that is not meant")
  func ambiguous() throws {
    for account in ["b", "c"] {
      let control = AccessControl(.whenUnlocked, .biometryAny)
      agent.vault.put(
        [.service: .text("a"), .account: .text(account), .label: .text("L")], secret: try secret([1]), .whenUnlocked,
        date: 0, .genericPassword, control)
    }
    #expect(try run(["get", "--label", "L"]).exitCode == 4)
    #expect(agent.person.state.withLock { $0.asked.isEmpty })
    #expect(try run(["get", "a", "b"]).output == [1])
    #expect(agent.person.state.withLock { $0.asked } == ["read the secret of a, b"])
  }

  @Test(
    "lets get end with what came of asking, and gives out nothing then",
    arguments: [
      (AuthenticationFailure(.userCancel), 3, "cancelled"),
      (AuthenticationFailure(.authenticationFailed), 4, "the finger or passcode was not recognised"),
      (AuthenticationFailure(.biometryLockout), 4, "too many fingers were not recognised"),
      (AuthenticationFailure(.notInteractive, .noPlace), 3, "there is neither a display nor a terminal for a prompt"),
      (AuthenticationFailure(.systemCancel, .timedOut), 3, "nobody answered in time"),
      (AuthenticationFailure(.systemCancel, .agentFailed), 5, "the agent did not answer"),
    ])
  func failures(failure: AuthenticationFailure, exitCode: Int32, text: String) throws {
    let control = AccessControl(.whenUnlocked, .userPresence)
    agent.vault.put(
      [.service: .text("a"), .account: .text("b")], secret: try secret([1]), .whenUnlocked, date: 0, .genericPassword,
      control)
    agent.person.state.withLock { $0.answer = .failure(failure) }
    let outcome = try run(["get", "a", "b"])
    #expect(outcome.exitCode == exitCode)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("thumbturn: error: \(text)\n"), "\(outcome.errors)")
  }

  @Test("needs the agent for get, and says so")
  func withoutAgent() throws {
    let vault = FakeBackend(.withPasscode)
    let control = AccessControl(.always, .userPresence)
    vault.put(
      [.service: .text("a"), .account: .text("b")], secret: try secret([1]), .always, date: 0, .genericPassword, control
    )
    let outcome = try runCommand(["get", "a", "b"], on: vault) { $0.findAgents = { _ in FakeAgents() } }
    #expect(outcome.exitCode == 3)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("no agent of this vault runs"))
  }

  @Test(
    "is shown whatever a program asked for",
    arguments: [
      ([.biometryAny, .devicePasscode], "finger-and-passcode"),
      ([.biometryAny, .devicePasscode, .or], "finger-or-passcode"),
      ([.applicationPassword], "password"), ([.userPresence, .applicationPassword], "any+password"),
      ([.biometryCurrentSet, .companion, .or], "current-finger-or-companion"),
      ([.privateKeyUsage, .biometryAny], "finger+key-use-only"), ([], nil),
    ] as [(AccessControl.Conditions, String?)])
  func others(conditions: AccessControl.Conditions, text: String?) {
    #expect(AccessControl(.whenUnlocked, conditions)?.requirementText == text)
  }
}
