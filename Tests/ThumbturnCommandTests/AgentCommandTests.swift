import Foundation
import Glibc
import Synchronization
import Testing
import ThumbturnCrypto
import ThumbturnKeychain
import ThumbturnVault

@testable import ThumbturnCommand

@Suite("Commands beside an agent")
struct AgentCommandTests {
  /// A folder in which a program of this name can be run.
  private final class Programs {
    let folder = FileManager.default.temporaryDirectory.appending(path: "thumbturn-\(UUID())")
    init(_ name: String, _ script: String = "exit 0") throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      let file = folder.appending(path: name)
      try "#!/bin/sh\n\(script)\n".write(to: file, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    }
    deinit { try? FileManager.default.removeItem(at: folder) }
  }

  /// Runs a command with `text` on the descriptor of `--fd`.
  private func run(
    _ arguments: [String], _ text: String? = nil, on vault: FakeBackend, _ agents: FakeAgents,
    change: (inout CommandContext) -> Void = { _ in }
  ) throws -> Outcome {
    let file = try ScratchFile(Array((text ?? "").utf8))
    return try runCommand(arguments + (text == nil ? [] : ["--fd", "\(file.descriptor)"]), on: vault) {
      $0.findAgents = { _ in agents }
      $0.agentWaitMilliseconds = 300
      $0.findCredentialFolder = { nil }
      change(&$0)
    }
  }

  @Test("go to the agent that holds the vault, every one of them")
  func routed() throws {
    let (vault, agent) = (FakeBackend(.withPasscode, isTaken: true), FakeAgent())
    let agents = FakeAgents(agent)
    for arguments in [
      ["set", "a", "b"], ["get", "a", "b"], ["show", "a", "b"], ["list"], ["list", "--all-groups"], ["rm", "a", "b"],
    ] {
      #expect(try run(arguments, on: vault, agents).exitCode == 0, "\(arguments)")
    }
    #expect(try run(["passcode", "change"], "a\nb", on: vault, agents).exitCode == 0)
    #expect(try run(["passcode", "remove", "--yes"], "a", on: vault, agents).exitCode == 0)
    #expect(try run(["vault", "settings", "--idle", "0"], "a", on: vault, agents).exitCode == 0)
    #expect(try run(["vault", "accept-older", "--yes"], "a", on: vault, agents).exitCode == 0)
    let calls = agent.vault.state.withLock { $0.calls }
    #expect(calls.first == "update" && calls.contains("add") && calls.contains("groups") && calls.contains("delete"))
    #expect(calls.suffix(4) == ["passcode old new", "passcode old -", "settings 10 0", "accept passcode"])
    #expect(vault.state.withLock { $0.items.isEmpty })
  }

  @Test("stay in process while the seat is free, whatever agent there is")
  func inProcess() throws {
    let (vault, agent) = (FakeBackend(.withPasscode), FakeAgent())
    #expect(try run(["set", "a", "b"], on: vault, FakeAgents(agent)).exitCode == 0)
    #expect(agent.vault.state.withLock { $0.calls.isEmpty })
  }

  @Test(
    "fail when the seat is taken and nothing answers",
    arguments: [["get", "a", "b"], ["status"], ["lock"], ["unlock"]])
  func nobodyAnswers(arguments: [String]) throws {
    let outcome = try run(arguments, on: FakeBackend(.withPasscode, isTaken: true), FakeAgents())
    #expect(outcome.exitCode == 5)
    #expect(outcome.errors.contains("another process holds the vault, and no agent answers"))
    #expect(outcome.errors.contains("thumbturn lock --stop"))
  }

