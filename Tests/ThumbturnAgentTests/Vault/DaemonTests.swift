import AgentFixtures
import Foundation
import Testing
import TestFixtures
import ThumbturnAgentClient
import ThumbturnCrypto
import ThumbturnKeychain
import ThumbturnVault

extension AgentTests {
  @Suite("The program thumbturnd")
  struct Daemon {
    private static let program = SpawnedAgent.buildFolder + "/thumbturnd"

    private func spawn(
      _ arguments: [String] = [], home: String, _ environment: [String: String] = [:]
    ) throws -> SpawnedAgent {
      try SpawnedAgent(
        arguments, of: Self.program, environment: environment.merging(["THUMBTURN_HOME": home]) { $1 })
    }

    /// Whether it answers within 10 seconds.
    private func isServing(_ vault: VaultAgent) -> Bool { becomes { (try? vault.control.status()) != nil } }

    @Test("says how it is used and its version, and takes nothing else")
    func arguments() throws {
      let home = try TemporaryHome()
      let expected: [(arguments: [String], exitCode: Int32, text: String)] = [
        (["--help"], 0, "usage: thumbturnd"), (["--version"], 0, "thumbturnd 0."),
        (["--nonsense"], 2, "thumbturnd: error: it takes no such argument"),
        (["--help", "--version"], 2, "hint: thumbturnd --help"), (["-h"], 2, "error"), ([""], 2, "error"),
        (["vault", home.path], 2, "error"), (["--clock=0"], 2, "error"), (["serve", home.path], 2, "error"),
      ]
      for (arguments, exitCode, text) in expected {
        let daemon = try spawn(arguments, home: home.path)
        #expect(daemon.waitForEnd(seconds: 10) == exitCode, "\(arguments)")
        #expect(daemon.printed.contains(text), "\(arguments): \(daemon.printed)")
      }
      #expect(try home.files().isEmpty)
    }

    @Test("without a vault, or with a folder open to others, ends with 4 and makes nothing")
    func noVault() throws {
      let home = try TemporaryHome()
      let daemon = try spawn(home: home.path)
      #expect(daemon.waitForEnd(seconds: 10) == 4)
      #expect(daemon.printed == "thumbturnd: error: there is no vault yet\n")
      #expect(try FileManager.default.subpathsOfDirectory(atPath: home.path).isEmpty)
      let vault = try VaultAgent(classes: [], isStarted: false)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: vault.path)
      let open = try spawn(home: vault.path)
      #expect(open.waitForEnd(seconds: 10) == 4, "\(open.printed)")
      #expect(!open.printed.contains(vault.path))
    }

    @Test("serves a vault; a second one is refused with 4; SIGTERM ends it with 0")
    func serves() throws {
      let vault = try VaultAgent(classes: [.whenUnlocked], isStarted: false)
      let daemon = try spawn(home: vault.path)
      #expect(isServing(vault), "\(daemon.printed)")
      let status = try vault.control.status()
      #expect(status.process == daemon.process && status.lockState == .beforeFirstUnlock)
      try vault.control.unlock(text("1234"))
      #expect(try vault.keychain.find(query(), for: Caller()).first?.text == "secret of ak")
      let second = try spawn(home: vault.path)
      #expect(second.waitForEnd(seconds: 15) == 4)
      #expect(second.printed == "thumbturnd: error: another process holds the vault\n")
      // It has taken nothing from the first.
      #expect(try vault.keychain.find(query(), for: Caller()).count == 1)
      kill(daemon.process, SIGTERM)
      #expect(daemon.waitForEnd(seconds: 10) == 0)
      #expect(try vault.files().keys.allSatisfy { !$0.hasSuffix("-wal") })
      #expect(!FileManager.default.fileExists(atPath: vault.place.path))
    }

    /// The mode of the credential's file, the passcode in it, and whether it opens.
    @Test(
      "unlocks with systemd's credential, if nobody else can read that, and serves a locked vault otherwise",
      arguments: [
        (0o600, "1234\n", true), (0o400, "1234", true), (0o400, "1234\nmore\n", true), (0o640, "1234\n", false),
        (0o604, "1234\n", false), (0o400, "4321\n", false), (0o400, "", false),
        (0o400, String(repeating: "x", count: 1_025), false),
      ])
    func credential(mode: Int, content: String, opens: Bool) throws {
      let vault = try VaultAgent(classes: [.whenUnlocked], isStarted: false)
      let folder = try ScratchFolder("credentials")
      let file = folder.path + "/thumbturn.passcode"
      try Data(content.utf8).write(to: URL(fileURLWithPath: file))
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
      let daemon = try spawn(home: vault.path, ["CREDENTIALS_DIRECTORY": folder.path])
      #expect(isServing(vault), "\(daemon.printed)")
      #expect(try vault.control.status().lockState == (opens ? .unlocked : .beforeFirstUnlock))
      let refused = daemon.printed.contains("the credential thumbturn.passcode was not used")
      #expect(refused == !opens, "\(daemon.printed)")
      #expect(!daemon.printed.contains(folder.path) && !daemon.printed.contains("1234"))
      #expect(code { _ = try vault.keychain.find(query(), for: Caller()) } == (opens ? nil : .interactionNotAllowed))
    }

