internal import Glibc
package import ThumbturnCrypto
internal import ThumbturnShims

/// The passcode that systemd hands to a service (`LoadCredential=thumbturn.passcode:…`), for a machine without a person: one
/// rule for the agent and the command line.
///
/// It is the first line of `thumbturn.passcode` in the folder of the credentials, as with `--fd`. The file is this user's and
/// closed to all others; or root's, who gives it by an access list: its mask stands where the rights of the group would.
package enum ServiceCredential {
  /// The file's name.
  package static let name = "thumbturn.passcode"

  /// Why the file was not used.
  package enum Failure: Error, Hashable {
    /// Others could have written or read it, or it is no file.
    case unsafe
    case cannotBeRead(SystemError)
    /// Its first line has nothing.
    case empty
    /// Its first line has more than ``Passcode/countMax`` bytes.
    case tooLong
    case outOfMemory

    /// Text for logs.
    package var reason: String {
      switch self {
      case .unsafe: "it is another user's, or open to others"
      case .cannotBeRead: "it cannot be read"
      case .empty, .tooLong: "a passcode has 1 to 1,024 bytes"
      case .outOfMemory: "no memory for secrets"
      }
    }
  }

  /// The folder of the credentials that systemd gives to a service. A program with raised rights (AT_SECURE) has none.
  package static func folder() -> String? {
    guard !isSecureExecution(), let value = unsafe getenv("CREDENTIALS_DIRECTORY"),
      let folder = unsafe String(validatingCString: value), folder.hasPrefix("/")
    else { return nil }
    return folder
  }

  /// The passcode; nil when there is no such file.
  package static func passcode(in folder: String?) throws(Failure) -> Passcode? {
    guard let folder else { return nil }
    let descriptor: Int32
    do throws(SystemError) {
      descriptor = try system_openat(
        system_currentFolder, "\(folder)/\(name)", flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
    } catch {
      if error == .missing { return nil }
      throw error == .isLink ? .unsafe : .cannotBeRead(error)
    }
    defer { system_close(descriptor) }
    let facts: FileFacts
    do throws(SystemError) { facts = try system_fstat(descriptor) } catch { throw .cannotBeRead(error) }
    guard isSafe(facts, user: system_user()) else { throw .unsafe }
    return try passcode(from: descriptor)
  }

  /// Whether a file can be one.
  static func isSafe(_ facts: FileFacts, user: UInt32) -> Bool {
    guard facts.kind == .file else { return false }
    if facts.owner == user { return facts.mode & 0o077 == 0 }
    return facts.owner == 0 && facts.mode & 0o037 == 0
  }

  private static func passcode(from descriptor: Int32) throws(Failure) -> Passcode {
    var failure: SystemError?
    var count = 0
    var bytes: SecretBytes
    do throws(CryptoError) {
      // One more, to see the end of the longest line.
      bytes = try SecretBytes(count: Passcode.countMax + 1) { (out: inout MutableSpan<UInt8>) throws(CryptoError) in
        do throws(SystemError) { count = try system_read(descriptor, into: &out) } catch { failure = error }
      }
    } catch { throw .outOfMemory }
    if let failure { throw .cannotBeRead(failure) }
    let newline = UInt8(ascii: "\n")
    let end = (0..<count).first { bytes.bytes[$0] == newline } ?? count
    guard end > 0 else { throw .empty }
    guard end <= Passcode.countMax else { throw .tooLong }
    bytes.narrow(to: 0..<end)
    do { return try Passcode(bytes) } catch { throw .tooLong }
  }
}
