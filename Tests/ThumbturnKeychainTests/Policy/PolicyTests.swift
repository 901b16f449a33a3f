internal import Testing
internal import ThumbturnCrypto

@testable internal import ThumbturnKeychain
@testable internal import ThumbturnVault

/// Items with an access control in a vault with a passcode (VAULT.md §3, SECACCESS.md §2), in a process that can ask nobody.
@Suite("Items under an access control")
struct PolicyTests {
  @Test(
    "are stored, and found by their attributes with an equal access control, in another process too",
    arguments: [
      AccessControl.Conditions.userPresence, .biometryCurrentSet, [.biometryAny, .or, .devicePasscode],
      .privateKeyUsage, [.privateKeyUsage, .userPresence], [.companion, .biometryAny, .or],
    ])
  func stored(conditions: AccessControl.Conditions) throws {
    let scratch = try LockedScratch.unlocked()
    defer { scratch.end() }
    let item = try constrained("a", conditions, .afterFirstUnlock)
    let added = try scratch.backend.add(item, for: me)
    #expect(added.accessControl == item.accessControl && added.text == "secret of a")
    let other = scratch.another()
    defer { other.close() }
    try other.unlock(passcode(LockedScratch.code))
    for backend in [scratch.backend, other] {
      let found = try backend.find(attributeQuery("a"), for: me)
      #expect(found.map(\.accessControl) == [item.accessControl])
      #expect(found.map(\.protectionClass) == [.afterFirstUnlock])
      #expect(found.map(\.attributes) == [added.attributes])
      #expect(found.first?.secret == nil)
      #expect(try backend.released("a") == "secret of a")
    }
    #expect(scratch.backend.code { _ = try $0.add(item, for: me) } == .duplicateItem)
    #expect(try scratch.backend.check().isClean)
  }

  @Test("one that only sets the protection class is none")
  func withoutConditions() throws {
    let scratch = try LockedScratch.unlocked()
    defer { scratch.end() }
    _ = try scratch.backend.add(constrained("a", [], .afterFirstUnlock), for: me)
    let found = try scratch.backend.find(secretQuery("a"), for: me)
    #expect(found.map(\.text) == ["secret of a"] && found.map(\.accessControl) == [nil])
    #expect(found.map(\.protectionClass) == [.afterFirstUnlock])
  }

  static let readings: [(AccessControl.Conditions, ItemQuery.Consent, KeychainError.Code)] = [
    (.userPresence, .ask, .interactionNotAllowed), (.userPresence, .refuse, .interactionNotAllowed),
    (.userPresence, .leaveOut, .itemNotFound), (.privateKeyUsage, .ask, .authenticationFailed),
    (.privateKeyUsage, .refuse, .authenticationFailed), (.privateKeyUsage, .leaveOut, .authenticationFailed),
    ([.privateKeyUsage, .devicePasscode], .ask, .authenticationFailed),
  ]

  @Test("are not read", arguments: readings)
  func reading(row: (AccessControl.Conditions, ItemQuery.Consent, KeychainError.Code)) throws {
    let scratch = try LockedScratch.unlocked()
    defer { scratch.end() }
    _ = try scratch.backend.add(constrained("a", row.0), for: me)
    #expect(scratch.backend.findCode(secretQuery("a", row.1)) == row.2)
    #expect(try scratch.backend.find(attributeQuery("a"), for: me).count == 1)
  }

  @Test("are left out where that is asked for, and the others count to the limit")
  func leftOut() throws {
    let scratch = try LockedScratch.unlocked()
    defer { scratch.end() }
    for account in ["a", "c"] { _ = try scratch.backend.add(constrained(account), for: me) }
    for account in ["b", "d"] { _ = try scratch.backend.add(password("s", account, account), for: me) }
    var all = query()
    #expect(scratch.backend.findCode(all) == .interactionNotAllowed)
    all.consent = .leaveOut
    #expect(try scratch.backend.find(all, for: me).map(\.text) == ["b", "d"])
    all.limit = .count(1)
    #expect(try scratch.backend.find(all, for: me).map(\.text) == ["b"])
    all.wantsSecret = false
    all.limit = .all
    #expect(try scratch.backend.find(all, for: me).count == 4)
  }

