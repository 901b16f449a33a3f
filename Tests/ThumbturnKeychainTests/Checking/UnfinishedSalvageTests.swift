internal import Foundation
internal import TestFixtures
internal import Testing
internal import ThumbturnVault

@testable internal import ThumbturnKeychain

/// A salvage that was cut off between taking the old database away and putting the new one there.
@Suite("The files of a salvage")
struct UnfinishedSalvageTests {
  private let scratch: Scratch
  private let database: String
  private let base: String
  private var whole: String { base + ".salvage" }

  init() throws {
    scratch = try Scratch()
    try scratch.fill(1..<6)
    database = try Rows(scratch.home).database
    base = String(database.dropLast(3))
  }

  private func write(_ bytes: Data, to path: String) throws {
    try bytes.write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }

  private func move(_ old: String, to new: String) throws { try FileManager.default.moveItem(atPath: old, toPath: new) }
  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
  private func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }

  /// As a crash leaves it: the log of the old database is not moved yet.
  private func cutOff(_ number: Int) throws {
    try write(try Data(contentsOf: URL(fileURLWithPath: database)), to: whole)
    try move(database, to: base + ".damaged-\(number).db")
    try write(Data(repeating: 1, count: 64), to: database + "-wal")
  }

  @Test("that was cut off is finished by the next salvage, and the log follows its database")
  func finished() throws {
    try cutOff(1)
    let error = #expect(throws: KeychainError.self) { try scratch.count() }
    #expect(error?.cause?.code == .missing && error?.cause?.part == .database)
    let report = try scratch.another().salvage()
    #expect(report.isReplaced && report.keptPath == base + ".damaged-1.db")
    #expect(try scratch.count() == 5)
    #expect(exists(base + ".damaged-1.db-wal"))
  }

  @Test("a log never comes to lie beside a database that has one, or that was kept before")
  func logs() throws {
    try cutOff(2)
    try write(Data([7]), to: base + ".damaged-2.db-wal")
    #expect(try scratch.another().salvage().keptPath == base + ".damaged-2.db")
    #expect(try Data(contentsOf: URL(fileURLWithPath: base + ".damaged-2.db-wal")) == Data([7]))
    #expect(exists(base + ".damaged-3.db-wal") && !exists(base + ".damaged-3.db"))
    // The database that was moved away is gone, an older one is there.
    try remove(base + ".damaged-3.db-wal")
    try remove(base + ".damaged-2.db-wal")
    Thread.sleep(forTimeInterval: 0.1)
    try cutOff(3)
    try remove(base + ".damaged-3.db")
    let report = try scratch.another().salvage()
    #expect(report.isReplaced && report.keptPath == nil)
    #expect(!exists(base + ".damaged-2.db-wal") && exists(base + ".damaged-3.db-wal"))
    #expect(try scratch.count() == 5)
  }

  @Test("an old database is kept under a number above all that were ever used", arguments: [".db", ".db-wal"])
  func numbers(suffix: String) throws {
    try write(Data([7]), to: base + ".damaged-41\(suffix)")
    for name in [".damaged-x.db", ".damaged-99999999999999999999.db", ".damaged-50.dbx"] {
      try write(Data([7]), to: base + name)
    }
    let backend = scratch.another()
    #expect(try backend.salvage(replacing: try backend.salvage()).keptPath == base + ".damaged-42.db")
    #expect(try Data(contentsOf: URL(fileURLWithPath: base + ".damaged-41\(suffix)")) == Data([7]))
  }

  @Test("what no salvage of this vault made is not put in place, and nothing is moved")
  func planted() throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: database))
    let other = try Scratch()
    try other.fill(1..<2)
    let foreign = try Data(contentsOf: URL(fileURLWithPath: try Rows(other.home).database))
    let outside = scratch.home.path + "/outside"
    try write(bytes, to: outside)
    func expectRefused(_ code: VaultError.Code, _ name: String, line: Int = #line) throws {
      let before = try scratch.home.files()
      let error = #expect(throws: KeychainError.self) { try scratch.another().salvage() }
      #expect(error?.cause?.code == code, "line \(line)")
      #expect(error?.cause.flatMap { scratch.home.location.path(of: $0) } == name, "line \(line)")
      #expect(try scratch.home.files() == before && exists(whole))
      if exists(whole) { try remove(whole) }
    }
    try remove(database)
    try write(Data(repeating: 0xD, count: 5_000), to: whole)
    try expectRefused(.damaged, whole)
    try write(foreign, to: whole)
    try expectRefused(.damaged, whole)
    try FileManager.default.createSymbolicLink(atPath: whole, withDestinationPath: outside)
    try expectRefused(.unsafePlace, whole)
    try write(Data(), to: whole)
    try expectRefused(.damaged, whole)
    try write(bytes, to: whole)
    try write(Data(), to: whole + "-wal")
    try expectRefused(.damaged, whole)
    try remove(whole + "-wal")
    try write(bytes, to: whole)
    let report = try scratch.another().salvage()
    #expect(report.isReplaced && report.keptPath == nil)
    #expect(try scratch.count() == 5)
  }

  @Test("a salvage that fails leaves none of its own files")
  func failed() throws {
    // The old database cannot get its new name.
    try write(Data([7]), to: base + ".damaged-1000000.db")
    let backend = scratch.another()
    let report = try backend.salvage()
    let error = #expect(throws: KeychainError.self) { try backend.salvage(replacing: report) }
    #expect(error?.cause?.code == .tooLarge)
    backend.close()
    #expect(try scratch.home.names(in: scratch.home.location.vaultFolder).allSatisfy { !$0.contains(".salvage") })
    #expect(try scratch.count() == 5)
  }
}
