internal import TestFixtures
internal import Testing
internal import ThumbturnCrypto

@testable internal import ThumbturnKeychain
@testable internal import ThumbturnVault

/// The life of the policy key (VAULT.md §2, §3).
@Suite("The policy key")
struct PolicyKeyTests {
  private let presence = AccessControl(.whenUnlocked, .userPresence)

  @Test("is not there before a passcode is set: nothing is stored under it, and no vault is made")
  func beforePasscode() throws {
    let scratch = try LockedScratch()
    defer { scratch.end() }
    let backend = scratch.backend
    let conditions: [AccessControl.Conditions] = [.userPresence, .privateKeyUsage]
    for one in conditions {
      #expect(backend.code { _ = try $0.add(constrained("a", one, .always), for: me) } == .authenticationFailed)
    }
    #expect(try scratch.home.files().isEmpty)
    _ = try backend.add(password("s", "z", "open"), for: me)
    #expect(backend.code { _ = try $0.add(constrained("a"), for: me) } == .authenticationFailed)
    // Also where its primary key is taken.
    #expect(backend.code { _ = try $0.add(constrained("z"), for: me) } == .authenticationFailed)
    #expect(backend.updateCode(query(), ItemChange(presence)) == .authenticationFailed)
    #expect(backend.updateCode(query([.account: .text("nobody")]), ItemChange(presence)) == .itemNotFound)
    #expect(try backend.find(query(), for: me).map(\.text) == ["open"])
  }

