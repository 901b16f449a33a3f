internal import Glibc
internal import TestFixtures
internal import Testing
internal import ThumbturnCrypto

@testable internal import ThumbturnKeychain
@testable internal import ThumbturnVault

private struct NoDeviceKey: Error {}

/// Where the keys of a vault are while it is open: in pages for secrets, and nowhere else (ATTACKS.md 15, VAULT.md §10).
@Suite("Keys of an open vault in memory", .serialized)
struct KeyMemoryTests {
  /// The keys of a vault, opened once more beside the backend that the test watches.
  private struct Keys: ~Copyable {
    let deviceKey: SecretBytes
    let parents: ParentKeys
    let keybag: Keybag
    let keys: KeySet

    init(_ home: TemporaryHome) throws {
      let folder = try #require(try Folder.open(home.location.vaultFolder, part: .vaultFolder))
      let descriptor = try #require(try folder.open(Keybag.fileName, as: .keybag))
      let opened = try OpenKeybag(
        try KeybagFile(descriptor: descriptor).read(), devicePath: home.location.deviceFolder)
      let device = try #require(try Folder.open(home.location.deviceFolder, part: .deviceFolder))
      func read() throws -> SecretBytes {
        // A macro cannot hold what cannot be copied.
        guard let key = try DeviceKey.read(opened.keybag.deviceKeyID, in: device) else { throw NoDeviceKey() }
        return key
      }
      let deviceKey = try read()
      let parents = try ParentKeys(deviceKey: try read())
      self.deviceKey = deviceKey
      self.parents = parents
      keybag = opened.keybag
      keys = opened.keys
    }

    /// Everything that opens anything, by name.
    func traces() throws -> KeyTraces {
      var traces = KeyTraces()
      traces.add("device key", deviceKey.bytes)
      let info = "kek"
      let passcodeKey = try HKDF.derive(key: deviceKey.bytes, info: info.utf8Span.span)
      traces.add("KEK", passcodeKey.bytes)
      let keybagKey = try parents.keybagMACKey(vault: keybag.vaultID)
      traces.add("keybag MAC key", keybagKey.bytes)
      for role in KeyRole.all {
        guard let wrappingKey = try parents.wrappingKey(of: role, keySet: keybag.keySetID) else { continue }
        traces.add("wrapping key of \(role)", wrappingKey.bytes)
        guard let key = keys.key(role) else { continue }
        key.withBytes { traces.add("\(role)", $0) }
      }
      return traces
    }

    /// Adds the keys of the boxes of each record: of its metadata.
    func addBoxKeys(_ rows: Rows, to traces: inout KeyTraces) throws {
      let record = try RecordKeys(keys, keybag)
      let versions = try rows.values(of: "ver").map(bytes(hexadecimal:))
      for (index, uuid) in try rows.values(of: "uuid").map(bytes(hexadecimal:)).enumerated() {
        let version = versions[index]
        let key = try SecretBytes(count: 32) { (out: inout MutableSpan<UInt8>) throws(CryptoError) in
          do throws(VaultError) {
            try record.boxKey(
              .whenUnlocked, .metadata, uuid: uuid.span, version: version.span, into: &out)
          } catch { throw CryptoError.mismatch }
        }
        traces.add("metadata key of record \(index)", key.bytes)
      }
    }
  }

  /// A session: makes the vault, and adds, finds, changes, deletes, fails.
  private func use(_ scratch: borrowing Scratch) throws {
    let backend = scratch.backend
    for number in 0..<8 {
      _ = try backend.add(try password("service", "account \(number)", "s3cret", [.label: .text("label")]), for: me)
    }
    _ = try backend.add(try password("service", "large", String(repeating: "l", count: 20_000)), for: me)
    #expect(throws: KeychainError(.duplicateItem)) {
      _ = try backend.add(try password("service", "account 1"), for: me)
    }
    for number in 0..<8 {
      let found = try backend.find(query([.account: .text("account \(number)")], limit: .count(1)), for: me)
      #expect(found.first?.text == "s3cret")
    }
    #expect(try backend.find(query([.label: .text("label")]), for: me).count == 8)
    #expect(throws: KeychainError(.itemNotFound)) { _ = try backend.find(query([.account: .text("no")]), for: me) }
    try backend.update(query([.account: .text("account 2")]), with: ItemChange(secret: try secret("new")), for: me)
    try backend.delete(query([.account: .text("account 3")]), for: me)
    #expect(try scratch.check().isClean)
    _ = try backend.find(query(), for: me)
  }

  @Test("keys, their HMAC states and the box keys are in pages for secrets alone after a session, with the vault open")
  func leavesNoTraceOfASession() throws {
    let scratch = try Scratch()
    try use(scratch)
    let keys = try Keys(scratch.home)
    var traces = try keys.traces()
    try keys.addBoxKeys(try Rows(scratch.home), to: &traces)
    let areLocked = keys.keys.isLocked
    let places = try #require(traces.places(areLocked: areLocked))
    #expect(places.elsewhere == [:])
    // Of the vault's own, and of those that this test opened.
    for role in KeyRole.all where keys.keys.key(role) != nil {
      #expect((places.inSecretPages["\(role): the key"] ?? 0) >= 2, "\(role)")
    }
    for role in [KeyRole.index, .mac, .protection(.whenUnlocked)] {
      #expect((places.inSecretPages["\(role): its inner state"] ?? 0) >= 2, "\(role)")
    }
    scratch.backend.close()
    #expect(try #require(traces.places(areLocked: areLocked)).elsewhere == [:])
  }

  @Test("the scan finds a copy of any of them in ordinary memory")
  func scanFindsPlantedKeys() throws {
    let scratch = try Scratch()
    try use(scratch)
    let keys = try Keys(scratch.home)
    let traces = try keys.traces()
    let planted = traces.planted()
    let areLocked = keys.keys.isLocked
    let found = try #require(traces.places(areLocked: areLocked)).elsewhere
    #expect(found.count == planted.count)
    scratch.end()
  }
}

private func bytes(hexadecimal text: String) -> [UInt8] {
  let values = text.compactMap(\.hexDigitValue)
  return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
}
