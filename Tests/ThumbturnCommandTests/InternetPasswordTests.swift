import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnKeychain
import ThumbturnVault

@testable import ThumbturnCommand

/// The command over a real vault.
@Suite("Internet passwords")
final class InternetPasswordTests {
  private let home: String
  private let backend: LocalBackend

  init() throws {
    home = FileManager.default.temporaryDirectory.appending(path: "thumbturn-\(UUID())").path
    try FileManager.default.createDirectory(
      atPath: home, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    backend = LocalBackend(location: VaultLocation(home: home))
  }

  deinit {
    backend.close()
    try? FileManager.default.removeItem(atPath: home)
  }

  private func run(_ arguments: [String], input: String = "") throws -> Outcome {
    try runCommand(arguments, input: Array(input.utf8)) { [backend, home] in
      $0.findLocation = { () throws(VaultError) in VaultLocation(home: home) }
      $0.makeBackend = { _ in backend }
    }
  }

  private func secrets(_ attributes: [Attribute: AttributeValue]) throws -> [String] {
    let query = ItemQuery(.internetPassword, attributes, limit: .all, wantsSecret: true)
    return try backend.find(query, for: Caller()).map {
      try #require($0.secret).withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    }
  }

  private func add(_ attributes: [Attribute: AttributeValue], _ secretText: String) throws {
    _ = try backend.add(
      NewItem(.internetPassword, attributes, secret: try secret(Array(secretText.utf8))), for: Caller())
  }

  /// Each row is what a program asks for, with Apple's values written out.
  @Test(
    "that the command stored are found by what an Apple program asks for",
    arguments: [
      [.server: .text("example.org"), .account: .text("alice")],
      [.server: .text("example.org"), .account: .text("alice"), .protocol: .text("htps")],
      [
        .server: .text("example.org"), .account: .text("alice"), .protocol: .text("htps"), .port: .number(8_443),
        .path: .text("/login page"), .securityDomain: .text(""), .authenticationType: .text(""),
      ],
      [.account: .data(Array("alice".utf8)), .port: .text("8443")],
      [.label: .text("Example")],
      [.comment: .text("of the tests")],
    ] as [[Attribute: AttributeValue]])
  func found(attributes: [Attribute: AttributeValue]) throws {
    let url = "https://alice@example.org:8443/login%20page"
    #expect(
      try run(["set", "--url", url, "--label", "Example", "--comment", "of the tests"], input: "s")
        == Outcome(exitCode: 0, output: [], errors: ""))
    #expect(try run(["set", "--url", "http://bob@example.com"], input: "other").exitCode == 0)
    #expect(try secrets(attributes) == ["s"])
  }

  @Test("without a port or path are those without, and those with zero")
  func absentParts() throws {
    #expect(try run(["set", "--url", "https://alice@example.org"], input: "s").exitCode == 0)
    let names: [Attribute: AttributeValue] = [.server: .text("example.org"), .port: .number(0), .path: .text("")]
    #expect(try secrets(names) == ["s"])
    #expect(try run(["set", "--url", "https://alice@example.org:443"], input: "t").exitCode == 0)
    #expect(try run(["set", "--url", "https://alice@example.org/p"], input: "u").exitCode == 0)
    #expect(try secrets([.server: .text("example.org")]) == ["s", "t", "u"])
    for (url, secret) in [("", "s"), ("/", "s"), (":443", "t"), (":443/", "t"), ("/p", "u")] {
      #expect(try run(["get", "--url", "https://alice@example.org\(url)"]).text == secret)
    }
    #expect(try run(["get", "--url", "https://alice@example.org:443/p"]).exitCode == 1)
    #expect(try run(["get", "--url", "http://alice@example.org"]).exitCode == 1)
    #expect(try run(["get", "--url", "https://example.org"]).exitCode == 1)
  }

  @Test("that a program stored are replaced and not doubled")
  func replace() throws {
    try add(
      [
        .server: .text("example.org"), .account: .text("alice"), .protocol: .text("htps"),
        .authenticationType: .text("form"),
      ], "old")
    #expect(try run(["set", "--url", "https://alice@example.org"], input: "new").exitCode == 0)
    #expect(try secrets([.server: .text("example.org")]) == ["new"])
    #expect(try run(["get", "--url", "https://alice@example.org"]).text == "new")
  }

  @Test("of which several fit are not touched, and not one of them printed")
  func several() throws {
    let names: [Attribute: AttributeValue] = [
      .server: .text("example.org"), .account: .text("alice"), .protocol: .text("htps"),
    ]
    try add(names.merging([.authenticationType: .text("form")]) { $1 }, "hunter2")
    try add(names.merging([.authenticationType: .text("http"), .label: .text("l")]) { $1 }, "hunter3")
    let url = ["--url", "https://alice@example.org"]
    for arguments in [["get"], ["show"], ["rm"], ["rm", "--if-present"], ["set"]] {
      let outcome = try run(arguments + url, input: "new")
      #expect(outcome.exitCode == 4)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.hasPrefix("thumbturn: error: more than one item fits, nothing was done\n"))
    }
    #expect(try run(["get", "--class", "inet", "example.org", "alice"]).exitCode == 4)
    #expect(try secrets(names) == ["hunter2", "hunter3"])
    #expect(try run(["get", "--label", "l"] + url).text == "hunter3")
    #expect(try run(["rm", "--class", "inet", "--label", "l"]).exitCode == 0)
    #expect(try secrets(names) == ["hunter2"])
    #expect(try run(["rm"] + url).exitCode == 0)
    #expect(try run(["rm"] + url).exitCode == 1)
    #expect(try run(["rm", "--if-present"] + url).exitCode == 0)
  }

  @Test("are given the protection class that is asked for, and keep it")
  func accessible() throws {
    let url = ["--url", "https://alice@example.org"]
    func protection() throws -> ProtectionClass? {
      try backend.find(ItemQuery(.internetPassword), for: Caller()).first?.protectionClass
    }
    #expect(try run(["set"] + url, input: "s").exitCode == 0)
    #expect(try protection() == .afterFirstUnlock)
    for protection_ in ProtectionClass.allCases where protection_ != .whenPasscodeSetThisDeviceOnly {
      #expect(try run(["set", "--accessible", protection_.name] + url, input: "s").exitCode == 0)
      #expect(try protection() == protection_)
      #expect(try run(["set"] + url, input: "t").exitCode == 0)
      #expect(try protection() == protection_)
    }
    let refused = try run(["set", "--accessible", "when-passcode-set-this-device-only"] + url, input: "u")
    #expect(refused.exitCode == 3)
    #expect(
      refused.errors.hasPrefix(
        "thumbturn: error: when-passcode-set-this-device-only needs a passcode, and none is set; nothing was stored\n"))
    #expect(try secrets([:]) == ["t"])
  }

