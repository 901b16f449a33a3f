#if !SANITIZE_THREAD
  internal import Synchronization
#endif
internal import TestFixtures
internal import Testing
internal import ThumbturnAuthentication
internal import ThumbturnCrypto

@testable internal import ThumbturnKeychain
@testable internal import ThumbturnVault

/// Items whose key an application password enters (SECACCESS.md §1, §2).
@Suite("Application passwords")
struct ApplicationPasswordTests {
  private func make() throws -> (LockedScratch, LocalBackend, EvaluatorStub) {
    let scratch = try LockedScratch.unlocked()
    return (scratch, scratch.backend, EvaluatorStub())
  }

  /// What is typed, one after the other.
  private func type(_ stub: EvaluatorStub, _ texts: String...) throws {
    let passwords = try texts.map(secret)
    stub.state.withLock { state in
      state.passwords = passwords
      state.wrongBefore = []
      state.asked = []
    }
  }

  private func asks(_ stub: EvaluatorStub) -> [Bool] { stub.state.withLock { $0.wrongBefore } }

  private func add(
    _ backend: LocalBackend, _ stub: EvaluatorStub, _ account: String, _ password: String,
    _ conditions: AccessControl.Conditions = .applicationPassword, _ protection: ProtectionClass = .whenUnlocked
  ) throws {
    try type(stub, password)
    _ = try backend.add(constrained(account, conditions, protection), for: me, stub)
    #expect(asks(stub) == [false])
  }

  @Test("the secret comes out with the password, and without one or without an evaluator it does not")
  func opens() throws {
    let (scratch, backend, stub) = try make()
    defer { scratch.end() }
    try add(backend, stub, "a", "pass")
    try type(stub, "pass")
    #expect(try backend.find(secretQuery("a"), for: me, stub).map(\.text) == ["secret of a"])
    // Reading is free but for the password: nobody is asked for anything else.
    #expect(stub.state.withLock { $0.asked.isEmpty } && asks(stub) == [false])
    #expect(backend.findCode(secretQuery("a")) == .interactionNotAllowed)
    #expect(backend.findCode(secretQuery("a", .refuse), stub) == .interactionNotAllowed)
    #expect(backend.findCode(secretQuery("a", .leaveOut), stub) == .itemNotFound)
    // Nothing is typed any more.
    #expect(backend.findCode(secretQuery("a"), stub) == .interactionNotAllowed)
    let found = try backend.find(attributeQuery("a"), for: me)
    #expect(found.map(\.accessControl) == [AccessControl(.whenUnlocked, .applicationPassword)])
    #expect(try backend.check().isClean)
    let other = scratch.another()
    defer { other.close() }
    #expect(try other.check().isClean)
    try backend.delete(attributeQuery("a"), for: me)
  }

  @Test("a wrong one is asked for again, twenty times in all, and is no damage")
  func wrong() throws {
    let (scratch, backend, stub) = try make()
    defer { scratch.end() }
    try add(backend, stub, "a", "pass")
    try type(stub, "Pass", "", "pass ", "pass")
    #expect(try backend.find(secretQuery("a"), for: me, stub).map(\.text) == ["secret of a"])
    #expect(asks(stub) == [false, true, true, true])
    let many = try (0..<30).map { try secret("wrong \($0)") }
    stub.state.withLock { state in
      state.passwords = many
      state.wrongBefore = []
    }
    #expect(backend.findCode(secretQuery("a"), stub) == .authenticationFailed)
    #expect(asks(stub) == [false] + [Bool](repeating: true, count: 19))
    #expect(try backend.check().isClean)
    #expect(try backend.status().failedAttempts == 0)
  }

  @Test("what a person has to show comes first, and both are needed")
  func withConstraint() throws {
    let (scratch, backend, stub) = try make()
    defer { scratch.end() }
    try add(backend, stub, "a", "pass", [.userPresence, .applicationPassword])
    try type(stub, "pass")
    #expect(try backend.find(secretQuery("a"), for: me, stub).map(\.text) == ["secret of a"])
    #expect(stub.state.withLock { $0.asked.map { $0.map(\.requirement.needsApplicationPassword) } } == [[true]])
    try type(stub, "pass")
    stub.state.withLock { $0.answer = KeychainError(.userCanceled) }
    #expect(backend.findCode(secretQuery("a"), stub) == .userCanceled)
    #expect(asks(stub).isEmpty)
    stub.state.withLock { $0.answer = nil }
    try type(stub)
    #expect(backend.findCode(secretQuery("a"), stub) == .interactionNotAllowed)
    // With every other key of the vault.
    #expect(backend.vaultCode { _ = try $0.released("a") } == .classKeyLocked)
    let content = try backend.withRecord("a") { (record, _) throws(VaultError) in
      try record.openForExchange().bytes.copied()
    }
    let plain = Array("secret of a".utf8)
    let bytes = try #require(content)
    #expect(bytes.count > plain.count && !bytes.indices.contains { bytes[$0...].starts(with: plain) })
  }

