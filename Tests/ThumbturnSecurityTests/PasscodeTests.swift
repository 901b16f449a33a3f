internal import Foundation
internal import Testing
internal import ThumbturnCrypto
internal import ThumbturnKeychain
@_spi(Testing) @testable internal import ThumbturnSecurity
internal import ThumbturnVault

/// Each test in a process of its own, with a vault of its own, since the unlocked keys are the process's.
@Suite("The program's passcode")
struct PasscodeTests {
  @Test("opens the items for this process until it locks")
  func opens() async {
    await #expect(processExitsWith: .success) {
      let item: NSDictionary = [
        kSecClass: kSecClassGenericPassword, kSecAttrAccount: "a", kSecValueData: Data([1, 2, 3]),
      ]
      let query: NSDictionary = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "a", kSecReturnData: true]
      func find() -> OSStatus {
        var result: CFTypeRef?
        return SecItemCopyMatching(query, &result)
      }
      let right = Array("correct horse".utf8)
      guard unlock(right) == errSecItemNotFound else { exit(1) }
      guard SecItemAdd(item, nil) == errSecSuccess else { exit(2) }
      guard unlock(right) == errSecAuthFailed,
        ThumbturnProgram.lock() == errSecAuthFailed, find() == errSecSuccess
      else { exit(3) }
      guard setPasscode(right) else { exit(4) }
      guard find() == errSecInteractionNotAllowed else { exit(5) }
      guard unlock(Array("wrong".utf8)) == errSecAuthFailed,
        find() == errSecInteractionNotAllowed
      else { exit(6) }
      guard unlock(right) == errSecSuccess, find() == errSecSuccess else { exit(7) }
      guard ThumbturnProgram.lock() == errSecSuccess, find() == errSecInteractionNotAllowed else { exit(8) }
      // What is locked already may be locked again.
      guard ThumbturnProgram.lock() == errSecSuccess else { exit(9) }
      exit(0)
    }
  }

  @Test("has 1 to 1,024 bytes")
  func limits() async {
    await #expect(processExitsWith: .success) {
      let most = [UInt8](repeating: 0x61, count: 1_024)
      guard unlock([]) == errSecParam,
        unlock(most + [0x61]) == errSecParam,
        unlock(most) == errSecItemNotFound
      else { exit(1) }
      exit(0)
    }
  }

  @Test("is not served over a backend of a test")
  func otherBackend() async {
    await #expect(processExitsWith: .success) {
      useKeychainBackend(FailingBackend(code: .diskFull))
      guard unlock([1]) == errSecUnimplemented,
        ThumbturnProgram.lock() == errSecUnimplemented
      else { exit(1) }
      exit(0)
    }
  }
}

/// A span may not stand in the closure of an exit test.
private func unlock(_ passcode: [UInt8]) -> OSStatus { ThumbturnProgram.unlock(passcode: passcode.span) }

/// Sets the passcode of this process's vault as another program would, at the least cost.
private func setPasscode(_ bytes: [UInt8]) -> Bool {
  do {
    var surroundings = VaultSurroundings()
    surroundings.cost = .least
    let backend = LocalBackend(location: try VaultLocation.standard(), surroundings)
    try backend.changePasscode(from: nil, to: try Passcode(try SecretBytes(copying: bytes.span)))
    return true
  } catch { return false }
}