  @Test("of another group are found only there, and listed with every group")
  func groups() throws {
    let url = ["--url", "https://alice@example.org"]
    #expect(try run(["list", "--all-groups"]) == Outcome(exitCode: 0, output: [], errors: ""))
    #expect(try run(["set", "--group", "team"] + url, input: "s").exitCode == 0)
    #expect(try run(["get"] + url).exitCode == 1)
    #expect(try run(["get", "--group", "team"] + url).text == "s")
    #expect(try run(["rm"] + url).exitCode == 1)
    #expect(try run(["set", "a", "b"], input: "s").exitCode == 0)
    #expect(try run(["list"]).text.split(separator: "\n").count == 1)
    let rows = try run(["list", "--all-groups"]).text.split(separator: "\n").map { $0.split(separator: "\t").last }
    #expect(rows == ["default", "team"])
    #expect(try run(["list", "--all-groups", "--label", "none"]).exitCode == 1)
    #expect(try run(["list", "--group", ""]).exitCode == 2)
    #expect(try run(["rm", "--group", "team"] + url).exitCode == 0)
  }

  @Test("and all other items say which groups there are")
  func everyGroup() throws {
    #expect(try backend.accessGroups() == [])
    for (index, itemClass) in ItemClass.allCases.enumerated() {
      let group = "group \(index)"
      var item = NewItem(itemClass, [.label: .text("l"), .accessGroup: .text(group)])
      for isSynchronizable in [true, false] {
        item.isSynchronizable = isSynchronizable
        _ = try backend.add(item, for: Caller(accessGroups: [group]))
      }
    }
    #expect(try backend.accessGroups() == ["group 0", "group 1", "group 2", "group 3"])
    #expect(try run(["list", "--class", "cert", "--all-groups"]).text.split(separator: "\n").count == 2)
  }

  @Test("and every other class can be shown and removed by label")
  func otherClasses() throws {
    for itemClass in [ItemClass.certificate, .key] {
      _ = try backend.add(NewItem(itemClass, [.label: .text("l")], secret: try secret([1, 2])), for: Caller())
      let names = ["--class", itemClass.code, "--label", "l"]
      #expect(try run(["list", "--class", itemClass.longName]).text.hasPrefix("l\t\t"))
      #expect(try run(["show"] + names).text.hasPrefix("class            \(itemClass.longName)\nlabel            l\n"))
      #expect(try run(["get"] + names).output == [1, 2])
      #expect(try run(["rm"] + names).exitCode == 0)
      #expect(try run(["get"] + names).exitCode == 1)
      #expect(try run(["list", "--class", itemClass.code, "--comment", "c"]).exitCode == 2)
    }
  }
}
