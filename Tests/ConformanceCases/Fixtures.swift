internal import Foundation

/// The keys and certificates that cases name, made by `openssl` when the first case asks for one.
///
/// Keys K1 (EC P-256), K2 (RSA 2048) and K3 (EC P-384); certA and certB, self-signed with keys of their own; leafK1,
/// leafK1b and leafK2, issued by certA for K1 and K2; identities I1 = leafK1 + K1 and I2 = leafK2 + K2.
final class Fixtures {
  enum Kind: String {
    case certificate, key, identity
  }

  private static let names: [Kind: Set<String>] = [
    .certificate: ["certA", "certB", "leafK1", "leafK1b", "leafK2"],
    .key: Set(["K1", "K2", "K3"].flatMap { ["\($0).private", "\($0).public"] }),
    .identity: ["I1", "I2"],
  ]

  private let folder: String
  private var isMade = false

  /// Files will lie in `folder`, which is made when they are.
  init(folder: String) { self.folder = folder }

  /// The `Sec…` object of a fixture.
  ///
  /// There are no such classes yet: when there are, they are made from the files here.
  func object(_ kind: Kind, _ name: String) throws(Problem) -> Any {
    guard Self.names[kind]?.contains(name) == true else { throw Problem("unknown \(kind.rawValue) \(name)") }
    if !isMade { try make() }
    throw Problem(
      "no object can be made of \(kind.rawValue) \(name): SecCertificate, SecKey and SecIdentity are not built")
  }

  /// Makes every file: keys as DER of their standard forms, certificates as DER.
  func make() throws(Problem) {
    do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
      throw Problem("no folder for fixtures can be made")
    }
    for (key, kind) in [("K1", "P-256"), ("K2", "rsa"), ("K3", "P-384"), ("keyA", "P-256"), ("keyB", "P-256")] {
      let algorithm =
        kind == "rsa"
        ? ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]
        : ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:\(kind)"]
      try openssl(["genpkey"] + algorithm + ["-out", "\(key).pem"])
      try openssl(["pkey", "-in", "\(key).pem", "-outform", "DER", "-out", "\(key).private.der"])
      try openssl(["pkey", "-in", "\(key).pem", "-pubout", "-outform", "DER", "-out", "\(key).public.der"])
    }
    // With an extension it is X.509 version 3.
    let version3 = ["-addext", "subjectKeyIdentifier=hash", "-days", "3650"]
    for (name, subject) in [("certA", "Alpha"), ("certB", "Beta")] {
      let key = name == "certA" ? "keyA" : "keyB"
      try openssl(
        ["req", "-x509", "-new", "-key", "\(key).pem", "-subj", "/CN=\(subject)", "-out", "\(name).pem"] + version3)
    }
    for (name, subject, serial, key) in [
      ("leafK1", "Leaf One", "17", "K1"), ("leafK1b", "Leaf One Renewed", "19", "K1"),
      ("leafK2", "Leaf Two", "18", "K2"),
    ] {
      try openssl(
        ["req", "-x509", "-new", "-key", "\(key).pem", "-subj", "/CN=\(subject)", "-set_serial", serial] + [
          "-CA", "certA.pem", "-CAkey", "keyA.pem", "-out", "\(name).pem",
        ] + version3)
    }
    for name in Self.names[.certificate, default: []] {
      try openssl(["x509", "-in", "\(name).pem", "-outform", "DER", "-out", "\(name).der"])
    }
    isMade = true
  }

  private func openssl(_ arguments: [String]) throws(Problem) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { throw Problem("openssl does not start; scripts/bootstrap test installs it") }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Problem("openssl \(arguments.first ?? "") failed") }
  }
}
