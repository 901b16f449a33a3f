internal import Glibc
internal import ThumbturnCrypto
internal import ThumbturnShims
package import ThumbturnVault

/// The passcode that systemd hands to a service (`LoadCredential=thumbturn.passcode:…`), for a machine without a person.
package enum ServiceCredential {
  static let name = "thumbturn.passcode"

  /// The passcode without the line's end; nil when there is none. The environment is ignored with raised rights (AT_SECURE).
  ///
  /// - Throws: ``VaultError/Code/unsafePlace`` for a file that others can read or that is not this user's or root's,
  ///   ``VaultError/Code/tooLarge``, ``VaultError/Code/inputOutput``.
  package static func passcode() throws(VaultError) -> Passcode? {
    guard !isSecureExecution(), let value = unsafe getenv("CREDENTIALS_DIRECTORY"),
      let folder = unsafe String(validatingCString: value), folder.hasPrefix("/")
    else { return nil }
    return try passcode(in: folder)
  }

  static func passcode(in folder: String) throws(VaultError) -> Passcode? {
    let descriptor: Int32
    do throws(SystemError) {
      descriptor = try system_openat(
        system_currentFolder, "\(folder)/\(name)", flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    } catch {
      if error == .missing { return nil }
      throw VaultError(.inputOutput, "it cannot be opened")
    }
    defer { system_close(descriptor) }
    let facts: FileFacts
    do throws(SystemError) { facts = try system_fstat(descriptor) } catch {
      throw VaultError(.inputOutput, "it cannot be asked")
    }
    guard facts.kind == .file, facts.owner == system_user() || facts.owner == 0, facts.mode & 0o077 == 0 else {
      throw VaultError(.unsafePlace, "it is another user's, or open to others")
    }
    return try Passcode(lineFrom: descriptor)
  }
}

extension Passcode {
  /// The first line of an open file, without its end.
  ///
  /// - Throws: ``VaultError/Code/tooLarge`` for none, or more than ``countMax`` bytes.
  package convenience init(lineFrom descriptor: Int32) throws(VaultError) {
    var failure: SystemError?
    var count = 0
    var bytes: SecretBytes
    do throws(CryptoError) {
      // Two more, to see a line's end behind the longest, and that nothing else is there.
      bytes = try SecretBytes(count: Self.countMax + 2) { (out: inout MutableSpan<UInt8>) throws(CryptoError) in
        do throws(SystemError) { count = try system_read(descriptor, into: &out) } catch { failure = error }
      }
    } catch { throw VaultError(.outOfMemory, "no memory for secrets") }
    guard failure == nil else { throw VaultError(.inputOutput, "it cannot be read") }
    let newline = UInt8(ascii: "\n")
    let end = (0..<count).first { bytes.bytes[$0] == newline } ?? count
    bytes.narrow(to: 0..<end)
    try self.init(bytes)
  }
}