    @Test("has no other file's passcode taken: a link, a folder, a FIFO, or none at all leave it locked")
    func oddCredentials() throws {
      let vault = try VaultAgent(classes: [], isStarted: false)
      for kind in ["link", "folder", "fifo", "none"] {
        let folder = try ScratchFolder("credentials")
        let file = folder.path + "/thumbturn.passcode"
        switch kind {
        case "link":
          try Data("1234".utf8).write(to: URL(fileURLWithPath: folder.path + "/other"))
          try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path + "/other")
          try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: folder.path + "/other")
        case "folder": try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
        case "fifo": #expect(unsafe mkfifo(file, 0o600) == 0)
        default: break
        }
        let daemon = try spawn(home: vault.path, ["CREDENTIALS_DIRECTORY": folder.path])
        #expect(isServing(vault), "\(kind): \(daemon.printed)")
        #expect(try vault.control.status().lockState == .beforeFirstUnlock, "\(kind)")
        #expect(daemon.printed.isEmpty == (kind == "none"), "\(kind): \(daemon.printed)")
        kill(daemon.process, SIGTERM)
        #expect(daemon.waitForEnd(seconds: 10) == 0)
      }
    }

    @Test("has no part of the tests' own agent, and knows no variable but the documented ones")
    func noSeams() throws {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: Self.program), options: .alwaysMapped)
      for name in ["VaultSeams", "TestAgent", "AgentFixtures", "cgroups", "planted-on", "/clock"] {
        #expect(bytes.range(of: Data(name.utf8)) == nil, "\(name)")
      }
      // The search finds such names where they are.
      let other = URL(fileURLWithPath: SpawnedAgent.buildFolder + "/TestAgent")
      let test = try Data(contentsOf: other, options: .alwaysMapped)
      for name in ["VaultSeams", "AgentFixtures", "cgroups", "planted-on", "/clock"] {
        #expect(test.range(of: Data(name.utf8)) != nil, "\(name)")
      }
      #expect(try variables(in: bytes, beginning: "THUMBTURN_") == ["THUMBTURN_HOME"])
      #expect(try variables(in: bytes, beginning: "XDG_").isSubset(of: Self.documented))
    }

    private static let documented: Set<String> = [
      "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XDG_SESSION_ID",
    ]

    /// Names of this form in a program.
    private func variables(in bytes: Data, beginning: String) throws -> Set<String> {
      var found: Set<String> = []
      var rest = bytes.startIndex..<bytes.endIndex
      while let next = bytes.range(of: Data(beginning.utf8), in: rest) {
        let end = bytes[next.lowerBound...].firstIndex { !(($0 >= 65 && $0 <= 90) || $0 == 95) } ?? bytes.endIndex
        found.insert(String(decoding: bytes[next.lowerBound..<end], as: UTF8.self))
        rest = end..<bytes.endIndex
      }
      return found
    }

    @Test("takes neither clock nor identity from files of its home, and its cost is no test's")
    func ignoresSeams() throws {
      let vault = try VaultAgent(classes: [.whenUnlocked], isStarted: false)
      let bootID = newBootID()
      try VaultSeams.setClock(vault.path, BootMoment(bootID: bootID, nanoseconds: 1_000_000_000_000))
      let daemon = try spawn(home: vault.path, ["XDG_CONFIG_HOME": vault.path])
      #expect(isServing(vault), "\(daemon.printed)")
      let control = vault.control
      for number in 1...5 { #expect(cause { try control.unlock(text("wrong \(number)")) } == .wrongPasscode) }
      try VaultSeams.setClock(vault.path, BootMoment(bootID: bootID, nanoseconds: 90_000_000_000_000))
      #expect(cause { try control.unlock(text("1234")) } == .lockedOut)
      #expect(try control.status().secondsToWait > 30)
      // A file of groups in the home is not the user's: there it would keep this program from what it may have.
      try Data(#"{"programs": [{"app": "x", "groups": ["default"]}]}"#.utf8).write(
        to: URL(fileURLWithPath: "\(vault.path)/programs.json"))
      #expect(code { _ = try vault.keychain.find(query(), for: Caller()) } == .interactionNotAllowed)
    }

    @Test("sets a passcode that costs at least 250 ms on this machine, as no test does")
    func cost() throws {
      let vault = try VaultAgent(passcode: nil, classes: [.whenUnlocked], isStarted: false)
      let daemon = try spawn(home: vault.path)
      #expect(isServing(vault), "\(daemon.printed)")
      let control = vault.control
      try control.setPasscode(text("1234"))
      try control.lock()
      let took = try seconds { try control.unlock(text("1234")) }
      // Measured under other load than when it was calibrated.
      #expect(took > 0.15, "\(took)")
    }
  }
}
