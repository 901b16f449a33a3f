internal import TestFixtures
internal import Testing
internal import ThumbturnVault

@testable internal import ThumbturnKeychain

@Suite("Items in the local backend")
struct LocalBackendTests {
  @Test("what is added is found, by this and by another opening of the vault")
  func addAndFind() throws {
    let scratch = try Scratch()
    let added = try scratch.backend.add(try password("mail", "ada", "hush", [.label: .text("work")]), for: me)
    for backend in [scratch.backend, scratch.another()] {
      let found = try #require(try backend.find(query([.service: .text("mail")]), for: me).first)
      #expect(found.text == "hush")
      #expect(found.attributes == added.attributes)
      #expect(found.attributes[.label] == .text("work"))
      #expect(found.attributes[.accessGroup] == .text("default"))
      #expect(found.protectionClass == .whenUnlocked)
      #expect(found.isSynchronizable == false)
      #expect(found.reference == added.reference)
      #expect(found.reference.count == 16)
    }
  }

  @Test("the same service and account twice is a duplicate, whatever else differs, text or data")
  func duplicates() throws {
    let scratch = try Scratch()
    defer { scratch.end() }
    let backend = scratch.backend
    _ = try backend.add(try password("mail", "ada"), for: me)
    var again = try password("mail", "ada", "other", [.label: .text("x"), .generic: .data([1])])
    again.protectionClass = .always
    #expect(throws: KeychainError(.duplicateItem)) { try backend.add(again, for: me) }
    again.attributes[.account] = .data(Array("ada".utf8))
    #expect(throws: KeychainError(.duplicateItem)) { try backend.add(again, for: me) }
    #expect(try backend.find(query(), for: me).count == 1)
    // Other account, other service, other sync flag: other items.
    _ = try backend.add(try password("mail", "bob"), for: me)
    _ = try backend.add(try password("news", "ada"), for: me)
    var synced = try password("mail", "ada")
    synced.isSynchronizable = true
    _ = try backend.add(synced, for: me)
    #expect(try backend.status().itemCount == 4)
  }

  @Test("parts of the key do not run into each other")
  func keyParts() throws {
    let scratch = try Scratch()
    defer { scratch.end() }
    let backend = scratch.backend
    _ = try backend.add(try password("ab", "c"), for: me)
    _ = try backend.add(try password("a", "bc"), for: me)
    _ = try backend.add(try password("", "abc"), for: me)
    #expect(try backend.find(query(), for: me).count == 3)
  }