  @Test("several items of a find may have several passwords, and sixteen items are the most")
  func several() throws {
    let (scratch, backend, stub) = try make()
    defer { scratch.end() }
    for (account, password) in [("a", "1"), ("b", "2"), ("c", "1")] { try add(backend, stub, account, password) }
    try type(stub, "2", "3", "1")
    // The database is not held while somebody is asked.
    let other = scratch.another()
    defer { other.close() }
    stub.state.withLock { state in
      state.meanwhile = { _ = try? other.add(password("s", "meanwhile", "m", [:]).always, for: me) }
    }
    let found = try backend.find(query(), for: me, stub)
    #expect(found.map(\.text) == ["secret of a", "secret of b", "secret of c", "m"])
    #expect(asks(stub) == [false, true, true])
    stub.state.withLock { $0.meanwhile = nil }
    for index in 4...16 { try add(backend, stub, "\(index)", "1") }
    try type(stub, "1", "2")
    #expect(try backend.find(query(), for: me, stub).count == 17)
    try add(backend, stub, "one more", "1")
    try type(stub, "1")
    #expect(backend.findCode(query(), stub) == .parameter)
    #expect(asks(stub).isEmpty)
    #expect(try backend.find(query(limit: .count(1)), for: me, stub).map(\.text) == ["secret of a"])
  }

  @Test("replacing the secret needs it, and changing anything else does not")
  func update() throws {
    let (scratch, backend, stub) = try make()
    defer { scratch.end() }
    try add(backend, stub, "a", "pass")
    try type(stub)
    try backend.update(query(), with: ItemChange([.label: .text("l")]), for: me)
    let new = ItemChange(secret: try secret("new"))
    #expect(backend.updateCode(query(), new) == .interactionNotAllowed)
    try type(stub, "wrong")
    #expect(backend.updateCode(query(), new, stub) == .interactionNotAllowed)
    #expect(asks(stub) == [false, true])
    try type(stub, "pass")
    #expect(try backend.find(secretQuery("a"), for: me, stub).map(\.text) == ["secret of a"])
    try type(stub, "wrong", "pass")
    try backend.update(query(), with: new, for: me, stub)
    try type(stub, "pass")
    let found = try backend.find(secretQuery("a"), for: me, stub)
    #expect(found.map(\.text) == ["new"] && found.map { $0.attributes[.label] } == [.text("l")])
    #expect(try backend.check().isClean)
    // Under a constraint too the data alone needs nothing else.
    try add(backend, stub, "b", "pass", [.userPresence, .applicationPassword])
    try type(stub, "pass")
    try backend.update(query([.account: .text("b")]), with: new, for: me, stub)
    #expect(stub.state.withLock { $0.asked.isEmpty })
    try type(stub)
    try backend.update(query([.account: .text("b")]), with: ItemChange([.label: .text("l")]), for: me, stub)
    #expect(stub.state.withLock { $0.asked.count } == 1 && asks(stub).isEmpty)
  }

  @Test("of an internet password the further secrets stay, under the same password")
  func furtherSecrets() throws {
    let (scratch, backend, stub) = try make()
    defer { scratch.end() }
    for conditions in [AccessControl.Conditions.applicationPassword, [.applicationPassword, .devicePasscode]] {
      var item = NewItem(.internetPassword, [.server: .text("h"), .account: .text("a")], secret: try secret("old"))
      item.extraSecrets = [.extraNotes: try secret("notes")]
      item.accessControl = AccessControl(.whenUnlocked, conditions)
      try type(stub, "pass")
      _ = try backend.add(item, for: me, stub)
      try type(stub, "pass")
      try backend.update(ItemQuery(.internetPassword), with: ItemChange(secret: try secret("new")), for: me, stub)
      var all = ItemQuery(.internetPassword, wantsSecret: true)
      all.wantsExtraSecrets = true
      try type(stub, "pass")
      let found = try backend.find(all, for: me, stub)
      #expect(found.map(\.text) == ["new"])
      let notes = found.first?.extraSecrets[.extraNotes]?.withBytes { $0.copied() }
      #expect(notes == Array("notes".utf8))
      try backend.delete(ItemQuery(.internetPassword), for: me)
    }
  }

