internal import Foundation
internal import Synchronization
internal import TestFixtures
internal import Testing
internal import ThumbturnCrypto

@testable internal import ThumbturnVault

/// Locks and seat (VAULT.md §6, 7).
@Suite("Locks and seat")
struct LockTests {
  private func makeFolder(_ home: TemporaryHome) throws -> Folder {
    try Folder.make(home.location.vaultFolder, part: .vaultFolder)
  }

  @Test("two shared takes in a process are freed by the second give, not by the first")
  func sharedTakes() throws {
    let home = try TemporaryHome()
    let folder = try makeFolder(home)
    let shared = try FileLock(in: folder, name: "l", part: .seatLock, mode: .shared)
    let exclusive = try FileLock(in: folder, name: "l", part: .seatLock, mode: .exclusive)
    #expect(try shared.take())
    #expect(try shared.take())
    #expect(try !exclusive.take())
    shared.give()
    #expect(try !exclusive.take())
    shared.give()
    #expect(try exclusive.take())
    #expect(try !shared.take())
    #expect(try !exclusive.take())
    exclusive.give()
    #expect(try shared.take())
    shared.give()
  }

  @Test("a lock file that was removed, or removed and made again, is not the one that is held")
  func removedLock() throws {
    let home = try TemporaryHome()
    let folder = try makeFolder(home)
    let lock = try FileLock(in: folder, name: "l", part: .writerLock, mode: .exclusive)
    #expect(try lock.take())
    #expect(try lock.isCurrent(in: folder))
    try folder.remove("l")
    #expect(try !lock.isCurrent(in: folder))
    let other = try FileLock(in: folder, name: "l", part: .writerLock, mode: .exclusive)
    #expect(try !lock.isCurrent(in: folder))
    #expect(try other.take())
    other.give()
    lock.give()
  }

  @Test("a call of another thread that ends leaves the seat to the call that goes on")
  func sharedSeat() throws {
    let home = try TemporaryHome()
    let vault = Vault(location: home.location)
    try vault.write(mayCreate: true) { (_) throws(VaultError) in }
    let agent = try FileLock(in: try makeFolder(home), name: Seat.fileName, part: .seatLock, mode: .exclusive)
    let ended = Atomic<Bool>(false)
    let isTaken = try vault.read { (_) throws(VaultError) -> Bool in
      Thread.detachNewThread {
        try? vault.write(mayCreate: false) { (_) throws(VaultError) in }
        ended.store(true, ordering: .sequentiallyConsistent)
      }
      while !ended.load(ordering: .sequentiallyConsistent) { usleep(1_000) }
      return try agent.take()
    }
    #expect(!isTaken)
    #expect(try agent.take())
    agent.give()
  }

