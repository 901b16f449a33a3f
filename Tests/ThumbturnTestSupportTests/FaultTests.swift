internal import Foundation
internal import Testing
internal import ThumbturnKeychain
@_spi(Testing) internal import ThumbturnSecurity
internal import ThumbturnTestSupport

/// Faults that come when they were planned.
@Suite("Planned faults")
struct FaultTests {
  @Test("the third write fails and stores nothing; those around it do not")
  func thirdWrite() throws {
    let keychain = MemoryBackend()
    keychain.plan(.failure(.diskFull), at: .write, number: 3)
    try keychain.addPassword("1")
    #expect(try keychain.read("1") == "1")
    try keychain.setLabel("1")
    #expect(throws: KeychainError(.diskFull)) { try keychain.addPassword("2") }
    #expect(keychain.itemCount == 1)
    try keychain.addPassword("2")
    #expect(keychain.itemCount == 2)
  }

  /// Each row is a kind of call and which of add, find, update and delete it counts.
  @Test(
    "a plan counts calls of its kind only",
    arguments: [
      (CallKind.add, [true, false, false, false]), (.find, [false, true, false, false]),
      (.update, [false, false, true, false]), (.delete, [false, false, false, true]),
      (.write, [true, false, true, true]), (.any, [true, true, true, true]),
    ])
  func kinds(kind: CallKind, fails: [Bool]) throws {
    for (index, fails) in fails.enumerated() {
      let keychain = MemoryBackend()
      try keychain.addPassword("a")
      keychain.plan(.failure(.inputOutput), at: kind)
      let call: () throws -> Void = [
        { try keychain.addPassword("b") }, { _ = try keychain.read("a") }, { try keychain.setLabel("a") },
        { try keychain.delete(ItemQuery(.genericPassword), for: Caller()) },
      ][index]
      if fails {
        #expect(throws: KeychainError(.inputOutput)) { try call() }
      } else {
        try call()
      }
    }
  }

  @Test("a lock, a change of fingers, the end of the passcode and a change of mind come just before the call")
  func events() throws {
    let keychain = MemoryBackend()
    try keychain.addPassword("plain")
    try keychain.addPassword("current", control: [.biometryCurrentSet])
    keychain.plan(.lock(.locked), at: .find, number: 2)
    #expect(try keychain.read("plain") == "plain")
    #expect(throws: KeychainError(.interactionNotAllowed)) { try keychain.read("plain") }
    #expect(keychain.lockState == .locked)
    keychain.lockState = .unlocked
    keychain.plan(.answer(.cancel))
    #expect(throws: KeychainError(.userCanceled)) { try keychain.read("current") }
    keychain.plan(.enrolmentChange)
    #expect(throws: KeychainError(.itemNotFound)) { try keychain.read("current") }
    keychain.plan(.passcodeRemoval)
    #expect(try keychain.read("plain") == "plain")
    #expect(!keychain.hasPasscode)
    keychain.plan(.failure(.decode))
    keychain.reset()
    #expect(keychain.itemCount == 0 && keychain.hasPasscode && keychain.answer == .success)
    #expect(throws: KeychainError(.itemNotFound)) { try keychain.read("plain") }
  }

  @Test("behind the four functions a planned fault is Apple's status")
  func statuses() async {
    await #expect(processExitsWith: .success) {
      let keychain = MemoryBackend()
      useKeychainBackend(keychain)
      let item: NSDictionary = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "a"]
      keychain.plan(.failure(.diskFull), at: .write)
      #expect(SecItemAdd(item, nil) == errSecDiskFull)
      #expect(SecItemAdd(item, nil) == errSecSuccess)
      keychain.plan(.lock(.locked))
      #expect(SecItemCopyMatching(item, nil) == errSecInteractionNotAllowed)
    }
  }

  @Test("the program that is installed holds nothing of this module")
  func release() throws {
    // The test program lies beside what was built with it.
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("thumbturn")
    let bytes = try Data(contentsOf: program)
    #expect(bytes.firstRange(of: Data("20ThumbturnTestSupport".utf8)) == nil)
    #expect(bytes.firstRange(of: Data("17ThumbturnKeychain".utf8)) != nil)
  }
}