  @Test("is in memory from the first unlock on, and stays there when the vault is locked")
  func lockStates() throws {
    let scratch = try LockedScratch.unlocked()
    defer { scratch.end() }
    _ = try scratch.backend.add(constrained("a", .userPresence, .always), for: me)
    let other = scratch.another()
    defer { other.close() }
    let data = ItemChange(secret: try secret("new"))
    #expect(other.code { _ = try $0.add(constrained("b", .userPresence, .always), for: me) } == .interactionNotAllowed)
    #expect(other.updateCode(query([.account: .text("a")]), data) == .interactionNotAllowed)
    #expect(
      try other.find(attributeQuery("a"), for: me).map(\.accessControl) == [AccessControl(.always, .userPresence)])
    #expect(other.findCode(secretQuery("a")) == .interactionNotAllowed)
    #expect(other.code { _ = try $0.released("a") } == .interactionNotAllowed)
    try other.unlock(passcode(LockedScratch.code))
    _ = try other.add(constrained("b", .userPresence, .always), for: me)
    _ = try other.add(constrained("c"), for: me)
    try other.lock()
    _ = try other.add(constrained("d", .userPresence, .afterFirstUnlock), for: me)
    try other.update(query([.account: .text("a")]), with: data, for: me)
    #expect(other.code { _ = try $0.add(constrained("e"), for: me) } == .interactionNotAllowed)
    #expect(other.findCode(attributeQuery("c")) == .interactionNotAllowed)
    #expect(try other.released("a") == "new" && other.released("d") == "secret of d")
  }

  @Test("a check before the first unlock looks at what it can, and finds nothing wrong")
  func checkedLocked() throws {
    let scratch = try LockedScratch.unlocked()
    defer { scratch.end() }
    for protection in [ProtectionClass.always, .whenUnlocked] {
      _ = try scratch.backend.add(constrained(protection.code, .userPresence, protection), for: me)
    }
    let other = scratch.another()
    defer { other.close() }
    #expect(try other.check().isClean)
    #expect(try scratch.backend.check().isClean)
  }

  @Test("a change of passcode, with new keys or without, shows and loses nothing", arguments: [false, true])
  func changed(rotates: Bool) throws {
    let scratch = try LockedScratch.unlocked()
    defer { scratch.end() }
    let large = String(repeating: "L", count: 50_000)
    for protection in ProtectionClass.allCases {
      _ = try scratch.backend.add(constrained(protection.code, .biometryAny, protection), for: me)
    }
    _ = try scratch.backend.add(constrained("large", .userPresence, .whenUnlocked, large), for: me)
    _ = try scratch.backend.add(password("s", "open", "open"), for: me)
    let before = try scratch.backend.find(ItemQuery(.genericPassword, limit: .all), for: me)
    let boxes = try Set(Rows(scratch.home).boxes())
    try scratch.backend.changePasscode(from: passcode(LockedScratch.code), to: passcode("5678"), rotates: rotates)
    let other = scratch.another()
    defer { other.close() }
    try other.unlock(passcode("5678"))
    for backend in [scratch.backend, other] {
      let after = try backend.find(ItemQuery(.genericPassword, limit: .all), for: me)
      #expect(after.map(\.accessControl) == before.map(\.accessControl))
      #expect(after.map(\.attributes) == before.map(\.attributes))
      #expect(after.map(\.reference) == before.map(\.reference))
      for protection in ProtectionClass.allCases {
        #expect(try backend.released(protection.code) == "secret of \(protection.code)")
        #expect(backend.findCode(secretQuery(protection.code)) == .interactionNotAllowed)
      }
      #expect(try backend.released("large") == large)
      #expect(try backend.check().isClean)
    }
    #expect(try boxes.isDisjoint(with: Rows(scratch.home).boxes()) == rotates)
  }

  @Test("stays when the passcode is removed, and opens nothing until there is one again", arguments: [false, true])
  func removed(rotates: Bool) throws {
    let scratch = try LockedScratch.unlocked()
    defer { scratch.end() }
    for protection in [ProtectionClass.whenUnlocked, .always, .whenPasscodeSetThisDeviceOnly] {
      _ = try scratch.backend.add(constrained(protection.code, .devicePasscode, protection), for: me)
    }
    try scratch.backend.changePasscode(from: passcode(LockedScratch.code), to: nil, rotates: rotates)
    let other = scratch.another()
    defer { other.close() }
    for backend in [scratch.backend, other] {
      #expect(backend.findCode(attributeQuery("akpu")) == .itemNotFound)
      for protection in [ProtectionClass.whenUnlocked, .always] {
        let name = protection.code
        let control = AccessControl(protection, .devicePasscode)
        #expect(try backend.find(attributeQuery(name), for: me).map(\.accessControl) == [control])
        #expect(backend.findCode(secretQuery(name)) == .authenticationFailed)
        #expect(backend.findCode(secretQuery(name, .refuse)) == .authenticationFailed)
        #expect(backend.findCode(secretQuery(name, .leaveOut)) == .itemNotFound)
        let named = query([.account: .text(name)])
        #expect(backend.updateCode(named, ItemChange([.label: .text("l")])) == .authenticationFailed)
        #expect(backend.updateCode(named, ItemChange(secret: try secret("new"))) == .authenticationFailed)
        #expect(backend.vaultCode { _ = try $0.released(name) } == .noPasscode)
      }
      #expect(backend.code { _ = try $0.add(constrained("n"), for: me) } == .authenticationFailed)
      #expect(try backend.check().isClean)
    }
    try other.changePasscode(from: nil, to: passcode("5678"))
    #expect(other.findCode(secretQuery("ak")) == .interactionNotAllowed)
    #expect(try other.released("ak") == "secret of ak" && other.released("dk") == "secret of dk")
    try other.delete(attributeQuery("dk"), for: me)
    _ = try other.add(constrained("n"), for: me)
  }

  @Test("opens with a release of the record's own policy alone, enrolment included, and that outlives new keys")
  func releases() throws {
    let scratch = try LockedScratch.unlocked()
    defer { scratch.end() }
    let hash: [UInt8] = Array(1...32)
    let item = try constrained("a", .biometryCurrentSet)
    var content = try LocalBackend.content(item, me)
    content.enrolmentHash = hash
    let secret = try LocalBackend.fields(item)
    let stored = content
    try scratch.backend.inVault { (vault) throws(VaultError) in
      try vault.write(mayCreate: false) { (writer) throws(VaultError) in
        _ = try LocalBackend.insert(stored, secret, writer)
      }
    }
    let control = try #require(item.accessControl).canonicalBytes
    let other = try #require(AccessControl(.whenUnlocked, .biometryAny)).canonicalBytes
    func opens(_ policies: RecordPolicy...) throws -> Bool {
      let code = scratch.backend.vaultCode { backend in
        _ = try backend.withRecord("a") { (record, _) throws(VaultError) in
          _ = try record.openSecret(field: Attribute.data.rawValue, PolicyRelease(verified: Set(policies)))
        }
      }
      #expect(code == nil || code == .classKeyLocked)
      return code == nil
    }
    for _ in 0..<2 {
      let own = RecordPolicy(accessControl: control, enrolmentHash: hash)
      #expect(try opens(own) && opens(RecordPolicy(accessControl: other, enrolmentHash: hash), own))
      #expect(try !opens())
      #expect(try !opens(RecordPolicy(accessControl: control, enrolmentHash: [])))
      #expect(try !opens(RecordPolicy(accessControl: control, enrolmentHash: hash.reversed())))
      #expect(try !opens(RecordPolicy(accessControl: other, enrolmentHash: hash)))
      try scratch.backend.changePasscode(
        from: passcode(LockedScratch.code), to: passcode(LockedScratch.code), rotates: true)
    }
  }

  @Test("a salvage takes records under a policy over as they are")
  func salvaged() throws {
    let scratch = try LockedScratch.unlocked()
    defer { scratch.end() }
    _ = try scratch.backend.add(constrained("a", .userPresence, .always), for: me)
    _ = try scratch.backend.add(constrained("b"), for: me)
    scratch.backend.close()
    let boxes = try Rows(scratch.home).values(of: "secret")
    // Before the first unlock: no policy key, and the class of one of them locked.
    let other = scratch.another()
    let report = try other.salvage()
    _ = try other.salvage(replacing: report)
    #expect(report.recordCount == 2 && report.lockedUUIDs.count == 1)
    other.close()
    #expect(try Rows(scratch.home).values(of: "secret") == boxes)
    let last = scratch.another()
    defer { last.close() }
    try last.unlock(passcode(LockedScratch.code))
    #expect(try last.released("a") == "secret of a" && last.released("b") == "secret of b")
  }

  @Test("a salvage of a locked vault whose header is lost is refused: nothing else says which keys are the right ones")
  func lostHeader() throws {
    let scratch = try LockedScratch.unlocked()
    defer { scratch.end() }
    _ = try scratch.backend.add(constrained("b"), for: me)
    scratch.backend.close()
    try Rows(scratch.home).run("UPDATE header SET box = zeroblob(288)")
    let other = scratch.another()
    defer { other.close() }
    let report = try other.salvage()
    #expect(other.vaultCode { _ = try $0.salvage(replacing: report) } == .classKeyLocked)
  }
}
