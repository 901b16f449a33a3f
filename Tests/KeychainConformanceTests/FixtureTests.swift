@testable internal import ConformanceCases
internal import Foundation
internal import TestFixtures
internal import Testing

/// The keys and certificates that cases name.
@Suite("Fixtures of cases")
struct FixtureTests {
  /// Each row is a certificate, its subject, its issuer, its serial number where one is asked for, and its key.
  private static let certificates = [
    ("certA", "Alpha", "Alpha", nil, "keyA"), ("certB", "Beta", "Beta", nil, "keyB"),
    ("leafK1", "Leaf One", "Alpha", "11", "K1"), ("leafK1b", "Leaf One Renewed", "Alpha", "13", "K1"),
    ("leafK2", "Leaf Two", "Alpha", "12", "K2"),
  ]

  @Test("are what CONFORMANCE.md says: kinds of keys, names, serial numbers, issuers, version 3")
  func fixtures() throws {
    let scratch = try ScratchFolder("fixtures")
    try Fixtures(folder: scratch.path).make()
    func openssl(_ arguments: [String]) throws -> String {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["openssl"] + arguments
      process.currentDirectoryURL = URL(fileURLWithPath: scratch.path)
      let output = Pipe()
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0, "openssl \(arguments)")
      return said
    }
    for (key, kind) in [
      ("K1", "ASN1 OID: prime256v1"), ("K2", "Private-Key: (2048 bit"), ("K3", "ASN1 OID: secp384r1"),
    ] {
      #expect(try openssl(["pkey", "-inform", "DER", "-in", "\(key).private.der", "-noout", "-text"]).contains(kind))
      _ = try openssl(["pkey", "-pubin", "-inform", "DER", "-in", "\(key).public.der", "-noout"])
    }
    for (name, subject, issuer, serial, key) in Self.certificates {
      let file = ["-inform", "DER", "-in", "\(name).der", "-noout"]
      let said = try openssl(["x509", "-text", "-serial", "-subject", "-issuer"] + file)
      #expect(said.contains("Version: 3 (0x2)"))
      #expect(said.contains("subject=CN = \(subject)\n"))
      #expect(said.contains("issuer=CN = \(issuer)\n"))
      if let serial { #expect(said.contains("serial=\(serial)\n")) }
      let publicKey = try openssl(["x509", "-pubkey"] + file)
      #expect(try publicKey == openssl(["pkey", "-in", "\(key).pem", "-pubout"]))
      _ = try openssl(["verify", "-CAfile", name == "certB" ? "certB.pem" : "certA.pem", "\(name).pem"])
    }
  }
}
