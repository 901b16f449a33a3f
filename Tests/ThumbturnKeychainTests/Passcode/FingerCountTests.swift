internal import Foundation
internal import Glibc
internal import TestFixtures
internal import Testing
internal import ThumbturnCrypto

@testable internal import ThumbturnKeychain
@testable internal import ThumbturnVault

@Suite("Wrong fingers")
struct FingerCountTests {
  /// What parent and child share; a C function captures nothing.
  nonisolated(unsafe) fileprivate static var backend: LocalBackend?

  private func scratch() throws -> LockedScratch {
    let scratch = try LockedScratch()
    try scratch.backend.changePasscode(from: nil, to: passcode("right"))
    return scratch
  }

  private func tryPasscode(_ backend: LocalBackend, _ text: String) throws -> VaultError.Code? {
    let passcode = try passcode(text)
    return backend.vaultCode { try $0.unlock(passcode) }
  }

  @Test("each is counted before it is looked at, the sixth is not looked at, and the right passcode ends that")
  func sequence() throws {
    let scratch = try scratch()
    defer { scratch.end() }
    let other = scratch.another()
    defer { other.close() }
    #expect(try other.fingerFailures() == 0)
    for number in 1...5 {
      #expect(try other.beginFinger() == number)
      #expect(try scratch.backend.fingerFailures() == number)
    }
    let before = try scratch.home.read("device/attempts")
    #expect(other.vaultCode { _ = try $0.beginFinger() } == .lockedOut)
    #expect(other.code { _ = try $0.beginFinger() } == .authenticationFailed)
    #expect(try scratch.home.read("device/attempts") == before)
    // No time ends it, nor does a start of the machine.
    scratch.clock.advance(seconds: 100_000)
    try scratch.clock.restart()
    #expect(other.vaultCode { _ = try $0.beginFinger() } == .lockedOut)
    #expect(try tryPasscode(other, "wrong") == .wrongPasscode)
    #expect(try other.fingerFailures() == 5)
    #expect(try tryPasscode(other, "right") == nil)
    #expect(try other.fingerFailures() == 0)
    #expect(try other.beginFinger() == 1)
  }

  @Test("one that is recognised sets it to none, and what was no wrong finger is taken back")
  func endings() throws {
    let scratch = try scratch()
    defer { scratch.end() }
    let backend = scratch.backend
    for _ in 1...3 { _ = try backend.beginFinger() }
    _ = try backend.beginFinger()
    try backend.fingerWithdrawn()
    #expect(try backend.fingerFailures() == 3)
    _ = try backend.beginFinger()
    try backend.fingerMatched()
    #expect(try backend.fingerFailures() == 0)
    // Nothing was counted: nothing is taken back, and nothing is written.
    let before = try scratch.home.read("device/attempts")
    try backend.fingerWithdrawn()
    try backend.fingerMatched()
    #expect(try scratch.home.read("device/attempts") == before)
    // The fifth is looked at, and may be the right one.
    for _ in 1...5 { _ = try backend.beginFinger() }
    try backend.fingerMatched()
    #expect(try backend.fingerFailures() == 0)
  }

