import Synchronization
import Testing
import ThumbturnKeychain
import ThumbturnVault

@testable import ThumbturnCommand

@Suite("show")
struct ShowTests {
  @Test("has a name for every attribute, and one for each of a class")
  func names() {
    let kept: Set<Attribute> = [
      .accessible, .synchronizable, .tombstone, .sha1, .data, .accessControl, .uuid, .persistentReference, .appClip,
      .extraNotes, .extraHistory, .clientDefined0, .clientDefined1, .clientDefined2, .clientDefined3,
    ]
    for definition in AttributeDefinition.table where !kept.contains(definition.attribute) {
      #expect(!attributeName(definition.attribute).hasPrefix("attribute"), "\(definition.code)")
    }
    let names = AttributeName.table.map(\.name)
    // Two attributes, of different classes.
    #expect(Set(names).count == names.count - 1)
    #expect(names.count(where: { $0 == "alias" }) == 2)
    #expect(Set(AttributeName.table.map(\.attribute)).count == names.count)
  }

  @Test("gives each kind of value, and an attribute that is newer than it, and never the secret")
  func values() throws {
    let vault = FakeBackend()
    vault.put(
      [
        .service: .text("a\u{1b}"), .account: .data([0xff]), .generic: .data(Array("g\n".utf8)),
        .isInvisible: .number(1),
        .creationDate: .date(.infinity), .multiUser: .data([0xab, 1]), Attribute(rawValue: 999): .data([0x0c]),
        .label: .text("l"),
      ], secret: try secret(Array("hunter2".utf8)), .always, date: 0)
    let text = try runCommand(["show", "--label", "l"], on: vault)
    #expect(
      text.text == """
        class            generic-password
        service          a\\u{1b}
        account          \\xff
        label            l
        generic          g\\n
        created          -
        modified         2001-01-01T00:00:00Z
        isInvisible      1
        multiUser        ab01
        attribute999     0c
        protectionClass  always
        synchronizable   no
        reference        00

        """)
    let json = try runCommand(["show", "--json", "--label", "l"], on: vault)
    #expect(
      json.text == """
        {
          "class":"generic-password",
          "service":"a\\u001b",
          "accountBase64":"/w==",
          "label":"l",
          "genericBase64":"Zwo=",
          "created":null,
          "modified":"2001-01-01T00:00:00Z",
          "isInvisible":1,
          "multiUserBase64":"qwE=",
          "attribute999Base64":"DA==",
          "protectionClass":"always",
          "synchronizable":false,
          "reference":"00"
        }

        """)
    #expect(vault.state.withLock { $0.calls } == ["find", "find"])
    for outcome in [text, json] { #expect(!outcome.text.contains("hunter2")) }
  }

  @Test("is 1 without such an item, and 4 when several fit")
  func exitCodes() throws {
    let vault = FakeBackend()
    #expect(try runCommand(["show", "a", "b"], on: vault).exitCode == 1)
    for account in ["b", "c"] {
      vault.put([.service: .text("a"), .account: .text(account), .label: .text("l")], secret: nil, .always, date: 0)
    }
    #expect(try runCommand(["show", "a", "b"], on: vault).exitCode == 0)
    #expect(try runCommand(["show", "--label", "l"], on: vault).exitCode == 4)
    #expect(try runCommand(["show", "--label", "l", "a"], on: vault).exitCode == 4)
    #expect(try runCommand(["show", "--label", "l", "a", "c"], on: vault).exitCode == 0)
  }
}
