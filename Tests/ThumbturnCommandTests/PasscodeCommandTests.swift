import Glibc
import Synchronization
import Testing
import ThumbturnKeychain
import ThumbturnVault

@testable import ThumbturnCommand

@Suite("The passcode's commands")
struct PasscodeCommandTests {
  /// Runs a command with `text` on descriptor N of `--fd`.
  private func run(
    _ arguments: [String], _ text: String? = nil, on vault: FakeBackend,
    change: (inout CommandContext) -> Void = { _ in }
  ) throws -> Outcome {
    guard let text else { return try runCommand(arguments, on: vault, change: change) }
    let file = try ScratchFile(Array(text.utf8))
    return try runCommand(arguments + ["--fd", "\(file.descriptor)"], on: vault, change: change)
  }

  @Test(
    "take passcodes from a descriptor, line by line",
    arguments: [
      (["passcode", "set"], VaultStatus.withoutPasscode, "new", "passcode - new rotates"),
      (["passcode", "set", "--rotate"], .withoutPasscode, "new\n", "passcode - new rotates"),
      (["passcode", "change"], .withPasscode, "old\nnew\n", "passcode old new"),
      (["passcode", "change", "--rotate"], .withPasscode, "old\nnew", "passcode old new rotates"),
      (["passcode", "remove", "--yes"], .withPasscode, "old\nmore\n", "passcode old -"),
      (["vault", "settings", "--grace", "0"], .withPasscode, "old", "settings 0 900"),
      (["vault", "settings", "--idle=86400", "--grace=300"], .withPasscode, "old", "settings 300 86400"),
      (["vault", "accept-older", "--yes"], .withPasscode, "old", "accept passcode"),
    ])
  func descriptor(arguments: [String], status: VaultStatus, text: String, call: String) throws {
    let vault = FakeBackend(status)
    let outcome = try run(arguments, text, on: vault)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
    #expect(vault.state.withLock { $0.calls } == [call])
  }

  @Test("warn after a change that keeps the keys, and only then")
  func warning() throws {
    for (arguments, isWarned) in [(["passcode", "change"], true), (["passcode", "change", "--rotate"], false)] {
      let outcome = try run(arguments, "old\nnew", on: FakeBackend(.withPasscode))
      #expect(outcome.errors.contains("thumbturn: warning: whoever has an older copy") == isWarned)
    }
  }

  @Test(
    "refuse before anything is asked or done",
    arguments: [
      (["passcode", "set"], VaultStatus.withPasscode, 4, "a passcode is set already"),
      (["passcode", "change"], .withoutPasscode, 4, "no passcode is set"),
      (["passcode", "remove"], .withoutPasscode, 4, "no passcode is set"),
      (["passcode", "change"], .lockedOut, 4, "none is tried for the next 5 minutes (299 seconds)"),
      (["unlock"], .lockedOut, 4, "none is tried for the next 5 minutes (299 seconds)"),
      (["unlock"], .withoutPasscode, 4, "no passcode is set"),
      (["unlock"], VaultStatus(isPresent: false), 1, "there is no vault yet"),
      (["lock"], .withoutPasscode, 4, "no passcode is set"),
      (["vault", "settings", "--grace", "1"], .withoutPasscode, 4, "no passcode is set"),
      (["passcode", "set"], .withoutPasscode, 3, "a passcode is needed, and nobody can be asked"),
      (["passcode", "change"], .withPasscode, 3, "a passcode is needed, and nobody can be asked"),
      (["passcode", "remove", "--yes"], .withPasscode, 3, "a passcode is needed, and nobody can be asked"),
      (["passcode", "remove"], .withPasscode, 3, "a confirmation is needed, and nobody can be asked"),
      (["unlock"], .withPasscode, 3, "a passcode is needed, and nobody can be asked"),
      (["vault", "settings", "--grace", "1"], .withPasscode, 3, "a passcode is needed, and nobody can be asked"),
      (["vault", "accept-older"], .withPasscode, 3, "a confirmation is needed, and nobody can be asked"),
      (["passcode", "hunter2"], .withPasscode, 2, "passcode does not know that ACTION"),
      (["passcode", "set", "hunter2"], .withoutPasscode, 2, "passcode takes no passcode on the command line"),
      (["unlock", "hunter2"], .withPasscode, 2, "unlock takes no passcode on the command line"),
      (["vault", "settings", "--grace", "301"], .withPasscode, 2, "--grace needs whole seconds, 0 to 300"),
      (["vault", "settings", "--idle", "86401"], .withPasscode, 2, "--idle needs whole seconds, 0 to 86400"),
      (["vault", "settings", "--idle", "-1"], .withPasscode, 2, "--idle needs whole seconds, 0 to 86400"),
      (["vault", "settings", "--yes"], .withPasscode, 2, "without --grace and --idle settings only shows"),
      (["vault", "accept-older", "--idle", "1"], .withPasscode, 2, "accept-older takes no settings"),
    ])
  func refused(arguments: [String], status: VaultStatus, exitCode: Int32, text: String) throws {
    let vault = FakeBackend(status)
    let outcome = try runCommand(arguments, on: vault)
    #expect(outcome.exitCode == exitCode)
    #expect(outcome.errors.contains(text), "\(outcome.errors)")
    #expect(outcome.errors.contains("thumbturn: hint: "))
    #expect(!outcome.errors.contains("hunter2"))
    #expect(vault.state.withLock { $0.calls }.allSatisfy { $0 == "count" })
  }

