#if !SANITIZE_THREAD
  internal import Synchronization
#endif
internal import TestFixtures
internal import Testing
internal import ThumbturnCrypto

@testable internal import ThumbturnKeychain
@testable internal import ThumbturnVault

/// Records under a policy whose parts somebody exchanged: without any key, and with everything but the policy key.
@Suite("Hostile policies")
struct HostilePolicyTests {
  /// Two items under different policies and one under none.
  private func filled() throws -> LockedScratch {
    let scratch = try LockedScratch.unlocked()
    _ = try scratch.backend.add(constrained("a", .biometryCurrentSet), for: me)
    _ = try scratch.backend.add(constrained("b", [.biometryAny, .or, .devicePasscode]), for: me)
    _ = try scratch.backend.add(constrained("c", []), for: me)
    return scratch
  }

  private func expectDamaged(_ scratch: LockedScratch, _ accounts: [String], _ rows: [Int64]) throws {
    for account in accounts {
      #expect(scratch.backend.vaultCode { _ = try $0.released(account) } == .damagedRecord, "\(account)")
      #expect(scratch.backend.code { _ = try $0.find(secretQuery(account), for: me) } != nil)
    }
    #expect(try scratch.backend.check(CheckRequest(moves: false)).listedRows == rows)
    // New keys are not given to what does not verify.
    let code = scratch.backend.vaultCode {
      try $0.changePasscode(from: passcode(LockedScratch.code), to: passcode("5"), rotates: true)
    }
    #expect(code == .damaged)
    #expect(try scratch.backend.find(secretQuery("c"), for: me).map(\.text) == ["secret of c"])
  }

  @Test("columns exchanged between two rows", arguments: ["secret", "meta", "uuid"])
  func columns(column: String) throws {
    let scratch = try filled()
    defer { scratch.end() }
    let values = try Rows(scratch.home).values(of: column)
    let isUnique = column == "uuid"
    let rows = try Rows(scratch.home)
    if isUnique { try rows.run("UPDATE items SET uuid = randomblob(16) WHERE id = 2") }
    try rows.run("UPDATE items SET \(column) = x'\(values[1])' WHERE id = 1")
    try rows.run("UPDATE items SET \(column) = x'\(values[0])' WHERE id = 2")
    try expectDamaged(scratch, ["a", "b"], [1, 2])
  }

  @Test("the box of an item without a policy in the place of one with, and the other way round")
  func foreignBox() throws {
    let scratch = try filled()
    defer { scratch.end() }
    let values = try Rows(scratch.home).values(of: "secret")
    try Rows(scratch.home).run("UPDATE items SET secret = x'\(values[2])' WHERE id = 1")
    try expectDamaged(scratch, ["a"], [1])
  }

  /// What somebody does who has every key but that of policies: the metadata verifies, and only the secret can tell.
  enum Forgery: CaseIterable {
    case nothing, otherAccessControl, otherEnrolment, otherItemKey, otherSecretVersion, noPolicy, noAccessControl,
      noItemKey,
      noEnrolment, otherPolicyAndBox, itemKeyCutShort

    func apply(to fields: inout [UInt16: RecordField], other: [UInt16: RecordField]) {
      let (hash, key, control) = (
        RecordField.Own.enrolmentHash.rawValue, RecordField.Own.itemKey.rawValue, RecordField.Own.policy.rawValue
      )
      let version = RecordField.Own.secretVersion.rawValue
      switch self {
      case .nothing: break
      case .otherAccessControl: fields[control] = other[control]
      case .otherEnrolment: fields[hash] = RecordField(hash, .data, [1, 2, 3])
      case .otherItemKey: fields[key] = other[key]
      case .otherSecretVersion: fields[version] = other[version]
      case .noPolicy: for number in [hash, key, control] { fields[number] = nil }
      case .noAccessControl: fields[control] = nil
      case .noItemKey: fields[key] = nil
      case .noEnrolment: fields[hash] = nil
      case .otherPolicyAndBox: for number in [hash, key, control, version] { fields[number] = other[number] }
      case .itemKeyCutShort: fields[key] = RecordField(key, .data, Array(other[key]?.bytes.prefix(40) ?? []))
      }
    }
  }

