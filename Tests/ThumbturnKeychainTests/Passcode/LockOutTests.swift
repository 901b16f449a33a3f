#if !SANITIZE_THREAD
  internal import Synchronization
#endif
internal import Foundation
internal import TestFixtures
internal import Testing
internal import ThumbturnCrypto

@testable internal import ThumbturnKeychain
@testable internal import ThumbturnVault

@Suite("Lock-out")
struct LockOutTests {
  private func scratch() throws -> LockedScratch {
    let scratch = try LockedScratch()
    try scratch.backend.changePasscode(from: nil, to: passcode("right"))
    return scratch
  }

  private func tryWrong(_ backend: LocalBackend, _ text: String = "wrong") throws -> VaultError? {
    let passcode = try passcode(text)
    do throws(KeychainError) {
      try backend.unlock(passcode)
      return nil
    } catch { return error.cause }
  }

  /// Failures, and the seconds to wait after them.
  @Test(
    "the delays begin with the fifth failure",
    arguments: [(4, 0), (5, 60), (6, 300), (7, 900), (8, 900), (9, 3_600), (10, 3_600), (1_000, 3_600)])
  func delays(failures: UInt32, seconds: Int) throws {
    let now = BootMoment(bootID: try Identifier.random(), nanoseconds: 5_000_000_000)
    let count = AttemptCount(sequence: 1, failures: failures, now)
    #expect(count.secondsToWait(now) == seconds)
    guard seconds > 0 else { return }
    var later = now
    later.nanoseconds += Int64(seconds) * 1_000_000_000 - 1
    #expect(count.secondsToWait(later) == 1)
    later.nanoseconds += 1
    #expect(count.secondsToWait(later) == 0)
  }

  @Test("a time that lies ahead, or an earlier start of the machine, makes no delay shorter")
  func clocks() throws {
    let failed = BootMoment(bootID: try Identifier.random(), nanoseconds: 9_000_000_000_000)
    let count = AttemptCount(sequence: 1, failures: 5, failed)
    #expect(count.secondsToWait(BootMoment(bootID: failed.bootID, nanoseconds: 1)) == 60)
    let restarted = try Identifier.random()
    #expect(count.secondsToWait(BootMoment(bootID: restarted, nanoseconds: 10_000_000_000)) == 50)
    #expect(count.secondsToWait(BootMoment(bootID: restarted, nanoseconds: 60_000_000_000)) == 0)
  }

