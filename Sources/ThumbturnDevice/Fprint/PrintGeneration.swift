internal import ThumbturnCrypto

/// What tells one set of prints of this process's user from another with the same names: SHA-256 over name, size and time of
/// change of each file, as far as they can be read.
///
/// - Returns: Empty when they cannot be read, as by anybody but root, or are none; nil when that fails this time only, so
///   that it is not taken for another set.
func printGeneration(below folder: String) -> [UInt8]? {
  guard let user = system_userName(), !user.isEmpty, !user.contains("/"), user != ".", user != ".." else { return nil }
  var text: [UInt8] = []
  var count = 0
  // A folder for each driver, in it one for each reader, in it the prints.
  guard let drivers = names(in: "\(folder)/\(user)") else { return nil }
  for driver in drivers {
    guard let readers = names(in: "\(folder)/\(user)/\(driver)") else { return nil }
    for reader in readers {
      guard let prints = names(in: "\(folder)/\(user)/\(driver)/\(reader)") else { return nil }
      for print in prints {
        let name = "\(driver)/\(reader)/\(print)"
        count += 1
        guard count <= FprintLimits.printFileCountMax, let stamp = system_stamp(of: "\(folder)/\(user)/\(name)") else {
          return nil
        }
        text += Array(name.utf8) + [0]
        for number in [stamp.size, stamp.seconds, stamp.nanoseconds] {
          text += (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
      }
    }
  }
  guard count > 0 else { return [] }
  var hash = [UInt8](repeating: 0, count: 32)
  let message = text.span
  var out = hash.mutableSpan
  guard (try? sha256(message, into: &out)) != nil else { return nil }
  return hash
}

/// Sorted; empty for a folder that is not there or closed to this user; nil when it cannot be read for another reason.
private func names(in folder: String) -> [String]? {
  system_names(in: folder, countMax: FprintLimits.printFileCountMax)?.sorted()
}