  @Test(
    "take 1 to 1,024 bytes",
    arguments: [
      ("", 2), ("\n", 2), (String(repeating: "p", count: 1_024), 0), (String(repeating: "p", count: 1_025), 4),
    ] as [(String, Int32)])
  func limits(text: String, exitCode: Int32) throws {
    let outcome = try run(["passcode", "set"], text, on: FakeBackend(.withoutPasscode))
    #expect(outcome.exitCode == exitCode)
    #expect(!outcome.errors.contains("ppp"))
  }

  @Test("make a vault with a simulated finger where there is none, and no other one on purpose")
  func create() throws {
    let vault = FakeBackend()
    let made = try runCommand(["vault", "create", "--simulated-finger"], on: vault)
    #expect(made.exitCode == 0 && made.errors.contains("thumbturn finger simulate enrolled"))
    #expect(vault.state.withLock { $0.calls } == ["simulated"])
    for status in [VaultStatus.withPasscode, .withoutPasscode, .simulated] {
      let vault = FakeBackend(status)
      let refused = try runCommand(["vault", "create", "--simulated-finger"], on: vault)
      #expect(refused.exitCode == 4)
      #expect(refused.errors.contains("there is a vault at /nonexistent/vault already, nothing was changed"))
      #expect(vault.state.withLock { $0.calls.isEmpty })
    }
    for arguments in [
      ["create"], ["create", "--simulated-finger", "--yes"], ["create", "--simulated-finger", "--idle", "1"],
      ["settings", "--simulated-finger"], ["accept-older", "--simulated-finger"],
    ] {
      let outcome = try runCommand(["vault"] + arguments, on: vault)
      #expect(outcome.exitCode == 2, "\(arguments)")
      #expect(vault.state.withLock { $0.calls.count } == 1)
    }
  }