  @Test("are deleted without asking, locked or not, and with a locked class")
  func deleted() throws {
    let scratch = try LockedScratch.unlocked()
    defer { scratch.end() }
    for account in ["a", "b", "c"] {
      _ = try scratch.backend.add(constrained(account, .biometryAny, .whenPasscodeSetThisDeviceOnly), for: me)
    }
    try scratch.backend.delete(attributeQuery("a"), for: me)
    try scratch.backend.lock()
    try scratch.backend.delete(attributeQuery("b"), for: me)
    let other = scratch.another()
    defer { other.close() }
    try other.delete(attributeQuery("c"), for: me)
    #expect(try scratch.backend.status().itemCount == 0)
  }

  @Test("no update but of the data alone is made, and a refused one changes nothing")
  func updates() throws {
    let scratch = try LockedScratch.unlocked()
    defer { scratch.end() }
    let backend = scratch.backend
    _ = try backend.add(password("s", "z", "open"), for: me)
    _ = try backend.add(constrained("a"), for: me)
    var toClass = ItemChange()
    toClass.protectionClass = .afterFirstUnlock
    var both = ItemChange([.label: .text("l")])
    both.secret = try secret("new")
    var sync = ItemChange(secret: try secret("new"))
    sync.isSynchronizable = true
    var weaker = ItemChange(AccessControl(.whenUnlocked, [.biometryAny, .or, .devicePasscode]))
    weaker.secret = try secret("new")
    let changes = [
      ItemChange(), ItemChange([.label: .text("l")]), toClass, both, sync, weaker,
      ItemChange(AccessControl(.whenUnlocked)), ItemChange(AccessControl(.whenUnlocked, .devicePasscode)),
    ]
    let before = try Rows(scratch.home).values(of: "ver")
    for (index, change) in changes.enumerated() {
      #expect(backend.updateCode(query([.account: .text("a")]), change) == .interactionNotAllowed, "\(index)")
      // One that may not be changed stops the change of all.
      #expect(backend.updateCode(query(), change) == .interactionNotAllowed, "\(index)")
    }
    #expect(try Rows(scratch.home).values(of: "ver") == before)
    #expect(try backend.released("a") == "secret of a")
    _ = try backend.add(constrained("k", .privateKeyUsage), for: me)
    #expect(
      backend.updateCode(query([.account: .text("k")]), ItemChange([.label: .text("l")])) == .authenticationFailed)
  }

  @Test("the data alone is replaced under the same policy, without being read")
  func dataAlone() throws {
    let scratch = try LockedScratch.unlocked()
    defer { scratch.end() }
    let backend = scratch.backend
    for text in ["short", String(repeating: "L", count: 20_000), ""] {
      _ = try backend.add(constrained("a", .userPresence, .afterFirstUnlock, text), for: me)
      let old = try backend.withRecord("a") { (record, _) throws(VaultError) in try record.sealedPolicy() }
      for new in ["n", String(repeating: "N", count: 9_000)] {
        try backend.update(query([.account: .text("a")]), with: ItemChange(secret: try secret(new)), for: me)
        #expect(try backend.released("a") == new)
      }
      let now = try backend.withRecord("a") { (record, _) throws(VaultError) in try record.sealedPolicy() }
      #expect(try #require(now ?? nil).policy == (try #require(old ?? nil)).policy)
      #expect(try #require(now ?? nil).itemKey != (try #require(old ?? nil)).itemKey)
      #expect(backend.findCode(secretQuery("a")) == .interactionNotAllowed)
      #expect(try backend.check().isClean)
      try backend.delete(attributeQuery("a"), for: me)
    }
  }

  @Test("of an internet password the further secrets stay when the data is replaced")
  func furtherSecrets() throws {
    let scratch = try LockedScratch.unlocked()
    defer { scratch.end() }
    let backend = scratch.backend
    for control in [AccessControl(.whenUnlocked, .userPresence), nil] {
      var item = NewItem(.internetPassword, [.server: .text("h"), .account: .text("a")], secret: try secret("old"))
      item.extraSecrets = [.extraNotes: try secret("notes"), .clientDefined3: try secret("three")]
      item.accessControl = control
      _ = try backend.add(item, for: me)
      try backend.update(ItemQuery(.internetPassword), with: ItemChange(secret: try secret("new")), for: me)
      #expect(try backend.released("a", .internetPassword) == "new")
      #expect(try backend.released("a", .internetPassword, .extraNotes) == "notes")
      #expect(try backend.released("a", .internetPassword, .clientDefined3) == "three")
      try backend.delete(ItemQuery(.internetPassword), for: me)
    }
  }

  @Test("an item without one gets one by an update, and its secret goes under the policy")
  func becomesConstrained() throws {
    let scratch = try LockedScratch.unlocked()
    defer { scratch.end() }
    let control = AccessControl(.afterFirstUnlock, .userPresence)
    for (account, new) in [("a", nil), ("b", "new")] as [(String, String?)] {
      _ = try scratch.backend.add(password("s", account, "old"), for: me)
      var change = ItemChange(control)
      if let new { change.secret = try secret(new) }
      let before = try Rows(scratch.home).values(of: "secret").last
      try scratch.backend.update(query([.account: .text(account)]), with: change, for: me)
      #expect(try Rows(scratch.home).values(of: "secret").last != before)
      let found = try scratch.backend.find(attributeQuery(account), for: me)
      #expect(found.map(\.accessControl) == [control] && found.map(\.protectionClass) == [.afterFirstUnlock])
      #expect(scratch.backend.findCode(secretQuery(account)) == .interactionNotAllowed)
      #expect(try scratch.backend.released(account) == new ?? "old")
    }
    #expect(try scratch.backend.check().isClean)
  }

  @Test("a companion that is needed is refused, since there is none, and an application password that nobody gives")
  func unfulfillable() throws {
    let scratch = try LockedScratch.unlocked()
    defer { scratch.end() }
    _ = try scratch.backend.add(password("s", "z", "open"), for: me)
    let rows: [(AccessControl.Conditions, KeychainError.Code)] = [
      (.applicationPassword, .interactionNotAllowed), ([.applicationPassword, .userPresence], .interactionNotAllowed),
      (.companion, .authenticationFailed), ([.companion, .devicePasscode], .authenticationFailed),
    ]
    for (conditions, code) in rows {
      #expect(scratch.backend.code { _ = try $0.add(constrained("a", conditions), for: me) } == code)
      let change = ItemChange(AccessControl(.whenUnlocked, conditions))
      #expect(scratch.backend.updateCode(query(), change) == code)
      #expect(scratch.backend.updateCode(query([.account: .text("nobody")]), change) == .itemNotFound)
    }
    #expect(try scratch.backend.find(query(), for: me).map(\.text) == ["open"])
  }

  @Test("the key of an identity keeps it from being read and changed, and not from being found")
  func identity() throws {
    let scratch = try LockedScratch.unlocked()
    defer { scratch.end() }
    let backend = scratch.backend
    for serial in 1...2 {
      _ = try backend.add(
        NewItem(
          .certificate, [.serialNumber: .data([UInt8(serial)]), .publicKeyHash: .data([UInt8(serial)])],
          secret: try secret("certificate")), for: me)
      var key = NewItem(
        .key, [.keyClass: .number(1), .isPrivate: .number(1), .applicationLabel: .data([UInt8(serial)])],
        secret: try secret("key"))
      if serial == 1 { key.accessControl = AccessControl(.whenUnlocked, .userPresence) }
      _ = try backend.add(key, for: me)
    }
    var identities = ItemQuery(.certificate, limit: .count(1), wantsSecret: true)
    identities.identityKey = [:]
    #expect(backend.findCode(identities) == .interactionNotAllowed)
    #expect(backend.updateCode(identities, ItemChange([.label: .text("l")])) == .interactionNotAllowed)
    identities.consent = .leaveOut
    #expect(try backend.find(identities, for: me).map(\.identityKey?.text) == ["key"])
    identities.wantsSecret = false
    identities.limit = .all
    let found = try backend.find(identities, for: me)
    #expect(found.map { $0.identityKey?.accessControl } == [AccessControl(.whenUnlocked, .userPresence), nil])
    try backend.delete(identities, for: me)
    #expect(try backend.status().itemCount == 0)
  }
}