  @Test("metadata forged with all keys but that of policies opens nothing", arguments: Forgery.allCases)
  func forged(forgery: Forgery) throws {
    let scratch = try filled()
    defer { scratch.end() }
    var own = try fields(scratch.backend, "a")
    forgery.apply(to: &own, other: try fields(scratch.backend, "b"))
    let box = try sealed(scratch.backend, row: 1, own)
    let rows = try Rows(scratch.home)
    try rows.run(
      "UPDATE items SET meta = x'\(box.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())' WHERE id = 1")
    if forgery == .otherPolicyAndBox {
      try rows.run("UPDATE items SET secret = (SELECT secret FROM items WHERE id = 2) WHERE id = 1")
    }
    guard forgery != .nothing else {
      // The forger's tools work.
      #expect(try scratch.backend.released("a") == "secret of a")
      #expect(try scratch.backend.check().isClean)
      return
    }
    try expectDamaged(scratch, ["a"], [1])
    #expect(try scratch.backend.released("b") == "secret of b")
  }

  /// What somebody does to the lock of an application password who has every key.
  enum LockForgery: CaseIterable {
    case nothing, gone, cutShort, tooLong, costTooHigh, costTooLow, otherAlgorithm, added, addedAlone, otherRecord,
      otherWrap

    func apply(to fields: inout [UInt16: RecordField], _ lock: [UInt8], other: [UInt8]) {
      let number = RecordField.Own.applicationPassword.rawValue
      var bytes = lock
      switch self {
      case .nothing, .added, .addedAlone: break
      case .gone:
        fields[number] = nil
        return
      case .cutShort: bytes.removeLast()
      case .tooLong: bytes.append(0)
      // 4 GiB - 1 KiB, below 64 MiB.
      case .costTooHigh: for index in 1..<5 { bytes[index] = 0xFF }
      case .costTooLow: bytes[2] = 1; bytes[3] = 0
      case .otherAlgorithm: bytes[0] = 2
      case .otherRecord: bytes = other
      case .otherWrap: bytes[bytes.count - 1] ^= 1
      }
      if self == .addedAlone {
        for own in [RecordField.Own.enrolmentHash, .itemKey, .policy] { fields[own.rawValue] = nil }
      }
      fields[number] = RecordField(number, .data, bytes)
    }
  }

  @Test(
    "a forged lock of an application password is damage, and where it only does not open a wrong password",
    arguments: LockForgery.allCases)
  func forgedLock(forgery: LockForgery) throws {
    let scratch = try LockedScratch.unlocked()
    defer { scratch.end() }
    let stub = EvaluatorStub()
    let conditions: AccessControl.Conditions =
      forgery == .added || forgery == .addedAlone ? .userPresence : .applicationPassword
    for (account, conditions) in [("a", conditions), ("b", .applicationPassword)] {
      let password = try secret("pass")
      stub.state.withLock { $0.passwords = [password] }
      _ = try scratch.backend.add(constrained(account, conditions), for: me, stub)
    }
    let number = RecordField.Own.applicationPassword.rawValue
    let other = try #require(try fields(scratch.backend, "b")[number]).bytes
    var own = try fields(scratch.backend, "a")
    forgery.apply(to: &own, own[number]?.bytes ?? other, other: other)
    let box = try sealed(scratch.backend, row: 1, own)
    try Rows(scratch.home).run(
      "UPDATE items SET meta = x'\(box.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())' WHERE id = 1")
    let password = try secret("pass")
    stub.state.withLock { state in
      state.passwords = [password]
      state.wrongBefore = []
    }
    let code = scratch.backend.findCode(secretQuery("a"), stub)
    let asked = stub.state.withLock { $0.wrongBefore }
    switch forgery {
    case .nothing: #expect(code == nil && asked == [false])
    // The stub has no second one.
    case .otherRecord, .otherWrap: #expect(code == .interactionNotAllowed && asked == [false, true])
    default:
      #expect(code == .itemNotFound && asked.isEmpty)
      #expect(try scratch.backend.check(CheckRequest(moves: false)).listedRows == [1])
    }
  }

