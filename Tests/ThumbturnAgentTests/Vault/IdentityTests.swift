import AgentFixtures
import Foundation
import Testing
import TestFixtures
import ThumbturnAgentClient
import ThumbturnCrypto
import ThumbturnKeychain
import ThumbturnVault

@testable import ThumbturnAgent

extension AgentTests {
  @Suite("Who a program is")
  struct Identities {
    /// What stands in /proc/PID/cgroup, and who that is.
    @Test(
      "is read from its cgroup",
      arguments: [
        ("0::/app.slice/app-org.example.Notes-1.scope", ProgramIdentity.app("org.example.Notes")),
        ("0::/a/app-gnome-org.example.Notes-4711.scope", .app("org.example.Notes")),
        ("0::/a/app-flatpak-org.example.Notes-4711.scope", .app("org.example.Notes")),
        ("0::/a/app-gnome-org.example.my\\x2dnotes-4711.scope", .app("org.example.my-notes")),
        ("0::/a/app-org.example.Notes.service", .app("org.example.Notes")),
        ("0::/a/app-org.example.Notes@4711.service", .app("org.example.Notes")),
        ("0::/a/app-gnome-org.example.Notes@autostart.service", .app("org.example.Notes")),
        ("0::/a/app-org.example.my\\x2dnotes@1-2-3.service", .app("org.example.my-notes")),
        ("0::/a/snap.firefox.firefox-01234567-89ab-cdef-0123-456789abcdef.scope", .app("snap.firefox")),
        ("0::/a/snap.my\\x2dnotes.app-0123.scope", .app("snap.my-notes")),
        ("12:pids:/x\n1:name=systemd:/y\n0::/a/app-org.example.Notes-1.scope\n", .app("org.example.Notes")),
        ("0::/system.slice/backup.service", .unit("backup.service")),
        ("0::/system.slice/backup@home.service", .unit("backup@home.service")),
        ("0::/user.slice/user-1000.slice/user@1000.service", .plain),
        ("0::/user.slice/user-1000.slice/session-2.scope", .plain),
        ("0::/", .plain), ("", .plain), ("garbage", .plain), ("0::", .plain), ("0::/a/app-", .plain),
        ("0::/a/app-.scope", .plain), ("0::/a/app-x.scope", .plain), ("0::/a/app-a-b-c-d-5.scope", .plain),
        ("0::/a/app--4711.scope", .plain), ("0::/a/app-gnome--4711.scope", .plain),
        ("0::/a/app-a\\x2-1.scope", .plain), ("0::/a/app-a\\xzz-1.scope", .plain), ("0::/a/app-a\\y-1.scope", .plain),
        ("0::/a/app-a\\xff-1.scope", .plain), ("0::/a/app-org.example.Notes-4711.slice", .plain),
        ("0::/a/snap.x.scope", .plain), ("0::/a/snap..x-1.scope", .plain),
        ("1:name=systemd:/a/app-org.example.Notes-1.scope", .plain),
      ])
    func cgroups(text: String, identity: ProgramIdentity) { #expect(ProgramIdentity(cgroup: text) == identity) }

    @Test("is nothing for a process that has ended, or whose number alone is known")
    func deadPeer() throws {
      let child = try SpawnedAgent(["60"], of: "/bin/sleep")
      let handle = tt_process_handle(child.process)
      #expect(handle >= 0)
      let peer = AgentPeer(process: child.process, user: getuid(), handle: handle)
      #expect(becomes { PeerIdentity.of(peer).executable?.contains("sleep") == true || isBusyBox(peer) })
      #expect(PeerIdentity.of(AgentPeer(process: child.process, user: getuid(), handle: nil)).executable == nil)
      child.end(SIGKILL)
      let dead = PeerIdentity.of(peer)
      #expect(dead.identity == .plain && dead.executable == nil)
      // Its number is another process's now.
      let reused = AgentPeer(process: getpid(), user: getuid(), handle: dup(handle))
      #expect(PeerIdentity.of(reused).executable == nil)
    }

    private func isBusyBox(_ peer: AgentPeer) -> Bool { PeerIdentity.of(peer).executable?.contains("busybox") == true }

    // MARK: Groups

    private static let notes = "app-org.example.Notes-1.scope"
    private static let mail = "app-org.example.Mail-1.scope"
    private static let programs = """
      {"programs": [
        {"app": "org.example.Notes", "groups": ["notes", "shared", "notes-and-default"]},
        {"app": "org.example.Mail", "groups": ["mail", "shared"]},
        {"unit": "backup.service", "groups": ["backup"]}]}
      """

    /// A vault without a passcode and an agent that takes this process for what a test says.
    private final class Scratch {
      let vault: VaultAgent

      init(_ programs: String?) throws {
        vault = try VaultAgent(passcode: nil, classes: [])
        try write("programs.json", programs)
      }

      func write(_ name: String, _ text: String?) throws {
        let file = URL(fileURLWithPath: "\(vault.path)/\(name)")
        guard let text else { return }
        try Data(text.utf8).write(to: file, options: .atomic)
      }

      /// The keychain of a program in this cgroup; nil is a program like any other.
      func keychain(_ cgroup: String?) throws -> RemoteBackend {
        try write("cgroups", "1 \(Identities.notes)\n" + (cgroup.map { "\(getpid()) \($0)\n" } ?? ""))
        return vault.keychain
      }

      func add(_ account: String, _ group: String? = nil, by cgroup: String?, claims groups: [String]? = nil) throws {
        let caller = groups.map { Caller(accessGroups: $0) } ?? Caller()
        _ = try keychain(cgroup).add(item(account, group: group), for: caller)
      }

      /// The accounts that a program sees.
      func accounts(_ group: String? = nil, by cgroup: String?, claims groups: [String]? = nil) throws -> [String] {
        let caller = groups.map { Caller(accessGroups: $0) } ?? Caller()
        let keychain = try keychain(cgroup)
        do throws(KeychainError) {
          return try keychain.find(query(group: group), for: caller).compactMap(\.account).sorted()
        } catch {
          guard error.code == .itemNotFound else { throw error }
          return []
        }
      }
    }

    @Test("decides what two apps and a plain program see of one private and one shared group each")
    func twoApps() throws {
      let scratch = try Scratch(Self.programs)
      let (notes, mail) = (Self.notes, Self.mail)
      try scratch.add("of notes", by: notes)
      try scratch.add("of mail", by: mail)
      try scratch.add("of both", "shared", by: notes)
      try scratch.add("of all", by: nil)
      // Without a named group an item goes to the first.
      #expect(try scratch.accounts("notes", by: notes) == ["of notes"])
      #expect(try scratch.accounts(by: notes) == ["of both", "of notes"])
      #expect(try scratch.accounts(by: mail) == ["of both", "of mail"])
      #expect(try scratch.accounts("shared", by: mail) == ["of both"])
      #expect(try scratch.accounts(by: nil) == ["of all"])
      #expect(try scratch.accounts(by: "backup.service") == [])
      #expect(try scratch.accounts(by: "app-org.example.Other-1.scope") == ["of all"])
      // A foreign group that is named, for each kind of call.
      for (cgroup, group) in [(notes, "mail"), (mail, "notes"), (notes, "default"), (nil, "notes"), (nil, "shared")] {
        let keychain = try scratch.keychain(cgroup)
        let place = Comment(rawValue: "\(cgroup ?? "plain"): \(group)")
        #expect(code { _ = try keychain.find(query(group: group), for: Caller()) } == .missingEntitlement, place)
        #expect(code { _ = try keychain.add(item("x", group: group), for: Caller()) } == .missingEntitlement, place)
        #expect(code { try keychain.delete(query(group: group), for: Caller()) } == .missingEntitlement, place)
        let change = ItemChange([.label: .text("l")])
        let changed = code { try keychain.update(query(group: group), with: change, for: Caller()) }
        #expect(changed == .missingEntitlement, place)
      }
      // An item cannot be moved to where its owner has no place.
      let keychain = try scratch.keychain(notes)
      let move = ItemChange([.accessGroup: .text("mail")])
      #expect(code { try keychain.update(query("of notes"), with: move, for: Caller()) } == .missingEntitlement)
      // Without a named group nothing of others is deleted.
      try scratch.keychain(mail).delete(query(), for: Caller())
      #expect(try scratch.accounts(by: notes) == ["of notes"])
      #expect(try scratch.accounts(by: nil) == ["of all"])
    }

    @Test("does not come from what a program says of itself")
    func claims() throws {
      let scratch = try Scratch(Self.programs)
      try scratch.add("of notes", by: Self.notes)
      try scratch.add("of both", "shared", by: Self.notes)
      // A plain program claims groups of applications and units: it does not have them.
      #expect(try scratch.accounts(by: nil, claims: ["notes", "shared", "default"]) == [])
      let plain = try scratch.keychain(nil)
      let claimed = Caller(accessGroups: ["notes"])
      #expect(code { _ = try plain.find(query(), for: claimed) } == .missingEntitlement)
      let backup = Caller(accessGroups: ["backup"])
      #expect(code { _ = try plain.add(item("x", group: "backup"), for: backup) } == .missingEntitlement)
      // What is nobody's it may have.
      try scratch.add("own", "free", by: nil, claims: ["free"])
      #expect(try scratch.accounts(by: nil, claims: ["free", "notes"]) == ["own"])
      // An application gets its own, fewer when it wants, never more.
      #expect(try scratch.accounts(by: Self.mail, claims: ["notes", "shared", "default"]) == ["of both"])
      #expect(try scratch.accounts(by: Self.notes, claims: ["shared"]) == ["of both"])
      let foreign = Caller(accessGroups: ["notes"])
      let mail = try scratch.keychain(Self.mail)
      #expect(code { _ = try mail.find(query(), for: foreign) } == .missingEntitlement)
      #expect(code { _ = try mail.add(item("y", group: nil), for: foreign) } == .missingEntitlement)
      #expect(code { try mail.delete(query(), for: foreign) } == .missingEntitlement)
    }

    @Test("decides which groups a program hears of")
    func visibleGroups() throws {
      let scratch = try Scratch(Self.programs)
      try scratch.add("1", by: Self.notes)
      try scratch.add("2", "shared", by: Self.notes)
      try scratch.add("3", by: Self.mail)
      try scratch.add("4", by: nil)
      #expect(try scratch.keychain(Self.notes).accessGroups().sorted() == ["notes", "shared"])
      #expect(try scratch.keychain(Self.mail).accessGroups().sorted() == ["mail", "shared"])
      #expect(try scratch.keychain("backup.service").accessGroups() == [])
      #expect(try scratch.keychain(nil).accessGroups() == ["default"])
    }

    @Test("does not matter where there is no file; with one that cannot be understood all have default alone")
    func files() throws {
      let scratch = try Scratch(nil)
      try scratch.add("a", "one", by: nil, claims: ["one"])
      try scratch.add("b", by: nil)
      #expect(try scratch.accounts(by: Self.notes, claims: ["one", "default"]) == ["a", "b"])
      let unusable = [
        "", "{", "[]", #"{"programs": [{"groups": ["x"]}]}"#,
        #"{"programs": [{"app": "a", "unit": "b", "groups": ["x"]}]}"#, #"{"programs": [{"app": "a"}]}"#,
        #"{"programs": {}}"#, #"{"programs": [{"app": 1, "groups": []}]}"#,
        Self.programs + String(repeating: " ", count: ProgramsFile.countMax),
      ]
      for text in unusable {
        try scratch.write("programs.json", text)
        let place = Comment(rawValue: String(text.prefix(60)))
        for cgroup in [Self.notes, nil] {
          #expect(try scratch.accounts(by: cgroup) == ["b"], place)
          #expect(try scratch.accounts(by: cgroup, claims: ["one", "default"]) == ["b"], place)
          let keychain = try scratch.keychain(cgroup)
          let one = Caller(accessGroups: ["one"])
          #expect(code { _ = try keychain.find(query(), for: one) } == .missingEntitlement, place)
          #expect(try keychain.accessGroups() == ["default"], place)
        }
      }
      // It is read anew at every request.
      try scratch.write("programs.json", #"{"programs": [{"app": "org.example.Notes", "groups": ["one"]}]}"#)
      #expect(try scratch.accounts(by: Self.notes) == ["a"])
      #expect(try scratch.accounts(by: nil) == ["b"])
    }

    @Test("empty lists stay empty: an application without groups has none")
    func emptyList() throws {
      let scratch = try Scratch(#"{"programs": [{"app": "org.example.Notes", "groups": []}]}"#)
      try scratch.add("b", by: nil)
      let keychain = try scratch.keychain(Self.notes)
      #expect(code { _ = try keychain.find(query(), for: Caller()) } == .missingEntitlement)
      #expect(try keychain.accessGroups() == [])
    }
  }
}