  @Test("five wrong ones, then none is tried, not even the right one; the count goes on after the delay")
  func sequence() throws {
    let scratch = try scratch()
    defer { scratch.end() }
    let other = scratch.another()
    defer { other.close() }
    for number in 1...5 {
      let error = try tryWrong(other)
      #expect(error?.code == .wrongPasscode)
      #expect(error?.secondsToWait == (number == 5 ? 60 : 0))
    }
    #expect(try tryWrong(other, "right")?.code == .lockedOut)
    #expect(try other.status().failedAttempts == 5)
    #expect(try other.status().secondsToWait == 60)
    scratch.clock.advance(seconds: 59)
    #expect(try tryWrong(other, "right")?.secondsToWait == 1)
    scratch.clock.advance(seconds: 1)
    #expect(try tryWrong(other)?.secondsToWait == 300)
    scratch.clock.advance(seconds: 300)
    #expect(try tryWrong(other, "right") == nil)
    #expect(try other.status().failedAttempts == 0)
    for _ in 1...4 { #expect(try tryWrong(other)?.secondsToWait == 0) }
  }

  @Test("after a start of the machine the delay runs anew")
  func restart() throws {
    let scratch = try scratch()
    defer { scratch.end() }
    let other = scratch.another()
    defer { other.close() }
    for _ in 1...5 { _ = try tryWrong(other) }
    scratch.clock.advance(seconds: 50)
    try scratch.clock.restart()
    #expect(try tryWrong(other, "right")?.secondsToWait == 58)
    scratch.clock.advance(seconds: 58)
    #expect(try tryWrong(other, "right") == nil)
  }

  @Test("twelve wrong ones from twelve threads and two backends are one count: five are tried")
  func parallel() throws {
    let scratch = try scratch()
    defer { scratch.end() }
    let backends = [scratch.another(), scratch.another()]
    defer { for backend in backends { backend.close() } }
    let codes = Mutex<[VaultError.Code?]>([])
    DispatchQueue.concurrentPerform(iterations: 12) { index in
      let code = try? tryWrong(backends[index % 2], "wrong \(index)")?.code
      codes.withLock { $0.append(code) }
    }
    let found = codes.withLock { $0 }
    #expect(found.count { $0 == .wrongPasscode } == 5)
    #expect(found.count { $0 == .lockedOut } == 7)
    #expect(try backends[0].status().failedAttempts == 5)
  }

  /// What happens to the file, and the failures that are counted afterwards.
  @Test(
    "a file of attempts that is gone, cut, zeroed or another vault's counts as five failures",
    arguments: ["removed", "cut", "zeros", "flipped", "foreign"])
  func fileDamage(what: String) throws {
    let scratch = try scratch()
    defer { scratch.end() }
    let file = "device/attempts"
    var bytes = try scratch.home.read(file)
    #expect(bytes.count == 1_024)
    switch what {
    case "removed": try FileManager.default.removeItem(atPath: "\(scratch.home.path)/\(file)")
    case "cut": try scratch.home.write(file, Array(bytes.dropLast()))
    case "zeros": try scratch.home.write(file, [UInt8](repeating: 0, count: 1_024))
    case "flipped":
      for slot in [0, 512] { bytes[slot + 16] ^= 1 }
      try scratch.home.write(file, bytes)
    default:
      let foreign = try self.scratch()
      defer { foreign.end() }
      try scratch.home.write(file, try foreign.home.read(file))
    }
    let other = scratch.another()
    defer { other.close() }
    #expect(try tryWrong(other, "right")?.code == .lockedOut)
    #expect(try other.status().failedAttempts == 5)
    scratch.clock.advance(seconds: 60)
    #expect(try tryWrong(other, "right") == nil)
  }

  @Test("one slot that is torn leaves the other one's count")
  func tornSlot() throws {
    let scratch = try scratch()
    defer { scratch.end() }
    let other = scratch.another()
    defer { other.close() }
    for _ in 1...3 { _ = try tryWrong(other) }
    var bytes = try scratch.home.read("device/attempts")
    let newest = bytes.span.number(at: 8, count: 8) > bytes.span.number(at: 520, count: 8) ? 0 : 512
    bytes[newest + 17] ^= 0xFF
    try scratch.home.write("device/attempts", bytes)
    #expect(try other.status().failedAttempts == 2)
  }

  @Test("the vault folder put back does not bring the tries back")
  func vaultFolderPutBack() throws {
    let scratch = try scratch()
    defer { scratch.end() }
    scratch.backend.close()
    let kept = try scratch.home.files().filter { $0.key.hasPrefix("vault/") }
    let other = scratch.another()
    defer { other.close() }
    for _ in 1...5 { _ = try tryWrong(other) }
    other.close()
    for (name, bytes) in kept { try scratch.home.write(name, [UInt8](bytes)) }
    #expect(try tryWrong(other, "right")?.code == .lockedOut)
  }

  @Test("where the count cannot be written no passcode is tried")
  func readOnlyFolder() throws {
    let scratch = try scratch()
    defer { scratch.end() }
    try FileManager.default.removeItem(atPath: "\(scratch.home.path)/device/attempts")
    try FileManager.default.createDirectory(
      atPath: "\(scratch.home.path)/device/attempts", withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    let other = scratch.another()
    defer { other.close() }
    #expect(try tryWrong(other, "right")?.code == .unsafePlace)
    #expect(other.code { _ = try $0.add(password("s", "a"), for: me) } == .interactionNotAllowed)
  }

  @Test("in a process that keeps the seat, the same wrong one again counts once")
  func repeated() throws {
    let scratch = try scratch()
    defer { scratch.end() }
    let agent = scratch.another()
    try agent.holdSeat()
    defer { agent.giveSeat() }
    for _ in 1...8 { #expect(try tryWrong(agent)?.code == .wrongPasscode) }
    #expect(try agent.status().failedAttempts == 1)
    for index in 1...3 { _ = try tryWrong(agent, "other \(index)") }
    #expect(try agent.status().failedAttempts == 4)
    #expect(try tryWrong(agent, "one more")?.secondsToWait == 60)
    #expect(try tryWrong(agent)?.code == .lockedOut)
  }

  @Test("while one process keeps the seat, no other tries a passcode or reads")
  func seat() throws {
    let scratch = try scratch()
    defer { scratch.end() }
    let agent = scratch.another()
    try agent.holdSeat()
    #expect(try tryWrong(scratch.backend, "right")?.code == .seatTaken)
    #expect(scratch.backend.vaultCode { _ = try $0.find(query(), for: me) } == .seatTaken)
    #expect(try tryWrong(agent, "right") == nil)
    agent.giveSeat()
    #expect(try tryWrong(scratch.backend, "right") == nil)
  }
}
