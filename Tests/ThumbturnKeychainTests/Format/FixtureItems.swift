internal import ThumbturnCrypto
internal import ThumbturnKeychain
internal import ThumbturnVault

/// What the fixture of format 1.0 holds. Never to be changed: a later format gets a list of its own.
struct FixtureItem: Sendable {
  let itemClass: ItemClass
  let attributes: [Attribute: AttributeValue]
  let protection: ProtectionClass
  let isSynchronizable: Bool
  /// Its secret; nil is none at all.
  let data: [UInt8]?
  /// What it was when it was added, where an update made it what it is.
  let before: Before?

  struct Before: Sendable {
    var attributes: [Attribute: AttributeValue] = [:]
    var protection: ProtectionClass?
    var secret: [UInt8]?
  }

  init(
    _ itemClass: ItemClass, _ protection: ProtectionClass, sync: Bool = false,
    _ attributes: [Attribute: AttributeValue], secret: [UInt8]?, before: Before? = nil
  ) {
    self.itemClass = itemClass
    self.attributes = attributes
    self.protection = protection
    isSynchronizable = sync
    data = secret
    self.before = before
  }
}

extension FixtureItem {
  static let caller = Caller(accessGroups: ["default", "team.example"])

  /// Bytes that are easy to make again: the one at i is 7 i + start, modulo 256.
  static func bytes(_ count: Int, from start: Int = 0) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: 7 * $0 + start) }
  }

  private static let publicKeyHash = bytes(20, from: 99)

  static let all: [FixtureItem] = passwords + updated + others

  private static let passwords = [
    // Every kind of value, and number text that is no integer.
    FixtureItem(
      .genericPassword, .whenUnlocked,
      [
        .service: .text("com.example.mail"), .account: .text("alice"), .label: .text("Mail"),
        .comment: .text("caf\u{E9}, cafe\u{301}, \u{1F511}"), .description: .data([0, 1, 2, 254, 255]),
        .creator: .number(1_936_876_644), .type: .number(-7), .scriptCode: .text("none"), .isInvisible: .number(1),
        .generic: .number(42), .accessGroup: .text("default"),
      ], secret: Array("correct horse battery staple".utf8)),
    // Data where others have text, NUL bytes, and no secret at all.
    FixtureItem(
      .genericPassword, .afterFirstUnlock,
      [.service: .data(Array("com.example.none".utf8)), .account: .text("a\u{0}b"), .accessGroup: .text("default")],
      secret: nil),
    // Nothing but what must be there, and an empty secret.
    FixtureItem(.genericPassword, .always, [.accessGroup: .text("default")], secret: []),
    // A secret in the table of blobs, in another group.
    FixtureItem(
      .genericPassword, .whenUnlockedThisDeviceOnly,
      [.service: .text("com.example.large"), .account: .text("alice"), .accessGroup: .text("team.example")],
      secret: bytes(5_000)),
    // Metadata in the table of blobs.
    FixtureItem(
      .genericPassword, .afterFirstUnlockThisDeviceOnly,
      [
        .service: .text("com.example.notes"), .account: .text("alice"), .comment: .data(bytes(4_500, from: 3)),
        .accessGroup: .text("default"),
      ], secret: [0]),
    // Both there.
    FixtureItem(
      .genericPassword, .alwaysThisDeviceOnly,
      [
        .service: .text("com.example.both"), .account: .text("alice"), .label: .data(bytes(9_000, from: 5)),
        .accessGroup: .text("default"),
      ], secret: bytes(20_000, from: 1)),
    // The key of the first item but for the sync flag. With its length and head the secret has exactly 64 bytes: no
    // padding.
    FixtureItem(
      .genericPassword, .whenUnlocked, sync: true,
      [.service: .text("com.example.mail"), .account: .text("alice"), .accessGroup: .text("default")],
      secret: bytes(53)),
  ]

  private static let updated = [
    // New metadata: the secret keeps its box and its version.
    FixtureItem(
      .genericPassword, .whenUnlocked,
      [
        .service: .text("com.example.updated"), .account: .text("label"), .label: .text("after"),
        .accessGroup: .text("default"),
      ], secret: Array("kept".utf8), before: Before(attributes: [.label: .text("before")])),
    // A new class: the same secret in a new box.
    FixtureItem(
      .genericPassword, .afterFirstUnlockThisDeviceOnly,
      [.service: .text("com.example.updated"), .account: .text("class"), .accessGroup: .text("default")],
      secret: bytes(6_000, from: 8), before: Before(protection: .whenUnlocked)),
    // Secret and metadata that leave the table of blobs.
    FixtureItem(
      .genericPassword, .whenUnlocked,
      [
        .service: .text("com.example.updated"), .account: .text("size"), .label: .text("small"),
        .accessGroup: .text("default"),
      ], secret: Array("small".utf8),
      before: Before(attributes: [.label: .data(bytes(5_000))], secret: bytes(5_000))),
  ]

  private static let others = [
    FixtureItem(
      .internetPassword, .whenUnlocked,
      [
        .server: .text("example.com"), .account: .text("alice"), .protocol: .text("htps"), .port: .number(443),
        .path: .text("/login"), .securityDomain: .text("realm"), .authenticationType: .text("form"),
        .label: .text("Example"), .accessGroup: .text("default"),
      ], secret: Array("hunter2".utf8)),
    FixtureItem(
      .certificate, .always,
      [
        .certificateType: .number(3), .certificateEncoding: .number(3), .subject: .data(bytes(40, from: 10)),
        .issuer: .data(bytes(44, from: 20)), .serialNumber: .data([1, 0, 255]), .subjectKeyID: .data(bytes(20)),
        .publicKeyHash: .data(publicKeyHash), .label: .text("Alice"), .accessGroup: .text("default"),
      ], secret: bytes(900, from: 48)),
    // Its application label is the certificate's public key hash.
    FixtureItem(
      .key, .whenUnlockedThisDeviceOnly,
      [
        .keyClass: .number(1), .applicationLabel: .data(publicKeyHash), .applicationTag: .text("com.example.key"),
        .keyCreator: .number(0), .keyType: .number(73), .keySizeInBits: .number(256), .effectiveKeySize: .number(256),
        .startDate: .date(0), .endDate: .date(1_234_567.890625), .isPrivate: .number(1), .isPermanent: .number(1),
        .canSign: .number(1), .canVerify: .number(0), .accessGroup: .text("default"),
      ], secret: bytes(32, from: 200)),
  ]
}

