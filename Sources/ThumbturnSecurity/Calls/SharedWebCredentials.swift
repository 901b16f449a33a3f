// swift-format-ignore-file: AlwaysUseLowerCamelCase
public import Foundation
internal import ThumbturnCrypto

/// Saves a password for a web site, to be shared with its pages.
///
/// There is no such exchange on Linux. `completionHandler` is called once, before this returns, with errSecUnimplemented
/// in `NSOSStatusErrorDomain`.
public func SecAddSharedWebCredential(
  _ fqdn: CFString, _ account: CFString, _ password: CFString?, _ completionHandler: @escaping (CFError?) -> Void
) {
  completionHandler(NSError(domain: NSOSStatusErrorDomain, code: Int(errSecUnimplemented)))
}

/// Makes a random password in Apple's form: four groups of three letters and digits.
///
/// It holds at least one upper-case letter, one lower-case letter and one digit, and nothing that is easily taken for
/// another character; some 68 bits are random. May be called from any thread.
///
/// - Returns: Nil when the kernel gives no random bytes.
public func SecCreateSharedWebCredentialPassword() -> CFString? {
  let upper = "ABCDEFGHJKLMNPQRSTUVWXYZ"
  let lower = "abcdefghkmnopqrstuvwxy"
  let digits = "3456789"
  let all = Array(upper + lower + digits)
  // Each round fails with a chance of less than one half.
  for _ in 0..<passwordRoundCountMax {
    var bytes = [UInt8](repeating: 0, count: 64)
    do throws(CryptoError) {
      var span = bytes.mutableSpan
      try randomBytes(into: &span)
    } catch {
      return nil
    }
    // A remainder of 256 would make some characters likelier.
    let fair = bytes.filter { Int($0) < 256 / all.count * all.count }.map { all[Int($0) % all.count] }
    guard fair.count >= 12 else { continue }
    let characters = fair.prefix(12)
    guard [upper, lower, digits].allSatisfy({ $0.contains(where: characters.contains) }) else { continue }
    let groups = (0..<4).map { String(characters[(3 * $0)..<(3 * $0 + 3)]) }
    return groups.joined(separator: "-") as NSString
  }
  return nil
}

/// So many rounds that none is left with a chance of less than 2^-64.
private let passwordRoundCountMax = 128