  /// Conditions before and after, and whether the password is asked for in between.
  @Test(
    "an item gets one, keeps it, and loses it by a change of its access control",
    arguments: [
      (nil, AccessControl.Conditions.applicationPassword, true),
      (.userPresence, [.userPresence, .applicationPassword], true),
      (.applicationPassword, [.userPresence, .applicationPassword], false),
      ([.userPresence, .applicationPassword], .applicationPassword, false),
      (.applicationPassword, .userPresence, true), ([.userPresence, .applicationPassword], .devicePasscode, true),
      (.applicationPassword, [], true),
    ] as [(AccessControl.Conditions?, AccessControl.Conditions, Bool)])
  func accessControl(
    old: AccessControl.Conditions?, new: AccessControl.Conditions, asksForPassword: Bool
  ) throws {
    let (scratch, backend, stub) = try make()
    defer { scratch.end() }
    let had = old?.contains(.applicationPassword) ?? false
    var item = try password("s", "a", "old")
    item.accessControl = old.flatMap { AccessControl(.whenUnlocked, $0) }
    if had { try type(stub, "pass") }
    _ = try backend.add(item, for: me, stub)
    let change = ItemChange(AccessControl(.afterFirstUnlock, new))
    if asksForPassword {
      try type(stub)
      #expect(backend.updateCode(query(), change, stub) == .interactionNotAllowed)
      if had {
        try type(stub, "wrong")
        #expect(backend.updateCode(query(), change, stub) == .interactionNotAllowed)
      }
      try type(stub, "pass")
    } else {
      try type(stub)
    }
    try backend.update(query(), with: change, for: me, stub)
    #expect(asks(stub).count == (asksForPassword ? 1 : 0))
    let needsIt = new.contains(.applicationPassword)
    try type(stub, "wrong", "pass")
    let found = try backend.find(secretQuery("a"), for: me, stub)
    #expect(found.map(\.text) == ["old"] && found.map(\.protectionClass) == [.afterFirstUnlock])
    #expect(asks(stub) == (needsIt ? [false, true] : []))
    #expect(try backend.check().isClean)
  }

  @Test("a new secret and a new access control in one update come under the password together")
  func both() throws {
    let (scratch, backend, stub) = try make()
    defer { scratch.end() }
    _ = try backend.add(password("s", "a", "old"), for: me)
    try add(backend, stub, "b", "pass")
    var change = ItemChange(AccessControl(.whenUnlocked, [.applicationPassword, .devicePasscode]))
    change.secret = try secret("new")
    // One of them has a password, the other gets it: what is typed must be right for the first.
    try type(stub, "other", "pass")
    try backend.update(query(), with: change, for: me, stub)
    #expect(asks(stub) == [false, true])
    try type(stub, "other", "pass")
    #expect(try backend.find(query(), for: me, stub).map(\.text) == ["new", "new"])
    #expect(asks(stub) == [false, true])
  }

