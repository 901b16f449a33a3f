import Synchronization
import Testing
import ThumbturnCrypto
import ThumbturnKeychain
import ThumbturnVault

@testable import ThumbturnCommand

@Suite("Commands")
struct CommandTests {
  @Test(
    "store and print the same bytes",
    arguments: [[], [0x61], [0x0a], [0x00], [0xff, 0xfe], Array("a\nb\n".utf8), [UInt8](repeating: 7, count: 32_768)])
  func roundTrip(secret: [UInt8]) throws {
    let vault = FakeBackend()
    #expect(
      try runCommand(["set", "a", "b"], input: secret, on: vault) == Outcome(exitCode: 0, output: [], errors: ""))
    #expect(try runCommand(["get", "a", "b"], on: vault) == Outcome(exitCode: 0, output: secret, errors: ""))
    #expect(vault.state.withLock { $0.items.first?.protectionClass } == .afterFirstUnlock)
  }

  @Test("store more than 32 KiB, and say where it belongs")
  func largeSecret() throws {
    let vault = FakeBackend()
    let secret = [UInt8](repeating: 7, count: 32_769)
    let outcome = try runCommand(["set", "a", "b"], input: secret, on: vault)
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.errors.hasPrefix(
        "thumbturn: hint: stored; but what has more than 32768 bytes belongs in a protected file"))
    #expect(try runCommand(["get", "a", "b"], on: vault).output == secret)
  }

  @Test("replace a secret and keep its protection class")
  func replace() throws {
    let vault = FakeBackend()
    vault.put([.service: .text("a"), .account: .text("b")], secret: try secret([1]), .whenUnlocked, date: 0)
    #expect(try runCommand(["set", "a", "b"], input: [2], on: vault).exitCode == 0)
    #expect(try runCommand(["get", "a", "b"], on: vault).output == [2])
    #expect(vault.state.withLock { $0.items.map(\.protectionClass) } == [.whenUnlocked])
  }

  @Test("store although the item comes and goes in between, but not for ever")
  func races() throws {
    let vault = FakeBackend()
    let (gone, there) = (KeychainError(.itemNotFound), KeychainError(.duplicateItem))
    vault.state.withLock { $0.errors = [gone, there, gone, there, gone, nil] }
    #expect(try runCommand(["set", "a", "b"], input: [2], on: vault).exitCode == 0)
    #expect(vault.state.withLock { $0.calls } == ["update", "add", "update", "add", "update", "add"])

    vault.state.withLock { $0.errors = Array(repeating: [gone, there], count: 20).flatMap { $0 } }
    #expect(try runCommand(["set", "a", "b"], input: [2], on: vault).exitCode == 4)
    #expect(vault.state.withLock { $0.calls.count } == 6 + 16)
  }

  @Test("do not write after an error that is not about the item")
  func errorStops() throws {
    let vault = FakeBackend()
    vault.state.withLock { $0.errors = [KeychainError(.interactionNotAllowed)] }
    #expect(try runCommand(["set", "a", "b"], input: [2], on: vault).exitCode == 3)
    #expect(vault.state.withLock { $0.calls } == ["update"])
  }

  @Test("give names that are no text as data")
  func nameTypes() throws {
    let vault = FakeBackend()
    #expect(try runCommand([Array("set".utf8), [0xff], [0x62]], input: [1], on: vault).exitCode == 0)
    let attributes = vault.state.withLock { $0.items.first?.attributes }
    #expect(attributes?[.service] == .data([0xff]))
    #expect(attributes?[.account] == .text("b"))
    let outcome = try runCommand([Array("get".utf8), [0xff], [0x62], Array("--json".utf8)], on: vault)
    #expect(outcome.text == "{\"serviceBase64\":\"/w==\",\"account\":\"b\",\"secret\":\"\\u0001\"}\n")
  }

  @Test("refuse a name above 64 KiB before they read a secret")
  func nameLimit() throws {
    let vault = FakeBackend()
    let most = String(repeating: "n", count: 65_536)
    #expect(try runCommand(["set", most, most], input: [1], on: vault).exitCode == 0)
    for arguments in [
      ["set", "a", most + "n"], ["get", most + "n", "a"], ["list", most + "n"], ["rm", "a", most + "n"],
    ] {
      let outcome = try runCommand(arguments, on: vault)
      #expect(outcome.exitCode == 4)
      #expect(!outcome.errors.contains("nn"))
    }
    #expect(vault.state.withLock { $0.calls } == ["update", "add"])
  }

  @Test("list in order, with escaped names and dates")
  func list() throws {
    let vault = FakeBackend()
    vault.put([.service: .text("z"), .account: .text("a\nb")], secret: nil, .afterFirstUnlock, date: 0)
    vault.put([.service: .data([0xff]), .account: .data([0x61])], secret: nil, .whenUnlocked, date: .nan)
    vault.put([.service: .number(7)], secret: nil, .always, date: 86_400.5)
    #expect(
      try runCommand(["list"], on: vault).text == """
        z\ta\\nb\tafter-first-unlock\t2001-01-01T00:00:00Z
        \\xff\ta\twhen-unlocked\t-
        7\t\talways\t2001-01-02T00:00:00Z

        """)
    #expect(
      try runCommand(["list", "--json"], on: vault).text == """
        [
          {"class":"generic-password","service":"z","account":"a\\nb","protectionClass":"after-first-unlock","modified":"2001-01-01T00:00:00Z"},
          {"class":"generic-password","serviceBase64":"/w==","accountBase64":"YQ==","protectionClass":"when-unlocked"},
          {"class":"generic-password","service":7,"protectionClass":"always","modified":"2001-01-02T00:00:00Z"}
        ]

        """)
    #expect(try runCommand(["list", "z"], on: vault).text.split(separator: "\n").count == 1)
    #expect(try runCommand(["list", "y"], on: vault).exitCode == 1)
  }

  @Test("list nothing without an error, and an unknown service with one")
  func listNothing() throws {
    #expect(try runCommand(["list"]) == Outcome(exitCode: 0, output: [], errors: ""))
    #expect(try runCommand(["list", "--json"]).text == "[]\n")
    #expect(try runCommand(["list", "a"]).exitCode == 1)
    #expect(try runCommand(["list", "a", "--json"]).output.isEmpty)
  }

  @Test("remove once, and twice with an error or --if-present")
  func remove() throws {
    let vault = FakeBackend()
    #expect(try runCommand(["set", "a", "b"], input: [1], on: vault).exitCode == 0)
    #expect(try runCommand(["rm", "a", "b"], on: vault).exitCode == 0)
    let again = try runCommand(["rm", "a", "b"], on: vault)
    #expect(again.exitCode == 1)
    #expect(again.errors.hasPrefix("thumbturn: error: there is no such item\n"))
    #expect(
      try runCommand(["rm", "--if-present", "a", "b"], on: vault) == Outcome(exitCode: 0, output: [], errors: ""))
    vault.state.withLock { $0.errors = [KeychainError(.readOnly)] }
    #expect(try runCommand(["rm", "--if-present", "a", "b"], on: vault).exitCode == 4)
  }

  @Test("tell an item without a secret from an empty one")
  func noSecret() throws {
    let vault = FakeBackend()
    vault.put([.service: .text("a"), .account: .text("b")], secret: nil, .always, date: 0)
    let outcome = try runCommand(["get", "a", "b"], on: vault)
    #expect(outcome.exitCode == 1)
    #expect(outcome.errors.hasPrefix("thumbturn: error: the item holds no secret\n"))
  }

  @Test("say first what is not protected")
  func status() throws {
    let vault = FakeBackend()
    let none = try runCommand(["status"], on: vault)
    #expect(none.exitCode == 0)
    #expect(none.text.hasPrefix("not protected at this version:\n  - no passcode is set"))
    #expect(none.text.contains("none yet, the first thumbturn set makes one"))
    vault.state.withLock {
      $0.status = VaultStatus(
        isPresent: true, itemCount: 3, format: (1, 0), vaultID: "u", deviceKeyPath: "/d/d0-1", isMemoryLocked: false)
    }
    let text = try runCommand(["status"], on: vault).text
    for line in [
      "device key     /d/d0-1", "format         1.0", "items          3", "memory locked  no",
      "vault folder   /nonexistent/vault",
    ] {
      #expect(text.contains("\n\(line)\n"))
    }
    #expect(text.contains("no memory could be locked"))
    let json = try runCommand(["status", "--json"], on: vault).text
    #expect(json.hasPrefix("{\n  \"notProtected\":[\n    \"no passcode is set"))
    #expect(json.contains("\"items\":3,") && json.contains("\"memoryLocked\":false"))
  }

  @Test(
    "need a place for the vault",
    arguments: [
      ["get", "a", "b"], ["list"], ["list", "--all-groups"], ["rm", "a", "b"], ["show", "a", "b"], ["status"],
      ["set", "a", "b"],
    ])
  func noPlace(arguments: [String]) throws {
    let outcome = try runCommand(arguments) {
      $0.findLocation = { () throws(VaultError) in throw VaultError(.noPlace, "no home") }
    }
    #expect(outcome.exitCode == 2)
    #expect(outcome.errors.contains("no home"))
    #expect(outcome.output.isEmpty)
  }

  @Test("say so when the tour is not installed")
  func noTour() throws {
    let outcome = try runCommand(["tour"])
    #expect(outcome.exitCode == 5)
    #expect(outcome.errors.contains("thumbturn: hint: "))
  }
}