  @Test("a record whose policy was taken away is not read by a find either, and an add takes its place")
  func downgraded() throws {
    let scratch = try filled()
    defer { scratch.end() }
    var own = try fields(scratch.backend, "a")
    Forgery.noPolicy.apply(to: &own, other: [:])
    let box = try sealed(scratch.backend, row: 1, own)
    try Rows(scratch.home).run(
      "UPDATE items SET meta = x'\(box.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())' WHERE id = 1")
    #expect(scratch.backend.findCode(secretQuery("a")) == .itemNotFound)
    _ = try scratch.backend.add(constrained("a", .userPresence, .whenUnlocked, "new"), for: me)
    #expect(try scratch.backend.released("a") == "new")
    #expect(try scratch.backend.check().findings.contains(.quarantined(count: 1)))
  }

  @Test("before the first unlock a spoilt item key is told all the same")
  func lockedVerdict() throws {
    let scratch = try LockedScratch.unlocked()
    defer { scratch.end() }
    _ = try scratch.backend.add(constrained("a", .userPresence, .always), for: me)
    _ = try scratch.backend.add(constrained("b", .userPresence, .always), for: me)
    var own = try fields(scratch.backend, "a")
    Forgery.otherItemKey.apply(to: &own, other: try fields(scratch.backend, "b"))
    let box = try sealed(scratch.backend, row: 1, own)
    try Rows(scratch.home).run(
      "UPDATE items SET meta = x'\(box.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())' WHERE id = 1")
    let other = scratch.another()
    defer { other.close() }
    #expect(try other.check(CheckRequest(moves: false)).listedRows == [1])
  }

  private func fields(_ backend: LocalBackend, _ account: String) throws -> [UInt16: RecordField] {
    let found = try backend.withRecord(account) { (record, _) throws(VaultError) -> [UInt16: RecordField] in
      var fields: [UInt16: RecordField] = [:]
      var walk = RecordFieldWalk()
      while let place = try walk.next(in: record.fields) {
        fields[place.number] = RecordField(place.number, place.kind, record.fields.extracting(place.range).copied())
      }
      return fields
    }
    return try #require(found)
  }

  /// The metadata box of a row with these fields instead.
  private func sealed(_ backend: LocalBackend, row id: Int64, _ fields: [UInt16: RecordField]) throws -> [UInt8] {
    var content: [UInt8] = []
    for (_, field) in fields.sorted(by: { $0.key < $1.key }) {
      RecordField.append(field.number, field.kind, field.bytes.span, to: &content)
    }
    let encoded = content
    return try backend.inVault { (vault) throws(VaultError) in
      try vault.read { (reader) throws(VaultError) -> [UInt8] in
        guard let row = try RowScan(reader.connection).row(id: id), let class_ = row[.protection].byte,
          let protection = ProtectionClass(rawValue: class_)
        else { throw VaultError(.missing, "no such row") }
        let (uuid, version, primaryKey, group) = (
          row[.uuid].bytes, row[.version].bytes, row[.primaryKey].bytes, row[.group].bytes
        )
        let (first, second, tags) = (row[.first].bytes, row[.second].bytes, row[.tags].bytes)
        let columns = RecordBinding.Columns(
          format: 1, table: row[.table].byte ?? 0, protection: class_, sync: row[.sync].byte ?? 0, uuid: uuid.span,
          version: version.span, primaryKey: primaryKey.span, group: group.span, first: first.span,
          second: second.span, tagBlob: tags.span)
        var aad = InlineArray<164, UInt8>(repeating: 0)
        var aadOut = aad.mutableSpan
        try RecordBinding.metadata(columns, reader.keys, into: &aadOut)
        var key = InlineArray<32, UInt8>(repeating: 0)
        var keyOut = key.mutableSpan
        try reader.keys.boxKey(protection, .metadata, uuid: uuid.span, version: version.span, into: &keyOut)
        var padded = [UInt8](repeating: 0, count: Padding.paddedCount(encoded.count))
        var out = padded.mutableSpan
        var at = 0
        out.putNumber(UInt64(encoded.count), count: Padding.lengthCount, at: &at)
        out.put(encoded.span, at: &at)
        return try reader.keys.seal(key: key.span, aad: aad.span, padded.span)
      }
    }
  }
}
