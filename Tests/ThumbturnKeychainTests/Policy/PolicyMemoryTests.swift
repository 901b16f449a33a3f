internal import TestFixtures
internal import Testing
internal import ThumbturnCrypto

@testable internal import ThumbturnKeychain
@testable internal import ThumbturnVault

/// Where the keys of policies are: in pages for secrets, and nowhere else (VAULT.md §10).
@Suite("Keys of policies in memory", .serialized)
struct PolicyMemoryTests {
  /// Adds the policy key of the vault as it is now.
  private func addPolicyKey(_ name: String, of scratch: LockedScratch, _ code: String, to traces: inout KeyTraces)
    throws
  {
    let folder = try #require(try Folder.open(scratch.home.location.vaultFolder, part: .vaultFolder))
    let descriptor = try #require(try folder.open(Keybag.fileName, as: .keybag))
    let bytes = try KeybagFile(descriptor: descriptor).read()
    let keybag = try Keybag(decoding: bytes.span)
    let device = try #require(try Folder.open(scratch.home.location.deviceFolder, part: .deviceFolder))
    let derivation = try #require(keybag.derivation)
    let passcodeKey = try derivation.key(passcode(code))
    let parents = try ParentKeys(deviceKey: try Self.deviceKey(keybag, in: device), passcodeKey: passcodeKey)
    let keys = try KeySet.open(keybag, under: parents)
    let policy = try #require(keys.key(.policy))
    policy.withBytes { traces.add(name, $0) }
  }

  // A macro cannot hold what cannot be copied.
  private static func deviceKey(_ keybag: Keybag, in device: Folder) throws -> SecretBytes {
    guard let key = try DeviceKey.read(keybag.deviceKeyID, in: device) else {
      throw VaultError(.missing, "no device key")
    }
    return key
  }

  /// Adds an item's own key, and the two under which it is wrapped.
  private func addItemKey(_ account: String, _ time: String, _ backend: LocalBackend, to traces: inout KeyTraces) throws
  {
    var added = traces
    _ = try backend.withRecord(account) { (record, keys) throws(VaultError) in
      guard let sealed = try record.sealedPolicy() else { throw VaultError(.missing, "no policy") }
      let version = try record.secretVersion().bytes
      let uuid = record.uuid.bytes
      let key = try keys.unwrapItemKey(
        sealed.itemKey.span, record.protection, uuid: uuid.span, version: version.span)
      added.add("item key of \(account) \(time)", key.bytes)
      do throws(CryptoError) {
        var outer = try SecretBytes(count: 32) { _ in }
        var inner = try SecretBytes(count: 32) { _ in }
        try Self.derive(keys, record.protection, uuid, version, &outer, &inner)
        added.add("outer key of \(account) \(time)", outer.bytes)
        added.add("inner key of \(account) \(time)", inner.bytes)
      } catch { throw VaultError(error) }
    }
    traces = added
  }

  private static func derive(
    _ keys: RecordKeys, _ protection: ProtectionClass, _ uuid: InlineArray<16, UInt8>,
    _ version: InlineArray<16, UInt8>, _ outer: inout SecretBytes, _ inner: inout SecretBytes
  ) throws(CryptoError) {
    do throws(VaultError) {
      var out = outer.mutableBytes
      try keys.boxKey(protection, .secret, uuid: uuid.span, version: version.span, into: &out)
    } catch { throw .mismatch }
    do throws(VaultError) {
      var out = inner.mutableBytes
      try keys.policyKey(uuid: uuid.span, version: version.span, into: &out)
    } catch { throw .mismatch }
  }

  @Test("after adds, updates, a check and a rotation no item key and no policy key, old or new, is in ordinary memory")
  func leavesNoTrace() throws {
    let scratch = try LockedScratch.unlocked()
    defer { scratch.end() }
    let backend = scratch.backend
    var traces = KeyTraces()
    try addPolicyKey("first policy key", of: scratch, LockedScratch.code, to: &traces)
    for account in ["a", "b"] { _ = try backend.add(constrained(account), for: me) }
    _ = try backend.add(constrained("c", .userPresence, .whenUnlocked, String(repeating: "c", count: 20_000)), for: me)
    for account in ["a", "b", "c"] { try addItemKey(account, "at first", backend, to: &traces) }
    try backend.update(query([.account: .text("b")]), with: ItemChange(secret: try secret("new")), for: me)
    #expect(try backend.released("c")?.count == 20_000)
    #expect(try backend.check().isClean)
    try backend.changePasscode(from: passcode(LockedScratch.code), to: passcode("5678"), rotates: true)
    try addPolicyKey("second policy key", of: scratch, "5678", to: &traces)
    for account in ["a", "b", "c"] { try addItemKey(account, "rotated", backend, to: &traces) }
    let places = try #require(traces.places())
    #expect(places.elsewhere == [:])
    // The vault has it ready.
    #expect((places.inSecretPages["second policy key: its inner state"] ?? 0) >= 1)
    let planted = traces.planted()
    #expect(try #require(traces.places()).elsewhere.count == planted.count)
  }
}