  @Test("what is counted of passcodes stays, with its delay, and passcodes count no finger")
  func apart() throws {
    let scratch = try scratch()
    defer { scratch.end() }
    let other = scratch.another()
    defer { other.close() }
    for _ in 1...2 { _ = try other.beginFinger() }
    for number in 1...5 { #expect(try tryPasscode(other, "wrong \(number)") == .wrongPasscode) }
    #expect(try other.fingerFailures() == 2)
    scratch.clock.advance(seconds: 20)
    _ = try other.beginFinger()
    try other.fingerMatched()
    _ = try other.beginFinger()
    try other.fingerWithdrawn()
    let status = try other.status()
    #expect(status.failedAttempts == 5)
    #expect(status.secondsToWait == 40)
    #expect(try tryPasscode(other, "right") == .lockedOut)
  }

  @Test("a try that is taken back, because it was tried before, keeps the fingers")
  func repeated() throws {
    let scratch = try scratch()
    defer { scratch.end() }
    let agent = scratch.another()
    try agent.holdSeat()
    defer { agent.giveSeat() }
    _ = try agent.beginFinger()
    for _ in 1...3 { #expect(try tryPasscode(agent, "wrong") == .wrongPasscode) }
    #expect(try agent.status().failedAttempts == 1)
    #expect(try agent.fingerFailures() == 1)
  }

  /// What happens to the file.
  @Test(
    "a file of attempts that is gone, cut, zeroed or spoilt is five wrong fingers, and no finger writes a new one",
    arguments: ["removed", "cut", "zeros", "flipped"])
  func fileDamage(what: String) throws {
    let scratch = try scratch()
    defer { scratch.end() }
    let file = "device/attempts"
    var bytes = try scratch.home.read(file)
    switch what {
    case "removed": try FileManager.default.removeItem(atPath: "\(scratch.home.path)/\(file)")
    case "cut": try scratch.home.write(file, Array(bytes.dropLast()))
    case "zeros": try scratch.home.write(file, [UInt8](repeating: 0, count: 1_024))
    default:
      for slot in [0, 512] { bytes[slot + 44] ^= 1 }
      try scratch.home.write(file, bytes)
    }
    let before = try scratch.home.files()
    let backend = scratch.backend
    #expect(try backend.fingerFailures() == 5)
    #expect(backend.vaultCode { _ = try $0.beginFinger() } == .lockedOut)
    try backend.fingerMatched()
    try backend.fingerWithdrawn()
    #expect(try scratch.home.files()[file] == before[file])
    #expect(try backend.fingerFailures() == 5)
    // The passcode's way out is the usual one.
    #expect(try tryPasscode(backend, "right") == .lockedOut)
    #expect(try backend.fingerFailures() == 5)
    scratch.clock.advance(seconds: 60)
    #expect(try tryPasscode(backend, "right") == nil)
    #expect(try backend.fingerFailures() == 0)
  }

  @Test("whoever is killed while the reader looks has spent the finger")
  func killed() async {
    await #expect(processExitsWith: .success) {
      let scratch = try LockedScratch()
      try scratch.backend.changePasscode(from: nil, to: passcode("right"))
      let other = scratch.another()
      unsafe FingerCountTests.backend = other
      for number in 1...5 {
        let code = tt_in_forked_child {
          guard let backend = unsafe FingerCountTests.backend, (try? backend.beginFinger()) != nil else { return 1 }
          kill(getpid(), SIGKILL)
          return 2
        }
        try #require(code == -1, "child: \(code)")
        let count = try scratch.backend.fingerFailures()
        try #require(count == number)
      }
      let code = tt_in_forked_child {
        unsafe FingerCountTests.backend?.vaultCode { _ = try $0.beginFinger() } == .lockedOut ? 0 : 1
      }
      try #require(code == 0)
      unsafe FingerCountTests.backend = nil
    }
  }

  @Test("a passcode that is changed, or set anew, leaves none; without one there are none, and none can be counted")
  func passcodeChanges() throws {
    let scratch = try scratch()
    defer { scratch.end() }
    let backend = scratch.backend
    for (old, new, rotates) in [("right", "2", false), ("2", "3", true)] {
      for _ in 1...5 { _ = try backend.beginFinger() }
      try backend.changePasscode(from: passcode(old), to: passcode(new), rotates: rotates)
      #expect(try backend.fingerFailures() == 0)
    }
    _ = try backend.beginFinger()
    try backend.changePasscode(from: passcode("3"), to: nil)
    #expect(try backend.fingerFailures() == 0)
    #expect(backend.vaultCode { _ = try $0.beginFinger() } == .noPasscode)
    try backend.changePasscode(from: nil, to: passcode("4"))
    #expect(try backend.fingerFailures() == 0)
    #expect(try backend.beginFinger() == 1)
  }

  @Test("a slot that was written before fingers were counted has none")
  func oldSlot() throws {
    let key = try SecretBytes(copying: [UInt8](repeating: 3, count: 32).span)
    let mac = try HMAC(key: key.bytes)
    let now = BootMoment(bootID: try Identifier.random(), nanoseconds: 5)
    let slot = try AttemptCount(sequence: 9, failures: 2, fingerFailures: 4, now).slot(mac)
    #expect(Array(slot[44..<48]) == [4, 0, 0, 0] && slot[48..<480].allSatisfy { $0 == 0 })
    let old = try AttemptCount(sequence: 9, failures: 2, now).slot(mac)
    #expect(old[44..<480].allSatisfy { $0 == 0 })
    let read = try #require(try AttemptCount(slot: old.span, mac))
    #expect(read.fingerFailures == 0 && read.failures == 2 && read.failedNanoseconds == 5)
  }
}