  @Test("show the settings without being asked for a passcode")
  func settings() throws {
    #expect(
      try runCommand(["vault", "settings"], on: FakeBackend(.withPasscode))
        == Outcome(exitCode: 0, output: Array("grace  10\nidle   900\n".utf8), errors: ""))
  }

  @Test("accept an older copy without a passcode where none is set, and ask for it where one is")
  func acceptOlder() throws {
    let vault = FakeBackend(.withoutPasscode)
    #expect(try runCommand(["vault", "accept-older", "--yes"], on: vault).exitCode == 0)
    vault.state.withLock { $0.errors = [KeychainError(VaultError(.passcodeIsSet, "r"))] }
    #expect(try runCommand(["vault", "accept-older", "--yes"], on: vault).exitCode == 3)
    #expect(vault.state.withLock { $0.calls } == ["accept -", "accept -"])
  }

  @Test("leave what stands behind the line to whoever reads next")
  func lineOnly() throws {
    let file = try ScratchFile(Array("one\ntwo\n".utf8))
    #expect(
      try runCommand(["passcode", "set", "--fd", "\(file.descriptor)"], on: FakeBackend(.withoutPasscode)).exitCode == 0
    )
    #expect(lseek(file.descriptor, 0, SEEK_CUR) == 4)
  }

  @Test("give up on a descriptor that gives nothing, and do not wait behind the newline")
  func silence() throws {
    let pipe = try Pipe()
    pipe.send(Array("new\n".utf8))
    let arguments = ["passcode", "set", "--fd", "\(pipe.reading)"]
    #expect(try runCommand(arguments, on: FakeBackend(.withoutPasscode)).exitCode == 0)
    let outcome = try runCommand(arguments, on: FakeBackend(.withoutPasscode)) { $0.inputWaitMilliseconds = 50 }
    #expect(outcome.exitCode == 5)
    #expect(outcome.errors.contains("no passcode came for too long"))
  }

  @Test("ask for a new passcode twice, and again when the two differ, three times at most")
  func prompts() throws {
    let terminal = try Pseudoterminal()
    let vault = FakeBackend(.withPasscode)
    let arguments = ["passcode", "change"]
    func start() -> Background<Outcome> {
      Background {
        try runCommand(arguments, on: vault) {
          $0.input = terminal.program
          $0.terminalPath = terminal.path
        }
      }
    }
    func answer(_ lines: [(String, String)]) {
      for (question, typed) in lines {
        #expect(terminal.read(until: ": ").hasSuffix("\(question) (not shown): "))
        terminal.type(typed + "\r")
      }
    }
    var outcome = start()
    answer([("passcode", "hunter1")])
    for _ in 0..<2 { answer([("new passcode", "hunter2"), ("new passcode again", "hunter3")]) }
    answer([("new passcode", "hunter2"), ("new passcode again", "hunter2")])
    let done = try #require(try outcome.value())
    #expect(done.exitCode == 0)
    #expect(done.errors.contains("thumbturn: the two are not the same\n"))
    #expect(vault.state.withLock { $0.calls } == ["passcode old new"])

    outcome = start()
    answer([("passcode", "hunter1")])
    for _ in 0..<3 { answer([("new passcode", "hunter2"), ("new passcode again", "hunter3")]) }
    let refused = try #require(try outcome.value())
    #expect(refused.exitCode == 3)
    #expect(vault.state.withLock { $0.calls.count } == 1)
    #expect(!(done.errors + refused.errors + terminal.readWhatIsThere()).contains("hunter"))
  }

  @Test("say how many items a removal takes, and do nothing without a yes")
  func removal() throws {
    let terminal = try Pseudoterminal()
    let vault = FakeBackend(.withPasscode)
    for name in ["a", "b"] {
      vault.put([.service: .text(name)], secret: nil, .whenPasscodeSetThisDeviceOnly, date: 0)
    }
    let outcome = Background {
      try runCommand(["passcode", "remove"], on: vault) {
        $0.input = terminal.program
        $0.terminalPath = terminal.path
      }
    }
    let shown = terminal.read(until: "] ")
    #expect(shown.contains("2 items of the class when-passcode-set-this-device-only are lost with it"))
    terminal.type("no\r")
    #expect(try outcome.value()?.exitCode == 3)
    #expect(vault.state.withLock { $0.calls } == ["count"])
  }

  @Test("write a passcode nowhere, whatever goes wrong")
  func planted() throws {
    let planted = "planted-passcode-7c1f"
    let errors = VaultError.Code.all.map { KeychainError(VaultError($0, "r", part: .keybag, secondsToWait: 7)) }
    for error in errors {
      for arguments in [
        ["passcode", "set"], ["passcode", "change"], ["passcode", "remove", "--yes"],
        ["vault", "settings", "--idle", "1"], ["vault", "accept-older", "--yes"],
      ] {
        let vault = FakeBackend(arguments == ["passcode", "set"] ? .withoutPasscode : .withPasscode)
        vault.state.withLock { $0.errors = [error] }
        let outcome = try run(arguments, "\(planted)\n\(planted)\n", on: vault)
        #expect(outcome.exitCode != 0)
        #expect(!outcome.errors.contains(planted) && !outcome.text.contains(planted))
      }
    }
    // On the command line it is refused, and not repeated.
    for arguments in [
      ["passcode", planted], ["passcode", "set", planted], ["unlock", planted], ["lock", planted], ["vault", planted],
      ["vault", "settings", planted], ["unlock", "--fd", planted], ["vault", "settings", "--grace", planted],
      ["passcode", "set", "--\(planted)"],
    ] {
      let outcome = try runCommand(arguments, on: FakeBackend(.withPasscode))
      #expect(outcome.exitCode == 2)
      #expect(!outcome.errors.contains(planted))
    }
  }
}