extension FixtureItem {
  /// Makes the fixture's vault: all items as they first were, one more that is deleted again, then the updates.
  static func write(to backend: LocalBackend) throws {
    // Its row leaves a gap in the numbers, as it is deleted when others came after it.
    let deleted: [Attribute: AttributeValue] = [.service: .text("com.example.deleted")]
    for (index, item) in all.enumerated() {
      if index == 2 {
        _ = try backend.add(
          NewItem(.genericPassword, deleted, secret: try secret(bytes(5_000))), for: caller)
      }
      _ = try backend.add(item.added(), for: caller)
    }
    try backend.delete(ItemQuery(.genericPassword, deleted), for: caller)
    for item in all {
      guard let before = item.before else { continue }
      var query = ItemQuery(item.itemClass)
      for attribute in [Attribute.service, .account] { query.attributes[attribute] = item.attributes[attribute] }
      var change = ItemChange()
      for attribute in before.attributes.keys { change.attributes[attribute] = item.attributes[attribute] }
      if before.protection != nil { change.protectionClass = item.protection }
      if before.secret != nil { change.secret = try item.data.map(secret) }
      try backend.update(query, with: change, for: caller)
    }
    backend.close()
  }

  private func added() throws -> NewItem {
    var item = NewItem(
      itemClass, attributes.merging(before?.attributes ?? [:]) { $1 },
      secret: try (before?.secret ?? data).map(secret),
      protectionClass: before?.protection ?? protection)
    item.isSynchronizable = isSynchronizable
    return item
  }
}
