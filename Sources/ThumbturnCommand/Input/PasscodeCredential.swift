internal import ThumbturnCrypto
internal import ThumbturnVault

/// The passcode that systemd gives to a service: `thumbturn.passcode` in the folder of its credentials.
enum PasscodeCredential {
  static let fileName = "thumbturn.passcode"

  /// Nil when there is no such file.
  ///
  /// - Throws: A failure with ``ExitCode/refused`` when others could have written or read it.
  static func read(in context: CommandContext) throws(CommandFailure) -> Passcode? {
    guard let folder = context.findCredentialFolder() else { return nil }
    let descriptor: Int32
    do throws(SystemError) { descriptor = try System.openFile("\(folder)/\(fileName)") } catch {
      if error == .missing { return nil }
      throw error == .isLink ? .unsafeCredential : failed(error)
    }
    defer { system_close(descriptor) }
    let facts: FileFacts
    do { facts = try system_fstat(descriptor) } catch { throw failed(error) }
    guard isSafe(facts, user: system_user()) else { throw .unsafeCredential }
    guard facts.sizeBytes <= Int64(Passcode.countMax) + 1 else { throw .passcodeTooLong }
    var bytes = try SecretInput.read(descriptor, waitMilliseconds: context.inputWaitMilliseconds)
    let count = bytes.count
    if count > 0, bytes.bytes[count - 1] == 0x0a { bytes.narrow(to: 0..<(count - 1)) }
    return try PasscodeInput.passcode(bytes)
  }

  /// A file of this user that nobody else can open; or of root, who gives it by an access list: its mask stands where the
  /// rights of the group would.
  static func isSafe(_ facts: FileFacts, user: UInt32) -> Bool {
    guard facts.kind == .file else { return false }
    if facts.owner == user { return facts.mode & 0o077 == 0 }
    return facts.owner == 0 && facts.mode & 0o037 == 0
  }

  private static func failed(_ error: SystemError) -> CommandFailure {
    CommandFailure(.failed, "the credential \(fileName) cannot be read (\(error.text))")
  }
}