  @Test("check is refused, and says how the agent is ended", arguments: [[], ["--salvage"], ["--accept"]])
  func check(options: [String]) throws {
    let vault = FakeBackend(.withPasscode, isTaken: true)
    let outcome = try run(["check"] + options, on: vault, FakeAgents(FakeAgent()))
    #expect(outcome.exitCode == 4)
    #expect(
      outcome.errors == """
        thumbturn: error: an agent (process 4711) holds the vault, and a check needs it alone
        thumbturn: hint: thumbturn lock --stop ends the agent; unlock again afterwards

        """)
    #expect(vault.state.withLock { $0.calls.isEmpty })
  }

  @Test("unlock gives a running agent the passcode, and starts none")
  func unlock() throws {
    let (vault, agent) = (FakeBackend(.withPasscode, isTaken: true), FakeAgent())
    let agents = FakeAgents(agent)
    #expect(try run(["unlock"], "right\n", on: vault, agents) == Outcome(exitCode: 0, output: [], errors: ""))
    #expect(agent.calls.withLock { $0 } == ["unlock"])
    #expect(agents.state.withLock { $0.started.isEmpty })
    let wrong = try run(["unlock"], "wrong", on: vault, agents)
    #expect(wrong.exitCode == 4)
    #expect(wrong.errors.hasPrefix("thumbturn: error: the passcode is wrong\n"))
  }

  @Test(
    "unlock starts the agent's program beside this one, or in libexec, and waits for it", arguments: ["", "libexec"])
  func start(place: String) throws {
    let programs = try Programs("thumbturnd")
    var folder = programs.folder.path
    if place == "libexec" {
      // bin/thumbturn beside libexec/thumbturn/thumbturnd
      let libexec = programs.folder.appending(path: "libexec/thumbturn")
      try FileManager.default.createDirectory(at: libexec, withIntermediateDirectories: true)
      try FileManager.default.moveItem(
        at: programs.folder.appending(path: "thumbturnd"), to: libexec.appending(path: "thumbturnd"))
      folder += "/bin"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }
    let program = folder
    let (agents, agent) = (FakeAgents(), FakeAgent())
    agents.state.withLock { $0.startable = (agent, 3) }
    let outcome = try run(["unlock"], "right", on: FakeBackend(.withPasscode), agents) {
      $0.findProgramFolder = { program }
    }
    #expect(outcome == Outcome(exitCode: 0, output: [], errors: ""))
    #expect(agent.calls.withLock { $0 } == ["unlock"])
    let path = place.isEmpty ? "\(program)/thumbturnd" : "\(program)/../libexec/thumbturn/thumbturnd"
    #expect(agents.state.withLock { $0.started } == [path])
  }

  @Test("unlock does not wait for ever for an agent that does not listen, and not at all for one that ended")
  func neverListens() throws {
    let programs = try Programs("thumbturnd")
    let folder = programs.folder.path
    for exitCode in [nil, 3] as [Int32?] {
      let agents = FakeAgents()
      agents.state.withLock { $0.exitCode = exitCode }
      let begun = ContinuousClock.now
      let outcome = try run(["unlock"], "right", on: FakeBackend(.withPasscode), agents) {
        $0.findProgramFolder = { folder }
        if exitCode != nil { $0.agentWaitMilliseconds = 60_000 }
      }
      #expect(outcome.exitCode == 5)
      #expect(outcome.errors.contains(exitCode == nil ? "does not listen after" : "before it listened: exit code 3"))
      #expect(ContinuousClock.now - begun < .seconds(20))
    }
  }

  @Test("unlock takes the agent that was faster than the one that it started")
  func faster() throws {
    let programs = try Programs("thumbturnd")
    let folder = programs.folder.path
    let (agents, agent) = (FakeAgents(), FakeAgent())
    agents.state.withLock { state in
      state.exitCode = 1
      state.startable = (agent, 0)
    }
    let outcome = try run(["unlock"], "right", on: FakeBackend(.withPasscode), agents) {
      $0.findProgramFolder = { folder }
    }
    #expect(outcome.exitCode == 0)
  }

  @Test("unlock says so when there is no agent's program")
  func notInstalled() throws {
    let outcome = try run(["unlock"], "right", on: FakeBackend(.withPasscode), FakeAgents())
    #expect(outcome.exitCode == 5)
    #expect(outcome.errors.contains("thumbturnd is not installed"))
  }

  @Test("lock has the agent forget the keys, and with --stop ends it")
  func lock() throws {
    let (vault, agent) = (FakeBackend(.withPasscode, isTaken: true), FakeAgent())
    let agents = FakeAgents(agent)
    #expect(try run(["lock"], on: vault, agents) == Outcome(exitCode: 0, output: [], errors: ""))
    agent.onStop.withLock { $0 = { vault.state.withLock { $0.free() } } }
    #expect(try run(["lock", "--stop"], on: vault, agents).exitCode == 0)
    #expect(agent.calls.withLock { $0 } == ["lock", "lock", "stop"])
  }

  @Test("an agent that ends at once is told of in its own words, and a word of another program as it is")
  func saidBeforeEnd() throws {
    let programs = try Programs("thumbturnd")
    let folder = programs.folder.path
    for (said, text) in [
      ("noise\nthumbturnd: error: the socket's folder is open to others\n", "the socket's folder is open to others"),
      ("a loader's word\u{1b}[2J\n", "a loader's word\\u{1b}[2J"), ("", "exit code 4"), ("\n", "exit code 4"),
    ] {
      let agents = FakeAgents()
      agents.state.withLock {
        $0.exitCode = 4
        $0.said = said
      }
      let outcome = try run(["unlock"], "right", on: FakeBackend(.withPasscode), agents) {
        $0.findProgramFolder = { folder }
      }
      #expect(outcome.exitCode == 5)
      #expect(outcome.errors.hasPrefix("thumbturn: error: thumbturnd ended before it listened: \(text)\n"))
    }
  }

  @Test("unlock --finger says what a finger cannot do, and without the passcode nothing opens")
  func unlockByFinger() throws {
    let (vault, agent) = (FakeBackend(.withPasscode, isTaken: true), FakeAgent())
    let hint = "thumbturn: hint: a finger yields no key"
    let opened = try run(["unlock", "--finger"], "right", on: vault, FakeAgents(agent))
    #expect(opened.exitCode == 0 && opened.errors.hasPrefix(hint))
    for text in ["wrong", nil] {
      let outcome = try run(["unlock", "--finger"], text, on: vault, FakeAgents(agent))
      #expect(outcome.exitCode == (text == nil ? 3 : 4) && outcome.errors.hasPrefix(hint))
    }
    #expect(agent.calls.withLock { $0 } == ["unlock"])
    #expect(agent.person.state.withLock { $0.asked.isEmpty })
  }

  @Test("lock tells of an agent whose vault was moved away, and does not say that nothing is unlocked")
  func lockMovedVault() throws {
    let agents = FakeAgents()
    agents.state.withLock { $0.isAnswered = true }
    for arguments in [["lock"], ["lock", "--stop"]] {
      let outcome = try run(arguments, on: FakeBackend(VaultStatus(isPresent: false)), agents)
      #expect(outcome.exitCode == 5)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.contains("its vault is not at /nonexistent/vault any more: nothing was locked"))
    }
  }

  @Test("passcode set says whether the agent keeps the vault open", arguments: [true, false])
  func setByAgent(isOpen: Bool) throws {
    let (vault, agent) = (FakeBackend(.withoutPasscode, isTaken: true), FakeAgent(status: .withoutPasscode))
    agent.lockState.withLock { $0 = isOpen ? .unlocked : .locked }
    let outcome = try run(["passcode", "set"], "new", on: vault, FakeAgents(agent))
    #expect(outcome.exitCode == 0)
    #expect(outcome.errors.contains("the agent keeps the items open until it locks") == isOpen)
    #expect(outcome.errors.contains("the items are locked now") == !isOpen)
  }

  @Test("lock without an agent has nothing to do, and says so")
  func lockNothing() throws {
    for arguments in [["lock"], ["lock", "--stop"]] {
      let outcome = try run(arguments, on: FakeBackend(.withPasscode), FakeAgents())
      #expect(outcome.exitCode == 0)
      #expect(outcome.text == "no agent runs, so nothing is unlocked\n")
      #expect(outcome.errors.isEmpty)
    }
  }

  @Test("lock without a passcode is refused, and --stop ends the agent all the same")
  func lockWithoutPasscode() throws {
    let (vault, agent) = (FakeBackend(.withoutPasscode, isTaken: true), FakeAgent(status: .withoutPasscode))
    let agents = FakeAgents(agent)
    let refused = try run(["lock"], on: vault, agents)
    #expect(refused.exitCode == 4)
    #expect(refused.errors.contains("thumbturn: hint: set one: thumbturn passcode set"))
    agent.onStop.withLock { $0 = { vault.state.withLock { $0.free() } } }
    #expect(try run(["lock", "--stop"], on: vault, agents).exitCode == 0)
    #expect(agent.calls.withLock { $0 } == ["stop"])
  }

  @Test("status shows the agent, what is open and for how long")
  func status() throws {
    let (vault, agent) = (FakeBackend(.withPasscode, isTaken: true), FakeAgent())
    let agents = FakeAgents(agent)
    agent.lockState.withLock { $0 = .locking(secondsLeft: 7) }
    let text = try run(["status"], on: vault, agents).text
    #expect(text.hasPrefix("not protected at this version:\n  - items of the classes always"))
    #expect(
      text.hasSuffix(
        """
        seat           agent, process 4711
        passcode       set
        lock state     locked in 7 seconds
        keys in memory always, always-this-device-only
        wrong tries    0
        grace          10 seconds
        idle lock      900 seconds
        locks in       899 seconds
        screen lock    locks the vault

        """), "\(text)")
    let json = try run(["status", "--json"], on: vault, agents).text
    #expect(
      json.hasSuffix(
        """
          "seat":"agent",
          "agentProcess":4711,
          "lockState":"locking",
          "keysInMemory":["always","always-this-device-only"],
          "wrongTries":0,
          "secondsToWait":0,
          "graceSeconds":10,
          "idleSeconds":900,
          "secondsToLock":7,
          "secondsToIdleLock":899,
          "listensToLogind":true
        }

        """), "\(json)")
    #expect((try? JSONSerialization.jsonObject(with: Data(json.utf8))) != nil)
  }

  @Test(
    "status says in which state a vault is",
    arguments: [
      (AgentSummary.LockState.beforeFirstUnlock, "before first unlock", "beforeFirstUnlock"),
      (.unlocked, "unlocked", "unlocked"), (.locked, "locked", "locked"),
    ])
  func states(state: AgentSummary.LockState, text: String, name: String) throws {
    let (vault, agent) = (FakeBackend(.withPasscode, isTaken: true), FakeAgent())
    agent.lockState.withLock { $0 = state }
    let agents = FakeAgents(agent)
    #expect(try run(["status"], on: vault, agents).text.contains("\nlock state     \(text)\n"))
    #expect(try run(["status", "--json"], on: vault, agents).text.contains("\"lockState\":\"\(name)\""))
  }

  @Test("status tells wrong tries and how long none is made")
  func tries() throws {
    let text = try run(["status"], on: FakeBackend(.lockedOut), FakeAgents()).text
    #expect(text.contains("\nwrong tries    6, none is tried for the next 5 minutes (299 seconds)\n"))
    #expect(text.contains("\nseat           in process, no agent\n"))
  }

  @Test(
    "unlock reads the first line of systemd's credential, and refuses one that others can open",
    arguments: [
      ("right\n", 0o400, 0), ("right", 0o600, 0), ("right\nmore\n", 0o400, 0), ("\nright", 0o400, 2),
      ("right", 0o440, 4), ("right", 0o602, 4),
      ("", 0o400, 2), (String(repeating: "r", count: 1_026), 0o400, 4),
    ] as [(String, Int, Int32)])
  func credential(text: String, mode: Int, exitCode: Int32) throws {
    let programs = try Programs("other")
    let folder = programs.folder.path
    let file = folder + "/thumbturn.passcode"
    try Data(text.utf8).write(to: URL(filePath: file))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    let (vault, agent) = (FakeBackend(.withPasscode, isTaken: true), FakeAgent())
    let outcome = try run(["unlock"], on: vault, FakeAgents(agent)) { $0.findCredentialFolder = { folder } }
    #expect(outcome.exitCode == exitCode, "\(outcome.errors)")
    #expect(!outcome.errors.contains("right"))
    // The descriptor that is named goes before it.
    #expect(
      try run(["unlock"], "right", on: vault, FakeAgents(agent)) { $0.findCredentialFolder = { folder } }.exitCode == 0)
  }

  @Test("a credential is a file, and no link to one")
  func credentialLink() throws {
    let programs = try Programs("other")
    let folder = programs.folder.path
    try Data("right".utf8).write(to: URL(filePath: folder + "/real"))
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: folder + "/real")
    let link = folder + "/thumbturn.passcode"
    let vault = FakeBackend(.withPasscode, isTaken: true)
    func unlock() throws -> Int32 {
      try run(["unlock"], on: vault, FakeAgents(FakeAgent())) { $0.findCredentialFolder = { folder } }.exitCode
    }
    #expect(try unlock() == 3)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder + "/real")
    #expect(try unlock() == 4)
    try FileManager.default.removeItem(atPath: link)
    try FileManager.default.createDirectory(atPath: link, withIntermediateDirectories: false)
    #expect(try unlock() == 4)
  }

  @Test("a started program has a session of its own, nothing of ours open, and no argument")
  func detached() throws {
    let programs = try Programs(
      "thumbturnd",
      """
      cd "${0%/*}" && ls -l /proc/$$/fd >list && sed -n 's/.* \\([0-9]*\\) -> \\(.*\\)/\\1 \\2/p' list >new && \
      echo "arguments $#" >>new && echo "session $(cut -d ' ' -f 6 /proc/$$/stat) process $$" >>new && mv new seen; echo planted >&2; exit 9
      """)
    // Not closed by exec: what --fd names.
    let pipe = try Pipe()
    let shared = fcntl(pipe.reading, F_DUPFD, 40)
    defer { close(shared) }
    try #require(shared >= 40 && fcntl(shared, F_GETFD) & FD_CLOEXEC == 0)
    let (process, errors) = try System.startProgram(programs.folder.path + "/thumbturnd")
    var exitCode: Int32?
    for _ in 0..<1_000 where exitCode == nil {
      usleep(10_000)
      exitCode = System.exitCode(of: process)
    }
    #expect(exitCode == 9)
    let seen = try String(contentsOf: programs.folder.appending(path: "seen"), encoding: .utf8)
    // The pipe is where its errors go, and no other of ours.
    #expect(!seen.contains("\n\(shared) "), "\(seen)")
    #expect(seen.split(separator: "\n").filter { $0.contains("pipe:") }.map { $0.prefix(2) } == ["2 "], "\(seen)")
    #expect(errors.text() == "planted\n")
    #expect(errors.text().isEmpty)
    #expect(seen.hasPrefix("0 /dev/null\n"))
    #expect(seen.contains("arguments 0\n"))
    #expect(seen.contains("session \(process) process \(process)\n"))
  }
}
