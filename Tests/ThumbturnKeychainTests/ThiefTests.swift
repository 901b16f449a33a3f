internal import Foundation
internal import TestFixtures
internal import Testing
internal import ThumbturnCrypto
internal import ThumbturnVault

@testable internal import ThumbturnKeychain

/// What somebody with the files learns: no name, no value, no secret, and no digest of one (VAULT.md §1).
@Suite("A thief with the files")
struct ThiefTests {
  private static let canaries = [
    "service.canary.example", "account-canary@example.org", "label canary", "comment canary", "canary secret 0451",
    "generic canary", "canary.group", "changed secret 1984", "large canary",
  ]

  private func makeVault() throws -> Scratch {
    let scratch = try Scratch()
    let caller = Caller(accessGroups: ["canary.group"])
    let names: [Attribute: AttributeValue] = [
      .label: .text("label canary"), .comment: .text("comment canary"), .generic: .text("generic canary"),
    ]
    for protection in ProtectionClass.allCases where protection != .whenPasscodeSetThisDeviceOnly {
      var item = try password(
        "service.canary.example", "account-canary@example.org \(protection.code)", "canary secret 0451", names)
      item.protectionClass = protection
      _ = try scratch.backend.add(item, for: caller)
    }
    let large = String(repeating: "large canary ", count: 2_000)
    _ = try scratch.backend.add(try password("service.canary.example", "large canary", large), for: caller)
    try scratch.backend.update(
      query([.account: .text("account-canary@example.org ak")]),
      with: ItemChange(secret: try secret("changed secret 1984")), for: caller)
    #expect(try scratch.backend.find(query(), for: caller).count == 7)
    return scratch
  }

  /// The bytes to look for: each canary, and its MD5, SHA-1 and SHA-256, raw and in hexadecimal.
  private func needles() throws -> [(what: String, bytes: [UInt8])] {
    var needles: [(String, [UInt8])] = []
    for canary in Self.canaries {
      needles.append((canary, Array(canary.utf8)))
      for tool in ["md5sum", "sha1sum", "sha256sum"] {
        let digits = try digest(canary, tool)
        needles.append(("\(tool) of \(canary) in hexadecimal", Array(digits.utf8)))
        let values = digits.compactMap(\.hexDigitValue)
        let raw = stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
        needles.append(("\(tool) of \(canary)", raw))
      }
    }
    return needles
  }

  private func digest(_ text: String, _ tool: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/\(tool)")
    let input = Pipe()
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try input.fileHandleForWriting.close()
    let answer = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: answer, as: UTF8.self).split(separator: " ").first.map(String.init) ?? ""
  }

  private func hits(in home: TemporaryHome) throws -> [String] {
    let files = try home.files()
    #expect(files.keys.contains { $0.hasSuffix(".db") })
    var hits: [String] = []
    for (what, bytes) in try needles() {
      #expect(bytes.count >= 12)
      for (name, data) in files where data.range(of: Data(bytes)) != nil { hits.append("\(what) in \(name)") }
    }
    return hits
  }

  @Test("finds no name, no value, no secret and no digest of one, in no file, with the log and without it")
  func findsNothing() throws {
    let scratch = try makeVault()
    #expect(try hits(in: scratch.home) == [])
    scratch.backend.close()
    #expect(try hits(in: scratch.home) == [])
  }

  @Test("the search finds a planted plain copy and a planted digest")
  func searchWorks() throws {
    let scratch = try makeVault()
    let folder = scratch.home.location.vaultFolder
    try Data("xx account-canary@example.org yy".utf8).write(to: URL(fileURLWithPath: folder + "/planted"))
    let sum = try digest("label canary", "sha1sum")
    try Data(sum.utf8).write(to: URL(fileURLWithPath: folder + "/digest"))
    #expect(
      try hits(in: scratch.home).sorted() == [
        "account-canary@example.org in vault/planted", "sha1sum of label canary in hexadecimal in vault/digest",
      ])
  }

  @Test("equal secrets and equal names give unequal bytes")
  func unequalBoxes() throws {
    let scratch = try Scratch()
    for account in ["a", "b"] {
      _ = try scratch.backend.add(try password("same", account, String(repeating: "s", count: 40)), for: me)
    }
    scratch.backend.close()
    let rows = try Rows(scratch.home)
    for column in ["tags", "ver", "meta", "secret", "uuid", "pk"] {
      let values = try rows.values(of: column)
      #expect(values.count == 2)
      #expect(values[0] != values[1], "\(column)")
    }
    // What he does learn, as VAULT.md §1 says: that the two agree in group and service.
    #expect(try Set(rows.values(of: "t1")).count == 1)
    #expect(try Set(rows.values(of: "grp")).count == 1)
  }

  @Test("the same change twice gives new bytes each time")
  func freshVersions() throws {
    let scratch = try Scratch()
    _ = try scratch.backend.add(try password("s", "a"), for: me)
    var seen: Set<String> = []
    for _ in 0..<5 {
      try scratch.backend.update(query(), with: ItemChange([.label: .text("l")], secret: try secret("s")), for: me)
      scratch.backend.close()
      let rows = try Rows(scratch.home)
      for column in ["ver", "meta", "secret", "tags"] { seen.formUnion(try rows.values(of: column)) }
    }
    #expect(seen.count == 20)
  }

  @Test("sizes tell buckets, not lengths")
  func buckets() throws {
    let scratch = try Scratch()
    for count in [0, 1, 20, 49] {
      _ = try scratch.backend.add(
        try password("s", "account \(count + 10)", String(repeating: "x", count: count)), for: me)
    }
    scratch.backend.close()
    let rows = try Rows(scratch.home)
    #expect(try Set(rows.values(of: "length(secret)")).count == 1)
    #expect(try Set(rows.values(of: "length(meta)")).count == 1)
  }

  @Test("the ciphertext of a deleted item, and of a secret that was changed, is in no file afterwards")
  func deletedCiphertext() throws {
    let scratch = try Scratch()
    _ = try scratch.backend.add(try password("s", "stays"), for: me)
    _ = try scratch.backend.add(try password("s", "goes", String(repeating: "g", count: 3_000)), for: me)
    _ = try scratch.backend.add(try password("s", "large", String(repeating: "g", count: 30_000)), for: me)
    let boxes = try Rows(scratch.home).boxes()
    #expect(boxes.count == 6)
    try scratch.backend.delete(query([.account: .text("goes")]), for: me)
    try scratch.backend.delete(query([.account: .text("large")]), for: me)
    try scratch.backend.update(query([.account: .text("stays")]), with: ItemChange(secret: try secret("n")), for: me)
    for (name, data) in try scratch.home.files() {
      for box in boxes { #expect(data.range(of: box) == nil, "old ciphertext in \(name)") }
    }
  }
}
