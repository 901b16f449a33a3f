import AgentFixtures
import Foundation
import Testing
import TestFixtures
import ThumbturnAgent
import ThumbturnAgentClient
import ThumbturnCrypto
import ThumbturnKeychain

@testable import ThumbturnVault

private struct NoKeybag: Error {}

/// Every key of a vault whose passcode is known, by name, to be looked for.
private struct VaultKeys {
  var scan = ForeignScan()
  /// Names of keys that may stay after a lock, in locked pages.
  private(set) var staying: Set<String> = []

  init(_ home: String, _ passcode: Passcode) throws {
    let location = VaultLocation(home: home)
    guard let folder = try Folder.open(location.vaultFolder, part: .vaultFolder),
      let descriptor = try folder.open(Keybag.fileName, as: .keybag)
    else { throw NoKeybag() }
    let verified = try VerifiedKeybag(KeybagFile(descriptor: descriptor).read(), devicePath: location.deviceFolder)
    guard let derivation = verified.keybag.derivation else { throw NoKeybag() }
    let salt = derivation.salt.bytes
    let stretched = try Argon2id.derive(passcode.secret.bytes, salt: salt.span, derivation.cost)
    let passcodeKey = try derivation.key(passcode)
    let keys = try verified.keys(passcodeKey: passcodeKey)
    scan.add("Argon2id of the passcode", key: stretched.bytes)
    scan.add("passcode key", key: passcodeKey.bytes)
    verified.deviceKey.withBytes { scan.add("device key", key: $0) }
    try addParents(verified, passcodeKey)
    for role in KeyRole.all {
      guard let key = keys.key(role) else { continue }
      key.withBytes { scan.add("\(role)", key: $0) }
      if !role.isDroppedByLock { staying.insert("\(role)") }
    }
  }

  private mutating func addParents(_ verified: VerifiedKeybag, _ passcodeKey: borrowing SecretBytes) throws {
    let deviceKey = try verified.copyOfDeviceKey()
    let second = try HKDF.derive(key: deviceKey.bytes, info: "d1".utf8Span.span)
    scan.add("D1", key: second.bytes)
    let firstPart = passcodeKey.bytes
    let both = try SecretBytes(count: firstPart.count + second.count) { (out: inout MutableSpan<UInt8>) in
      var at = 0
      out.put(firstPart, at: &at)
      out.put(second.bytes, at: &at)
    }
    let parent = try HKDF.derive(key: both.bytes, info: "kek".utf8Span.span)
    scan.add("KEK", key: parent.bytes)
    let parents = try ParentKeys(deviceKey: verified.copyOfDeviceKey(), passcodeKey: passcodeKey)
    for role in KeyRole.all {
      guard let key = try parents.wrappingKey(of: role, keySet: verified.keybag.keySetID) else { continue }
      scan.add("wrapping key of \(role)", key: key.bytes)
    }
    let mac = try parents.keybagMACKey(vault: verified.keybag.vaultID)
    scan.add("keybag MAC key", key: mac.bytes)
  }

  /// Whether what was found may stay: keys that outlive a lock, in pages for secrets.
  func mayStay(_ hit: ForeignScan.Report.Hit) -> Bool {
    hit.isInSecretPages && staying.contains { hit.name.hasPrefix("\($0): ") }
  }
}

extension AgentTests {
  @Suite("The agent's memory")
  struct Memory {
    private static let user: UInt32 = 65_534
    private typealias Seed = MemorySession.Seed

    /// A vault of another user, its agent, and what is to be looked for.
    private final class Scratch {
      let home: TemporaryHome
      let keys: VaultKeys
      private let programs: ScratchFolder
      private var running: SpawnedAgent?

      init(planted: Bool = false) throws {
        home = try TemporaryHome()
        programs = try ScratchFolder("programs")
        let local = VaultAgent.local(home.path)
        try local.changePasscode(from: nil, to: Passcode(MemorySession.canary(.passcode)))
        local.close()
        keys = try VaultKeys(home.path, Passcode(MemorySession.canary(.passcode)))
        if planted {
          for (name, seed) in [("planted-on-heap", Seed.plantedOnHeap), ("planted-on-stack", .plantedOnStack)] {
            let bytes = (0..<64).map { MemoryScan.canaryByte(seed.rawValue, $0 % 32) }
            try Data(bytes).write(to: URL(fileURLWithPath: "\(home.path)/\(name)"))
          }
        }
        // Where the build is that user may not be able to look.
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: programs.path)
        try FileManager.default.copyItem(atPath: SpawnedAgent.buildFolder + "/TestAgent", toPath: program)
        try giveAway()
        let started = try spawn(["vault", home.path])
        try #require(started.isReady(), "\(started.printed)")
        running = started
      }