  @Test("an absent key attribute is the empty one; an attribute that is none matches nothing")
  func absent() throws {
    let scratch = try Scratch()
    defer { scratch.end() }
    let backend = scratch.backend
    _ = try backend.add(NewItem(.genericPassword, [.service: .text("s")]), for: me)
    #expect(try backend.find(query([.account: .text("")]), for: me).count == 1)
    #expect(try backend.find(query([.account: .data([])]), for: me).count == 1)
    #expect(throws: KeychainError(.duplicateItem)) {
      try backend.add(NewItem(.genericPassword, [.service: .text("s"), .account: .text("")]), for: me)
    }
    #expect(throws: KeychainError(.itemNotFound)) { try backend.find(query([.label: .text("")]), for: me) }
    #expect(try backend.find(query([.syncViewHint: .text("")]), for: me).count == 1)
  }

  @Test("found in the order in which they were added, at most as many as asked")
  func order() throws {
    let scratch = try Scratch()
    defer { scratch.end() }
    let backend = scratch.backend
    let accounts = ["z", "a", "m", "B", "é"]
    for account in accounts { _ = try backend.add(try password("s", account), for: me) }
    #expect(try backend.find(query([.service: .text("s")]), for: me).accounts == accounts.map { .text($0) })
    #expect(try backend.find(query(), for: me).accounts == accounts.map { .text($0) })
    #expect(try backend.find(query(limit: .count(2)), for: me).accounts == [.text("z"), .text("a")])
    #expect(throws: KeychainError(.itemNotFound)) { try backend.find(query(limit: .count(0)), for: me) }
  }

  @Test(
    "every attribute filters",
    arguments: [
      (.label, .text("l")), (.comment, .text("c")), (.description, .text("d")), (.generic, .data([9, 0])),
      (.creator, .number(7)), (.type, .number(-1)), (.isInvisible, .number(1)), (.account, .text("ada")),
      (.service, .text("mail")),
    ] as [(Attribute, AttributeValue)])
  func filters(attribute: Attribute, value: AttributeValue) throws {
    let scratch = try Scratch()
    defer { scratch.end() }
    let backend = scratch.backend
    _ = try backend.add(try password("other", "bob"), for: me)
    let full: [Attribute: AttributeValue] = [
      .label: .text("l"), .comment: .text("c"), .description: .text("d"), .generic: .data([9, 0]),
      .creator: .number(7), .type: .number(-1), .isInvisible: .number(1),
    ]
    _ = try backend.add(try password("mail", "ada", "x", full), for: me)
    #expect(try backend.find(query([attribute: value]), for: me).accounts == [.text("ada")])
    #expect(throws: KeychainError(.itemNotFound)) { try backend.find(query([attribute: .text("zz")]), for: me) }
  }

  @Test("case, accents and NUL bytes count")
  func exactness() throws {
    let scratch = try Scratch()
    defer { scratch.end() }
    let backend = scratch.backend
    for account in ["Ada", "ada", "ada\0", "\u{E9}", "e\u{301}"] {
      _ = try backend.add(try password("s", account), for: me)
    }
    for account in ["Ada", "ada", "ada\0", "\u{E9}", "e\u{301}"] {
      let found = try backend.find(query([.account: .text(account)]), for: me)
      #expect(found.count == 1)
      guard case .text(let text) = found[0].attributes[.account] else { Issue.record("no text"); return }
      #expect(Array(text.utf8) == Array(account.utf8))
    }
  }

  @Test("an update changes every match at once, keeps the reference, and moves the modification date")
  func update() throws {
    let scratch = try Scratch()
    let backend = scratch.backend
    let first = try backend.add(try password("s", "a", "one"), for: me)
    _ = try backend.add(try password("s", "b", "two"), for: me)
    try backend.update(
      query([.service: .text("s")]), with: ItemChange([.label: .text("new")], secret: try secret("three")), for: me)
    let found = try scratch.another().find(query(), for: me)
    #expect(found.map(\.text) == ["three", "three"])
    #expect(found.allSatisfy { $0.attributes[.label] == .text("new") })
    #expect(found[0].reference == first.reference)
    #expect(found[0].attributes[.creationDate] == first.attributes[.creationDate])
    guard case .date(let before) = first.attributes[.modificationDate],
      case .date(let after) = found[0].attributes[.modificationDate]
    else { Issue.record("no dates"); return }
    #expect(after > before)
  }

  @Test(
    "a change is dated after the one before it, whatever the clock says",
    arguments: [(50, 100.001), (100, 100.001), (200, 200)])
  func modificationDate(now: Double, expected: Double) {
    let item = ItemContent(
      itemClass: .genericPassword, attributes: [.modificationDate: .date(100)], protectionClass: .always,
      isSynchronizable: false)
    #expect(ItemChanging.modification(after: item, now: now) == expected)
  }

  @Test(
    "an update without a secret keeps it, also when the protection class changes",
    arguments: [
      nil, .always, .afterFirstUnlockThisDeviceOnly,
    ] as [ProtectionClass?])
  func updateKeepsSecret(protection: ProtectionClass?) throws {
    let scratch = try Scratch()
    let large = String(repeating: "x", count: 10_000)
    _ = try scratch.backend.add(try password("s", "small", "tiny"), for: me)
    _ = try scratch.backend.add(try password("s", "large", large), for: me)
    var change = ItemChange([.comment: .text(String(repeating: "c", count: 9_000))])
    change.protectionClass = protection
    try scratch.backend.update(query(), with: change, for: me)
    for found in [try scratch.backend.find(query(), for: me), try scratch.another().find(query(), for: me)] {
      #expect(found.map(\.text) == ["tiny", large])
      #expect(found.allSatisfy { $0.protectionClass == protection ?? .whenUnlocked })
    }
    try scratch.backend.update(query(), with: ItemChange([.comment: .text("short")]), for: me)
    #expect(try scratch.another().find(query(), for: me).map(\.text) == ["tiny", large])
  }

  @Test("an update that would make two items one changes nothing")
  func updateCollision() throws {
    let scratch = try Scratch()
    defer { scratch.end() }
    let backend = scratch.backend
    for account in ["a", "b", "c"] { _ = try backend.add(try password("s", account), for: me) }
    #expect(throws: KeychainError(.duplicateItem)) {
      try backend.update(query(), with: ItemChange([.account: .text("z"), .label: .text("l")]), for: me)
    }
    let found = try backend.find(query(), for: me)
    #expect(found.accounts == [.text("a"), .text("b"), .text("c")])
    #expect(found.allSatisfy { $0.attributes[.label] == nil })
    #expect(try backend.status().itemCount == 3)
  }

  @Test("a delete takes every match, and finds nothing the second time")
  func delete() throws {
    let scratch = try Scratch()
    for account in ["a", "b", "c"] { _ = try scratch.backend.add(try password("s", account), for: me) }
    try scratch.backend.delete(query([.account: .text("b")]), for: me)
    #expect(try scratch.another().find(query(), for: me).accounts == [.text("a"), .text("c")])
    try scratch.backend.delete(query(), for: me)
    #expect(throws: KeychainError(.itemNotFound)) { try scratch.backend.delete(query(), for: me) }
    #expect(throws: KeychainError(.itemNotFound)) { try scratch.backend.find(query(), for: me) }
    #expect(try scratch.backend.status().itemCount == 0)
  }

  @Test("protection class and synchronizable flag filter")
  func classAndSync() throws {
    let scratch = try Scratch()
    defer { scratch.end() }
    let backend = scratch.backend
    var item = try password("s", "a")
    item.protectionClass = .always
    item.isSynchronizable = true
    _ = try backend.add(item, for: me)
    _ = try backend.add(try password("s", "b"), for: me)
    func accounts(_ sync: ItemQuery.Synchronizable, _ protection: ProtectionClass? = nil) -> [AttributeValue?] {
      var query = query()
      query.synchronizable = sync
      query.protectionClass = protection
      return (try? backend.find(query, for: me).accounts) ?? []
    }
    #expect(accounts(.no) == [.text("b")])
    #expect(accounts(.yes) == [.text("a")])
    #expect(accounts(.any) == [.text("a"), .text("b")])
    #expect(accounts(.any, .always) == [.text("a")])
    #expect(accounts(.no, .always) == [])
    #expect(accounts(.any, .whenUnlocked) == [.text("b")])
  }

  @Test("a persistent reference finds its item for its whole life, synchronizable or not")
  func reference() throws {
    let scratch = try Scratch()
    defer { scratch.end() }
    let backend = scratch.backend
    var item = try password("s", "a")
    item.isSynchronizable = true
    let added = try backend.add(item, for: me)
    var query = query()
    query.reference = added.reference
    #expect(throws: KeychainError(.itemNotFound)) { try backend.find(query, for: me) }
    query.synchronizable = .any
    #expect(try backend.find(query, for: me).count == 1)
    try backend.update(query, with: ItemChange([.account: .text("renamed")]), for: me)
    #expect(try backend.find(query, for: me).accounts == [.text("renamed")])
    try backend.delete(query, for: me)
    #expect(throws: KeychainError(.itemNotFound)) { try backend.find(query, for: me) }
    let again = try backend.add(item, for: me)
    #expect(again.reference != added.reference)
    query.reference = [1, 2, 3]
    #expect(throws: KeychainError(.parameter)) { try backend.find(query, for: me) }
  }

  @Test("groups: the first is the default, foreign ones are invisible, naming one is refused")
  func groups() throws {
    let scratch = try Scratch()
    defer { scratch.end() }
    let backend = scratch.backend
    let both = Caller(accessGroups: ["one", "two"])
    let other = Caller(accessGroups: ["three"])
    _ = try backend.add(try password("s", "a"), for: both)
    _ = try backend.add(try password("s", "a", "x", [.accessGroup: .text("two")]), for: both)
    #expect(
      try backend.find(query(), for: both).map { $0.attributes[.accessGroup] } == [.text("one"), .text("two")])
    #expect(try backend.find(query([.accessGroup: .text("two")]), for: both).count == 1)
    #expect(throws: KeychainError(.itemNotFound)) { try backend.find(query(), for: other) }
    #expect(throws: KeychainError(.itemNotFound)) { try backend.delete(query(), for: other) }
    for call in [
      { _ = try backend.find(query([.accessGroup: .text("one")]), for: other) },
      { try backend.delete(query([.accessGroup: .text("one")]), for: other) },
      { _ = try backend.add(try password("s", "b", "x", [.accessGroup: .text("one")]), for: other) },
      { try backend.update(query(), with: ItemChange([.accessGroup: .text("three")]), for: both) },
      { _ = try backend.find(query(), for: Caller(accessGroups: [])) },
    ] {
      #expect(throws: KeychainError(.missingEntitlement)) { try call() }
    }
    #expect(throws: KeychainError(.duplicateItem)) {
      try backend.update(
        query([.accessGroup: .text("one")]), with: ItemChange([.accessGroup: .text("two")]), for: both)
    }
  }

  @Test("while none is set nothing may hang on a passcode, and no vault is made for it")
  func noPasscode() throws {
    let scratch = try Scratch()
    var item = try password("s", "a")
    item.accessControl = AccessControl(.whenUnlocked, .userPresence)
    #expect(throws: KeychainError(.authenticationFailed)) { try scratch.backend.add(item, for: me) }
    item = try password("s", "a")
    item.protectionClass = .whenPasscodeSetThisDeviceOnly
    #expect(throws: KeychainError(.authenticationFailed)) { try scratch.backend.add(item, for: me) }
    #expect(try scratch.backend.status().isPresent == false)
    _ = try scratch.backend.add(try password("s", "a"), for: me)
    var change = ItemChange()
    change.protectionClass = .whenPasscodeSetThisDeviceOnly
    #expect(throws: KeychainError(.authenticationFailed)) { try scratch.backend.update(query(), with: change, for: me) }
    let other = query([.account: .text("nobody")])
    #expect(throws: KeychainError(.itemNotFound)) { try scratch.backend.update(other, with: change, for: me) }
  }

  @Test("attributes of another class, and those with a place of their own, are refused")
  func refusedAttributes() throws {
    let scratch = try Scratch()
    defer { scratch.end() }
    let backend = scratch.backend
    #expect(throws: KeychainError(.noSuchAttribute)) {
      try backend.add(try password("s", "a", "x", [.server: .text("h")]), for: me)
    }
    #expect(throws: KeychainError(.noSuchAttribute)) { try backend.find(query([.keyType: .number(1)]), for: me) }
    for attribute in [Attribute.accessible, .synchronizable, .data, .tombstone] {
      #expect(throws: KeychainError(.parameter)) {
        try backend.add(try password("s", "a", "x", [attribute: .number(1)]), for: me)
      }
    }
    #expect(throws: KeychainError(.itemNotFound)) { try backend.find(query(), for: me) }
  }

  @Test("a find makes no vault")
  func findMakesNothing() throws {
    let scratch = try Scratch()
    #expect(throws: KeychainError(.itemNotFound)) { try scratch.backend.find(query(), for: me) }
    #expect(throws: KeychainError(.itemNotFound)) { try scratch.backend.delete(query(), for: me) }
    #expect(throws: KeychainError(.itemNotFound)) { try scratch.backend.update(query(), with: ItemChange(), for: me) }
    #expect(try scratch.backend.status().isPresent == false)
    #expect(try scratch.home.files().isEmpty)
  }

  @Test("the other classes have keys of their own")
  func otherClasses() throws {
    let scratch = try Scratch()
    defer { scratch.end() }
    let backend = scratch.backend
    let web: [Attribute: AttributeValue] = [
      .server: .text("h.example"), .account: .text("a"), .port: .number(443), .protocol: .text("htps"),
    ]
    _ = try backend.add(NewItem(.internetPassword, web, secret: try secret("p")), for: me)
    #expect(throws: KeychainError(.duplicateItem)) { try backend.add(NewItem(.internetPassword, web), for: me) }
    _ = try backend.add(NewItem(.internetPassword, web.merging([.port: .number(80)]) { $1 }), for: me)
    let found = try backend.find(ItemQuery(.internetPassword, [.protocol: .text("htps")], limit: .all), for: me)
    #expect(found.map { $0.attributes[.port] } == [.number(443), .number(80)])
    #expect(try backend.find(ItemQuery(.internetPassword, [.port: .number(80)], limit: .all), for: me).count == 1)
    let certificate = try backend.add(NewItem(.certificate, [.issuer: .data([1]), .serialNumber: .data([2])]), for: me)
    #expect(certificate.protectionClass == .always)
    #expect(throws: KeychainError(.itemNotFound)) { try backend.find(query(), for: me) }
  }
}
