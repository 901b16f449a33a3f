internal import Foundation
internal import TestFixtures
internal import Testing
internal import ThumbturnCrypto

@testable internal import ThumbturnKeychain
@testable internal import ThumbturnVault

@Suite("A vault for a simulated sensor")
struct SimulatedVaultTests {
  @Test("says so from its making on, whatever is done to its passcode and keys")
  func survives() throws {
    let scratch = try LockedScratch()
    defer { scratch.end() }
    let backend = scratch.backend
    #expect(try !backend.status().isSimulated)
    try backend.createSimulated()
    func isSimulated() throws -> Bool {
      let other = scratch.another()
      defer { other.close() }
      let (here, there) = (try backend.status(), try other.status())
      return here.isPresent && here.isSimulated && there.isSimulated
    }
    #expect(try isSimulated())
    _ = try backend.add(password("s", "a", "1"), for: me)
    #expect(try isSimulated())
    let changes: [(String?, String?, Bool)] = [
      (nil, "1", false), ("1", "2", false), ("2", "3", true), ("3", nil, false), (nil, "4", false), ("4", nil, true),
    ]
    for (old, new, rotates) in changes {
      try backend.changePasscode(from: old.map(passcode), to: new.map(passcode), rotates: rotates)
      #expect(try isSimulated(), "from \(old ?? "none") to \(new ?? "none")")
    }
    try backend.acceptOlder(nil)
    #expect(try isSimulated())
    #expect(try backend.check().isClean)
    #expect(try backend.find(query(), for: me).map(\.text) == ["1"])
  }

  @Test("stays one through a salvage")
  func salvage() throws {
    let home = try TemporaryHome()
    let backend = LocalBackend(location: home.location)
    defer { backend.close() }
    try backend.createSimulated()
    _ = try backend.add(password("s", "a", "1"), for: me)
    let report = try backend.salvage()
    _ = try backend.salvage(replacing: report)
    #expect(try backend.status().isSimulated)
    #expect(try backend.find(query(), for: me).map(\.text) == ["1"])
  }

  @Test("cannot be made of one that is there, and leaves that as it is")
  func existing() throws {
    let scratch = try LockedScratch()
    defer { scratch.end() }
    let backend = scratch.backend
    _ = try backend.add(password("s", "a", "1"), for: me)
    for _ in 0..<2 {
      #expect(backend.vaultCode { try $0.createSimulated() } == .inTheWay)
      #expect(backend.code { try $0.createSimulated() } == .notAvailable)
      #expect(try !backend.status().isSimulated)
    }
    let other = try LockedScratch()
    defer { other.end() }
    try other.backend.createSimulated()
    #expect(other.backend.vaultCode { try $0.createSimulated() } == .inTheWay)
    #expect(try other.backend.status().isSimulated)
  }

  @Test("a flag that is flipped without the key of the header is noticed")
  func flipped() throws {
    for isSimulated in [false, true] {
      let home = try TemporaryHome()
      let backend = LocalBackend(location: home.location)
      if isSimulated { try backend.createSimulated() }
      _ = try backend.add(password("s", "a", "1"), for: me)
      backend.close()
      let rows = try Rows(home)
      let box = try #require(try rows.run("SELECT hex(box) FROM header").first)
      // Behind the nonce of 12 bytes: the lowest byte of the flags.
      let place = box.index(box.startIndex, offsetBy: 24)..<box.index(box.startIndex, offsetBy: 26)
      let byte = try #require(UInt8(box[place], radix: 16)) ^ 1
      let flipped = box.replacingCharacters(in: place, with: (byte < 16 ? "0" : "") + String(byte, radix: 16))
      try rows.run("UPDATE header SET box = x'\(flipped)'")
      let other = LocalBackend(location: home.location)
      #expect(other.vaultCode { _ = try $0.status() } == .damaged)
      #expect(other.vaultCode { _ = try $0.find(query(), for: me) } == .damaged)
      #expect(other.vaultCode { try $0.createSimulated() } == .inTheWay)
      other.close()
    }
  }
}
