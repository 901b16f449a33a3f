internal import ThumbturnCrypto
internal import ThumbturnKeychain
internal import ThumbturnVault

extension ThumbturnProgram {
  /// Opens the items that need the passcode, for this process, until ``lock()`` or its end.
  ///
  /// It is not of Apple's API, and for a program that has no agent: in a container, or as a service. Without an agent every
  /// process is before its first unlock until it has given the passcode itself, and items of other classes than
  /// `kSecAttrAccessibleAlways…` answer errSecInteractionNotAllowed until then. Other processes stay locked. While an agent
  /// runs, the passcode is given to it, and opens the vault for every program of the user.
  ///
  /// Slow on purpose: a quarter of a second and more. Call it from any thread. Every wrong passcode is counted, together with
  /// those that other programs give; from the fifth on none is tried for 1, 5, 15, 15 and then 60 minutes.
  ///
  /// - Parameter passcode: 1 to 1,024 bytes. They are copied into locked memory, which is wiped; wiping the original is the
  ///   caller's work. No `String` and no `Data` is needed: bytes in memory of the program's own have a span too.
  /// - Returns: errSecSuccess; errSecAuthFailed for a wrong passcode, after too many of them, and for a vault without one;
  ///   errSecParam for no byte or more than 1,024; errSecItemNotFound when there is no vault; errSecNotAvailable
  ///   when the vault cannot be opened; errSecAllocate; errSecUnimplemented over a backend of a test.
  public static func unlock(passcode: Span<UInt8>) -> OSStatus {
    guard (1...Passcode.countMax).contains(passcode.count) else { return errSecParam }
    let secret: SharedSecret
    do { secret = SharedSecret(try SecretBytes(copying: passcode)) } catch { return errSecAllocate }
    return withBackend { (backend) throws(KeychainError) in
      let given: Passcode
      do throws(VaultError) { given = try Passcode(secret) } catch { throw KeychainError(.parameter) }
      try backend.unlock(given)
    }
  }

  /// Wipes the keys that are in memory only while the vault is unlocked. Items of `kSecAttrAccessibleAfterFirstUnlock…` stay
  /// readable in this process until it ends. Calls that run at this moment end first.
  ///
  /// May be called from any thread, and when nothing is open.
  ///
  /// - Returns: errSecSuccess; errSecAuthFailed for a vault without a passcode, which cannot be locked; else as
  ///   ``unlock(passcode:)``.
  public static func lock() -> OSStatus {
    withBackend { (backend) throws(KeychainError) in try backend.lock() }
  }

  private static func withBackend(_ body: (any PasscodeBackend) throws(KeychainError) -> Void) -> OSStatus {
    do throws(KeychainError) {
      guard let backend = try ProcessKeychain.current().backend as? any PasscodeBackend else {
        return errSecUnimplemented
      }
      try body(backend)
      return errSecSuccess
    } catch {
      return status(of: error)
    }
  }
}