      private var program: String { programs.path + "/TestAgent" }
      var agent: SpawnedAgent { get throws { try #require(running) } }

      private func giveAway() throws {
        let owner: [FileAttributeKey: Any] = [.ownerAccountID: Memory.user, .groupOwnerAccountID: Memory.user]
        for name in [""] + (try FileManager.default.subpathsOfDirectory(atPath: home.path)) {
          try FileManager.default.setAttributes(owner, ofItemAtPath: "\(home.path)/\(name)")
        }
      }

      func spawn(_ arguments: [String]) throws -> SpawnedAgent {
        try SpawnedAgent(["as", "\(Memory.user)"] + arguments, of: program, environment: ["HOME": home.path])
      }

      /// Lets a client of that user do something.
      func run(_ steps: String) throws {
        let client = try spawn(["session", home.path, steps])
        let code = client.waitForEnd(seconds: 60)
        try #require(code == 0, "\(steps): \(client.printed)")
      }

      /// Everything that is looked for, in the agent's memory.
      func look(_ scan: ForeignScan? = nil) throws -> ForeignScan.Report {
        var scan = scan ?? keys.scan
        for seed in Seed.allCases { scan.add("canary \(seed)", canary: seed.rawValue) }
        return try #require(scan.run(try agent.process))
      }
    }

    private func report(_ hits: [ForeignScan.Report.Hit]) -> Comment {
      let counts = Dictionary(grouping: hits) { $0 }.map { "\($0.value.count) × \($0.key)" }.sorted()
      return Comment(rawValue: counts.joined(separator: "\n"))
    }

    /// What was looked at must be all that there is: stacks, heap, libraries' data, our own pages.
    private func expectAll(_ report: ForeignScan.Report) {
      let names = report.mappings.filter { $0.readBytes > 0 }.map(\.name)
      #expect(names.contains("[stack]") && names.contains("[heap]") && names.contains("[anonymous]"))
      #expect(names.contains { $0.hasSuffix("/TestAgent") } as Bool)
      // Stacks of the threads of four lanes and of the clock, 8 MiB each or what the limit says: touched or not, they are read.
      #expect(report.mappings.contains { $0.isLocked && $0.readBytes > 0 })
      let unread = report.mappings.filter { $0.readBytes == 0 && !$0.name.hasPrefix("[v") }
      #expect(unread.isEmpty, "\(unread)")
    }

    @Test("after a lock holds no secret, passcode or key of a class that is closed; what may stay is in locked pages")
    func leavesNoTraceAfterLock() throws {
      guard has(geteuid() == 0, "root") else { return }
      let scratch = try Scratch()
      try scratch.run("wrong,unlock,use")
      let open = try scratch.look()
      // While it is open the keys are there, and in no page that can be swapped or dumped.
      #expect(open.hits.contains { $0.name == "protection(ThumbturnVault.ProtectionClass.whenUnlocked): the key" })
      let outside = open.hits.filter { !$0.isInSecretPages }
      #expect(outside.isEmpty, report(outside))
      try scratch.run("lock")
      let locked = try scratch.look()
      expectAll(locked)
      let left = locked.hits.filter { !scratch.keys.mayStay($0) }
      #expect(left.isEmpty, report(left))
      #expect(!locked.hits.isEmpty)
      print("scan after lock: \(locked.mappings.count) mappings, \(locked.readBytes) bytes")
      for (name, same) in Dictionary(grouping: locked.mappings, by: \.name).sorted(by: { $0.key < $1.key }) {
        print("  \(same.count) × \(name): \(same.reduce(0) { $0 + $1.readBytes }) bytes")
      }
    }

    @Test("leaves no trace of either passcode or of the old keys after a change and a lock")
    func leavesNoTraceAfterChange() throws {
      guard has(geteuid() == 0, "root") else { return }
      let scratch = try Scratch()
      try scratch.run("unlock,use,change,lock")
      let locked = try scratch.look()
      // The whole key set and the device key are others now: none of the old may be there.
      #expect(locked.hits.isEmpty, report(locked.hits))
    }

    @Test("leaves no trace after it has locked by itself, when nobody called")
    func leavesNoTraceAfterIdle() throws {
      guard has(geteuid() == 0, "root") else { return }
      let scratch = try Scratch()
      try scratch.run("unlock,use,idle")
      let isLocked = try becomes(within: 15) { try scratch.look().hits.allSatisfy { scratch.keys.mayStay($0) } }
      let left = try scratch.look().hits.filter { !scratch.keys.mayStay($0) }
      #expect(isLocked, report(left))
    }

    @Test("a copy that it keeps on its heap or on a thread's stack is found")
    func scanFindsPlantedCopies() throws {
      guard has(geteuid() == 0, "root") else { return }
      let scratch = try Scratch(planted: true)
      let found = try scratch.look()
      for seed in [Seed.plantedOnHeap, .plantedOnStack] {
        let hits = found.hits.filter { $0.name == "canary \(seed)" }
        #expect(!hits.isEmpty && hits.allSatisfy { !$0.isInSecretPages }, "\(seed)")
      }
    }

    @Test("cannot be opened, read or attached to by another process of the same user")
    func sameUser() throws {
      guard has(geteuid() == 0, "root") else { return }
      let scratch = try Scratch()
      func intrude(_ process: Int32) throws -> Intrusion? {
        try scratch.spawn(["intrude", "\(process)"]).waitForEnd(seconds: 10).map { Intrusion(rawValue: $0) }
      }
      #expect(try intrude(scratch.agent.process) == [])
      // A program that does not forbid it lets it be done, or nothing is shown.
      let other = try SpawnedAgent(
        ["--reuid", "\(Self.user)", "--regid", "\(Self.user)", "--clear-groups", "sleep", "60"], of: "/usr/bin/setpriv")
      usleep(300_000)
      let all: Intrusion = [.opensMemory, .readsMemory, .attaches, .readsEnvironment]
      #expect(try intrude(other.process) == all)
    }
  }
}
