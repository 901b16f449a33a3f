internal import ThumbturnAuthentication
internal import ThumbturnCrypto

/// What is enrolled, as a number: another set of fingers is another one, as far as the reader lets it be seen.
enum EnrolmentHash {
  /// For items that die with the set: the same for every program of a vault.
  ///
  /// - Returns: 32 bytes; none when the library fails, which equals nothing that is stored.
  static func ofItems(_ enrolment: Enrolment, vaultID: [UInt8]) -> [UInt8] {
    hash(["thumbturn items"] + parts(enrolment), vaultID, enrolment.generation)
  }

  /// For one program: no two programs have the same.
  static func ofProgram(_ enrolment: Enrolment, vaultID: [UInt8], _ program: PromptedProgram) -> [UInt8] {
    hash(["thumbturn program", program.identity] + parts(enrolment), vaultID, enrolment.generation)
  }

  private static func parts(_ enrolment: Enrolment) -> [String] { [enrolment.device] + enrolment.fingers }

  /// Each part goes with its length, so that no two lists of parts are the same bytes.
  private static func hash(_ texts: [String], _ vaultID: [UInt8], _ generation: [UInt8]) -> [UInt8] {
    var message: [UInt8] = []
    for part in texts.map({ Array($0.utf8) }) + [vaultID, generation] {
      for shift in 0..<8 { message.append(UInt8(truncatingIfNeeded: part.count >> (8 * shift))) }
      message += part
    }
    var digest = [UInt8](repeating: 0, count: AuthenticationStatus.stateHashCount)
    var out = digest.mutableSpan
    let bytes = message.span
    do throws(CryptoError) { try sha256(bytes, into: &out) } catch { return [] }
    return digest
  }
}
