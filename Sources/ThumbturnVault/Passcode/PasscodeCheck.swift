internal import ThumbturnCrypto

/// One look at a keybag, with the lock of the attempts held for as long as it lives (VAULT.md §9).
final class PasscodeCheck {
  let attempts: AttemptsFile
  private let verified: VerifiedKeybag
  private let wrong: KnownWrongPasscodes?

  var keybag: Keybag { verified.keybag }

  /// - Parameter wrong: What an agent knows of wrong passcodes; without one every try counts.
  init(
    _ visit: KeybagVisit, _ surroundings: VaultSurroundings, wrong: KnownWrongPasscodes?
  ) throws(VaultError) {
    self.wrong = wrong
    let verified = try visit.verified()
    attempts = try AttemptsFile(
      in: visit.device, verified.deviceKey.bytes, verified.keybag.vaultID, surroundings.moment)
    self.verified = verified
  }

  var deviceKey: SharedSecret { verified.deviceKey }

  /// A copy of D0, for the parents of a next keybag.
  func copyOfDeviceKey() throws(VaultError) -> SecretBytes {
    do throws(CryptoError) { return try verified.copyOfDeviceKey() } catch { throw VaultError(error) }
  }

  /// The key set that `passcode` opens. The try is counted, and on the disk, before it is checked.
  ///
  /// Slow on purpose: a quarter of a second and more.
  ///
  /// - Throws: ``VaultError/Code/noPasscode``, ``VaultError/Code/lockedOut``, ``VaultError/Code/wrongPasscode``.
  func keys(_ passcode: Passcode) throws(VaultError) -> KeySet {
    guard let derivation = keybag.derivation else {
      throw VaultError(.noPasscode, "no passcode is set", part: .keybag)
    }
    try attempts.begin()
    let passcodeKey = try derivation.key(passcode)
    let keys: KeySet
    do throws(VaultError) { keys = try verified.keys(passcodeKey: passcodeKey) } catch {
      guard error.code == .wrongPasscode else { throw error }
      if let wrong, (try? wrong.take(passcodeKey)) == true { try attempts.takeBack() }
      guard let present = attempts.present else { throw error }
      throw VaultError(
        .wrongPasscode, "the passcode is not this vault's", part: .keybag, secondsToWait: present.secondsToWait)
    }
    try attempts.succeed()
    wrong?.forget()
    return keys
  }

  /// The key set for who is to exchange the keybag: with the present passcode, where there is one.
  ///
  /// - Throws: ``VaultError/Code/passcodeIsSet`` without the one that is set, and as ``keys(_:)``.
  func keys(replacing old: Passcode?) throws(VaultError) -> KeySet {
    if let old { return try keys(old) }
    guard keybag.derivation == nil else {
      throw VaultError(.passcodeIsSet, "a passcode is set, and was not given", part: .keybag)
    }
    do throws(CryptoError) { return try KeySet.open(keybag, under: try verified.parents()) } catch {
      guard error.code == .notAuthentic else { throw VaultError(error) }
      throw VerifiedKeybag.isMisfit
    }
  }
}

/// The passcode that is to be, with its key: derived once.
final class NextPasscode {
  let derivation: PasscodeDerivation?
  private let key: SharedSecret?

  init(_ passcode: Passcode?, _ cost: PasscodeCost) throws(VaultError) {
    guard let passcode else {
      derivation = nil
      key = nil
      return
    }
    let cost = try cost.cost()
    let derivation: PasscodeDerivation
    do { derivation = try PasscodeDerivation(cost) } catch { throw VaultError(error) }
    key = SharedSecret(try derivation.key(passcode))
    self.derivation = derivation
  }

  /// The parents of a key set under this passcode, or under the device key alone without one.
  func parents(_ deviceKey: SharedSecret) throws(CryptoError) -> ParentKeys {
    let copy = try deviceKey.withBytes { (bytes) throws(CryptoError) in try SecretBytes(copying: bytes) }
    guard let key else { return try ParentKeys(deviceKey: copy) }
    return try ParentKeys(deviceKey: copy, passcodeKey: key.bytes)
  }
}