  @Test("a lock file that is removed and made again under a writer: no write is lost, and everybody takes the new one")
  func exchangedWriterLock() throws {
    let home = try TemporaryHome()
    let vaults = [Vault(location: home.location), Vault(location: home.location)]
    var count = 0
    func write(_ vault: Vault, _ more: () throws(VaultError) -> Void = {}) throws {
      count += 1
      let name = "\(count)"
      try vault.write(mayCreate: true) { (writer) throws(VaultError) in
        try Self.insertOne(writer, name)
        try more()
      }
    }
    for vault in vaults { try write(vault) }
    let folder = try makeFolder(home)
    let old = try WriterLock(in: folder)
    for name in ["writer.lock", Seat.fileName] {
      try write(vaults[0]) { () throws(VaultError) in
        try folder.remove(name)
        system_close(try folder.create(name, as: .writerLock))
      }
      for vault in vaults { try write(vault) }
    }
    // Who still has the file that was removed has nothing.
    #expect(try old.takeNow())
    #expect(try !old.isCurrent(in: folder))
    for vault in vaults { try write(vault) }
    #expect(count == 10)
    for vault in vaults { #expect(try vault.status().itemCount == count) }
    // The new file is the one that is taken.
    let new = try WriterLock(in: folder)
    let agent = try FileLock(in: folder, name: Seat.fileName, part: .seatLock, mode: .exclusive)
    let taken = try vaults[1].write(mayCreate: false) { (_) throws(VaultError) in [try new.takeNow(), try agent.take()]
    }
    #expect(taken == [false, false])
    #expect(try agent.take())
    #expect(throws: VaultError(.seatTaken, "")) { try vaults[0].read { (_) throws(VaultError) in } }
    agent.give()
    old.give()
  }

  @Test("while an agent holds the seat, a call in process is refused at once and touches nothing")
  func takenSeat() throws {
    let home = try TemporaryHome()
    let vault = Vault(location: home.location)
    try vault.write(mayCreate: true) { (_) throws(VaultError) in }
    let folder = try makeFolder(home)
    let agent = try FileLock(in: folder, name: Seat.fileName, part: .seatLock, mode: .exclusive)
    #expect(try agent.take())
    let start = system_bootNanoseconds()
    for vault in [vault, Vault(location: home.location)] {
      #expect(throws: VaultError(.seatTaken, "")) { try vault.read { (_) throws(VaultError) in } }
      #expect(throws: VaultError(.seatTaken, "")) { try vault.write(mayCreate: true) { (_) throws(VaultError) in } }
    }
    #expect(system_bootNanoseconds() - start < 1_000_000_000)
    agent.give()
    try vault.read { (_) throws(VaultError) in }
  }

  @Test("the end of the last connection removes the log under the writer lock, and else leaves it to the next one")
  func closing() throws {
    let home = try TemporaryHome()
    let vault = Vault(location: home.location)
    try vault.write(mayCreate: true) { (writer) throws(VaultError) in try Self.insertOne(writer) }
    let logs = { try home.names(in: home.location.vaultFolder).filter { $0.hasSuffix(".db-wal") } }
    let holder = try WriterLock(in: try makeFolder(home))
    #expect(try holder.takeNow())
    vault.close()
    #expect(try logs().count == 1)
    holder.give()
    #expect(try vault.status().itemCount == 1)
    vault.close()
    #expect(try logs().isEmpty)
  }

  @Test("a writer that is stopped while it is the next one holds up others for a second, and then not at all")
  func stoppedNext() throws {
    let home = try TemporaryHome()
    let vault = Vault(location: home.location)
    try vault.write(mayCreate: true) { (_) throws(VaultError) in }
    let stopped = try FileLock(in: try makeFolder(home), name: WriterLock.fileName, part: .writerLock, mode: .exclusive)
    try system_lockFirstByte(stopped.descriptor)
    var seconds: [Double] = []
    for _ in 0..<3 {
      let began = Date()
      try vault.write(mayCreate: false) { (writer) throws(VaultError) in }
      seconds.append(Date().timeIntervalSince(began))
    }
    #expect(seconds[0] > 0.9 && seconds[0] < 4)
    #expect(seconds[1] + seconds[2] < 0.9)
    system_unlockFirstByte(stopped.descriptor)
  }

  @Test("a held writer lock: every writer gives up after 5 seconds, several threads too, and readers go on")
  func heldWriterLock() throws {
    let home = try TemporaryHome()
    let vault = Vault(location: home.location)
    try vault.write(mayCreate: true) { (_) throws(VaultError) in }
    let folder = try makeFolder(home)
    let holder = try WriterLock(in: folder)
    #expect(try holder.takeNow())
    // Threads and not tasks: a task would first wait for a place among all tests.
    let results = Mutex<[(code: VaultError.Code?, seconds: Double)]>([])
    for _ in 0..<3 {
      Thread.detachNewThread {
        let start = system_bootNanoseconds()
        var code: VaultError.Code?
        do throws(VaultError) { try vault.write(mayCreate: true) { (_) throws(VaultError) in } } catch {
          code = error.code
        }
        let seconds = Double(system_bootNanoseconds() - start) / 1e9
        results.withLock { $0.append((code, seconds)) }
      }
    }
    usleep(100_000)
    let start = system_bootNanoseconds()
    try vault.read { (_) throws(VaultError) in }
    #expect(system_bootNanoseconds() - start < 1_000_000_000)
    while results.withLock({ $0.count }) < 3, system_bootNanoseconds() - start < 30_000_000_000 { usleep(10_000) }
    let all = results.withLock { $0 }
    #expect(all.map(\.code) == [.writerBusy, .writerBusy, .writerBusy])
    #expect(all.allSatisfy { $0.seconds >= 5 && $0.seconds < 6 }, "\(all.map(\.seconds))")
    holder.give()
    try vault.write(mayCreate: true) { (_) throws(VaultError) in }
  }

  @Test("a vault that was exchanged under a process is seen at the next call, in folder and in keybag")
  func exchangedVault() throws {
    let home = try TemporaryHome()
    let other = try TemporaryHome()
    let vault = Vault(location: home.location)
    try vault.write(mayCreate: true) { (_) throws(VaultError) in }
    try Vault(location: other.location).write(mayCreate: true) { (_) throws(VaultError) in }
    let mine = try vault.status().vaultID
    let theirs = try Vault(location: other.location).status().vaultID
    // Long enough for the stamps to be remembered.
    usleep(50_000)
    _ = try vault.status()
    usleep(50_000)
    _ = try vault.status()
    let files = FileManager.default
    for part in ["vault", "device"] {
      try files.moveItem(atPath: home.path + "/" + part, toPath: home.path + "/" + part + ".old")
      try files.moveItem(atPath: other.path + "/" + part, toPath: home.path + "/" + part)
    }
    #expect(try vault.status().vaultID == theirs)
    for part in ["vault", "device"] {
      try files.removeItem(atPath: home.path + "/" + part)
      try files.moveItem(atPath: home.path + "/" + part + ".old", toPath: home.path + "/" + part)
    }
    #expect(try vault.status().vaultID == mine)
    try files.removeItem(atPath: home.path + "/vault")
    #expect(try !vault.status().isPresent)
  }

  @Test("a database that was removed or exchanged under a process takes no write")
  func removedDatabase() throws {
    let home = try TemporaryHome()
    let vault = Vault(location: home.location)
    try vault.write(mayCreate: true) { (writer) throws(VaultError) in try Self.insertOne(writer) }
    usleep(50_000)
    #expect(try vault.status().itemCount == 1)
    let name = try #require(try home.names(in: home.location.vaultFolder).first { $0.hasSuffix(".db") })
    let database = home.location.vaultFolder + "/" + name
    try FileManager.default.moveItem(atPath: database, toPath: home.path + "/kept")
    #expect(throws: VaultError(.missing, "")) { try vault.status() }
    #expect(throws: VaultError(.missing, "")) { try vault.write(mayCreate: true) { (_) throws(VaultError) in } }
    try Data("not ours".utf8).write(to: URL(fileURLWithPath: database))
    #expect(throws: VaultError(.unsafePlace, "")) { try vault.status() }
  }

  @Test("an older copy that is put back under a process is refused by it, closed in between or not")
  func olderCopy() throws {
    for isClosed in [false, true] {
      let home = try TemporaryHome()
      let vault = Vault(location: home.location)
      try vault.write(mayCreate: true) { (_) throws(VaultError) in }
      vault.close()
      let name = try #require(try home.names(in: home.location.vaultFolder).first { $0.hasSuffix(".db") })
      let database = home.location.vaultFolder + "/" + name
      try FileManager.default.copyItem(atPath: database, toPath: home.path + "/older")
      try vault.write(mayCreate: false) { (writer) throws(VaultError) in try Self.insertOne(writer) }
      vault.close()
      if !isClosed { #expect(try vault.status().itemCount == 1) }
      try FileManager.default.removeItem(atPath: database)
      try FileManager.default.copyItem(atPath: home.path + "/older", toPath: database)
      #expect(throws: VaultError(.olderCopy, "")) { try vault.status() }
      #expect(throws: VaultError(.olderCopy, "")) { try vault.write(mayCreate: false) { (_) throws(VaultError) in } }
      // One that starts now has nothing to compare with: without a TPM that is a limit.
      #expect(try Vault(location: home.location).status().itemCount == 0)
    }
  }

  static func insertOne(_ writer: RecordWriter, _ name: String = "x") throws(VaultError) {
    let tag = try writer.reader.keys.tag(table: 1, code: [0x70, 0x6B, 0x65, 0x79], name.utf8Span.span)
    let draft = RecordDraft(
      table: 1, protection: .always, sync: false, primaryKey: tag, group: tag, first: tag, second: tag, sealed: [],
      fields: [])
    _ = try writer.insert(draft, secret: [])
  }

  @Test("a transaction whose body throws changes nothing")
  func rollback() throws {
    let home = try TemporaryHome()
    let vault = Vault(location: home.location)
    #expect(throws: VaultError(.damagedRecord, "")) {
      try vault.write(mayCreate: true) { (writer) throws(VaultError) in
        try Self.insertOne(writer)
        throw VaultError(.damagedRecord, "on purpose")
      }
    }
    #expect(try vault.status().itemCount == 0)
    #expect(throws: VaultError(.duplicate, "")) {
      try vault.write(mayCreate: true) { (writer) throws(VaultError) in
        try Self.insertOne(writer)
        try Self.insertOne(writer)
      }
    }
    #expect(try vault.status().itemCount == 0)
    try vault.write(mayCreate: true) { (writer) throws(VaultError) in try Self.insertOne(writer) }
    #expect(try vault.status().itemCount == 1)
  }
}