  @Test("new keys, another passcode, another class: none of them needs it, and it opens the secret afterwards")
  func exchanges() throws {
    let (scratch, backend, stub) = try make()
    defer { scratch.end() }
    try add(backend, stub, "a", "1")
    try add(backend, stub, "b", "2", [.userPresence, .applicationPassword], .afterFirstUnlock)
    try type(stub)
    func sealed(_ account: String) throws -> SealedPolicy {
      let found = try backend.withRecord(account) { (record, _) throws(VaultError) in try record.sealedPolicy() }
      return try #require(found ?? nil)
    }
    func expectOpen() throws {
      try type(stub, "2", "1")
      #expect(try backend.find(query(), for: me, stub).map(\.text) == ["secret of a", "secret of b"])
      #expect(try backend.check().isClean)
      try type(stub)
    }
    var before = [try sealed("a"), try sealed("b")]
    let codes: [(String, String?, Bool)] = [(LockedScratch.code, "2", false), ("2", "3", true), ("3", nil, true)]
    for (old, new, rotates) in codes {
      try backend.changePasscode(from: passcode(old), to: new.map(passcode), rotates: rotates)
      let after = [try sealed("a"), try sealed("b")]
      #expect(after.map(\.lock) == before.map(\.lock))
      #expect(zip(before, after).allSatisfy { ($0.itemKey != $1.itemKey) == rotates })
      before = after
      guard new != nil else { continue }
      try expectOpen()
    }
    // Without a passcode nothing under a policy is opened, and nobody is asked in vain.
    try type(stub, "1")
    #expect(backend.findCode(secretQuery("a"), stub) == .authenticationFailed)
    #expect(
      backend.code { _ = try $0.add(constrained("c", .applicationPassword), for: me, stub) } == .authenticationFailed)
    #expect(asks(stub).isEmpty)
    try backend.changePasscode(from: nil, to: passcode("4"))
    try expectOpen()
    let item = try sealed("a").itemKey
    try backend.update(
      query([.account: .text("a")]), with: ItemChange(AccessControl(.always, .applicationPassword)), for: me)
    #expect(try sealed("a").lock == before[0].lock && sealed("a").itemKey != item)
    try expectOpen()
  }

  @Test("an empty one, or one of more than 1,024 bytes, is asked for again, and nothing is stored without one")
  func sizes() throws {
    let (scratch, backend, stub) = try make()
    defer { scratch.end() }
    let long = String(repeating: "p", count: 1_024)
    try type(stub, "", long + "p", long)
    _ = try backend.add(constrained("a", .applicationPassword), for: me, stub)
    #expect(asks(stub) == [false, true, true])
    try type(stub, long)
    #expect(try backend.find(secretQuery("a"), for: me, stub).map(\.text) == ["secret of a"])
    #expect(
      backend.code { _ = try $0.add(constrained("b", .applicationPassword), for: me) } == .interactionNotAllowed)
    #expect(backend.findCode(attributeQuery("b")) == .itemNotFound)
    let item = try constrained("c", .applicationPassword)
    let content = try LocalBackend.content(item, me)
    let fields = try LocalBackend.fields(item)
    let code = backend.vaultCode { backend in
      try backend.inVault { (vault) throws(VaultError) in
        try vault.write(mayCreate: false) { (writer) throws(VaultError) in
          _ = try LocalBackend.insert(content, fields, writer)
        }
      }
    }
    #expect(code == .classKeyLocked)
    #expect(backend.findCode(attributeQuery("c")) == .itemNotFound)
  }

  @Test("each record has a salt of its own, and large and empty secrets come out whole")
  func salts() throws {
    let (scratch, backend, stub) = try make()
    defer { scratch.end() }
    let texts = ["", "short", String(repeating: "L", count: 20_000)]
    for (index, text) in texts.enumerated() {
      try type(stub, "pass")
      _ = try backend.add(constrained("\(index)", .applicationPassword, .whenUnlocked, text), for: me, stub)
    }
    try type(stub, "pass")
    #expect(try backend.find(query(), for: me, stub).map(\.text) == texts)
    var salts: Set<[UInt8]> = []
    for index in texts.indices {
      let lock = try backend.withRecord("\(index)") { (record, _) throws(VaultError) in try record.passwordLock() }
      let bytes = try #require(lock ?? nil).bytes
      #expect(bytes.count == PasswordLock.count && bytes.count == 69)
      salts.insert(Array(bytes[13..<29]))
    }
    #expect(salts.count == texts.count)
    #expect(try backend.check().isClean)
  }

  @Test("the private key of an identity may have one")
  func identity() throws {
    let (scratch, backend, stub) = try make()
    defer { scratch.end() }
    _ = try backend.add(
      NewItem(
        .certificate, [.serialNumber: .data([1]), .publicKeyHash: .data([1])], secret: try secret("certificate")),
      for: me)
    var key = NewItem(
      .key, [.keyClass: .number(1), .isPrivate: .number(1), .applicationLabel: .data([1])],
      secret: try secret("key"))
    key.accessControl = AccessControl(.whenUnlocked, .applicationPassword)
    try type(stub, "pass")
    _ = try backend.add(key, for: me, stub)
    var identities = ItemQuery(.certificate, limit: .count(1), wantsSecret: true)
    identities.identityKey = [:]
    #expect(backend.findCode(identities) == .interactionNotAllowed)
    try type(stub, "wrong", "pass")
    #expect(try backend.find(identities, for: me, stub).map { $0.identityKey?.text } == ["key"])
    try type(stub)
    try backend.update(identities, with: ItemChange([.label: .text("l")]), for: me)
    #expect(backend.updateCode(identities, ItemChange(AccessControl(.always)), stub) == .interactionNotAllowed)
    try type(stub, "pass")
    try backend.update(identities, with: ItemChange(AccessControl(.always)), for: me, stub)
    #expect(try backend.find(identities, for: me).map { $0.identityKey?.text } == ["key"])
  }
}

extension NewItem {
  /// The same where no passcode is needed.
  fileprivate var always: NewItem {
    var out = self
    out.protectionClass = .always
    return out
  }
}
