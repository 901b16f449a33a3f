internal import Testing
internal import ThumbturnKeychain
internal import ThumbturnTestSupport
internal import ThumbturnVault

/// What a test can make of a keychain in memory.
@Suite("A keychain in memory")
struct MemoryBackendTests {
  @Test("a screen lock takes away what it takes away on iOS, and deleting still works")
  func locks() throws {
    let keychain = MemoryBackend()
    for protection in ProtectionClass.allCases { try keychain.addPassword(protection.code, protection) }
    func readable() -> Set<String> {
      Set(ProtectionClass.allCases.map(\.code).filter { (try? keychain.read($0)) != nil })
    }
    #expect(readable() == ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"])
    keychain.lockState = .locked
    #expect(readable() == ["ck", "dk", "cku", "dku"])
    #expect(throws: KeychainError(.interactionNotAllowed)) { try keychain.addPassword("ak", .whenUnlocked) }
    #expect(throws: KeychainError(.interactionNotAllowed)) { try keychain.read("ak") }
    keychain.lockState = .beforeFirstUnlock
    #expect(readable() == ["dk", "dku"])
    #expect(throws: KeychainError(.interactionNotAllowed)) { try keychain.setLabel("ck") }
    try keychain.delete(ItemQuery(.genericPassword, [.account: .text("ck")]), for: Caller())
    keychain.lockState = .unlocked
    #expect(readable() == ["ak", "dk", "aku", "cku", "dku", "akpu"])
  }

  @Test("without a passcode there is nothing behind one: such items are gone, and none can be added")
  func passcode() throws {
    let keychain = MemoryBackend()
    try keychain.addPassword("gone", .whenPasscodeSetThisDeviceOnly)
    try keychain.addPassword("asks", control: [.userPresence])
    try keychain.addPassword("stays")
    keychain.hasPasscode = false
    #expect(keychain.itemCount == 2)
    #expect(throws: KeychainError(.itemNotFound)) { try keychain.read("gone") }
    #expect(throws: KeychainError(.authenticationFailed)) { try keychain.read("asks") }
    #expect(throws: KeychainError(.authenticationFailed)) {
      try keychain.addPassword("new", .whenPasscodeSetThisDeviceOnly)
    }
    #expect(throws: KeychainError(.authenticationFailed)) {
      try keychain.addPassword("new", control: [.devicePasscode])
    }
    keychain.hasPasscode = true
    #expect(try keychain.read("asks") == "asks")
    #expect(throws: KeychainError(.itemNotFound)) { try keychain.read("gone") }
    #expect(!keychain.isBiometryEnrolled)
  }

  @Test("a secret with constraints is read after one prompt, and only then")
  func prompts() throws {
    let keychain = MemoryBackend()
    for account in ["1", "2"] { try keychain.addPassword(account, control: [.userPresence]) }
    #expect(keychain.promptCount == 0)
    let everything = ItemQuery(.genericPassword, limit: .all, wantsSecret: true)
    #expect(try keychain.find(everything, for: Caller()).count == 2)
    #expect(keychain.promptCount == 1)
    keychain.answer = .cancel
    #expect(throws: KeychainError(.userCanceled)) { try keychain.read("1") }
    keychain.answer = .failure
    #expect(throws: KeychainError(.authenticationFailed)) { try keychain.read("1") }
    #expect(throws: KeychainError(.authenticationFailed)) { try keychain.setLabel("1") }
    #expect(keychain.promptCount == 4)
    var quiet = everything
    quiet.consent = .refuse
    #expect(throws: KeychainError(.interactionNotAllowed)) { try keychain.find(quiet, for: Caller()) }
    quiet.consent = .leaveOut
    #expect(throws: KeychainError(.itemNotFound)) { try keychain.find(quiet, for: Caller()) }
    // Only a find leaves out.
    let label = ItemChange([.label: .text("l")])
    #expect(throws: KeychainError(.interactionNotAllowed)) { try keychain.update(quiet, with: label, for: Caller()) }
    quiet.wantsSecret = false
    #expect(try keychain.find(quiet, for: Caller()).count == 2)
    try keychain.delete(everything, for: Caller())
    #expect(keychain.promptCount == 4)
  }

  @Test("a new secret needs no prompt, unless the item forbids reading")
  func replacing() throws {
    let keychain = MemoryBackend()
    keychain.answer = .failure
    try keychain.addPassword("a", control: [.biometryAny])
    let query = ItemQuery(.genericPassword, [.account: .text("a")])
    try keychain.update(query, with: ItemChange(secret: try secret("new")), for: Caller())
    keychain.answer = .success
    #expect(try keychain.read("a") == "new")
    try keychain.addPassword("key", control: [.privateKeyUsage, .devicePasscode])
    #expect(throws: KeychainError(.authenticationFailed)) { try keychain.read("key") }
    #expect(keychain.promptCount == 1)
  }

  @Test("one constraint of several is enough with or, and all are needed without")
  func combinations() throws {
    let keychain = MemoryBackend()
    try keychain.addPassword("or", control: [.biometryAny, .devicePasscode, .or])
    try keychain.addPassword("and", control: [.biometryAny, .devicePasscode])
    keychain.isBiometryEnrolled = false
    #expect(try keychain.read("or") == "or")
    #expect(throws: KeychainError(.authenticationFailed)) { try keychain.read("and") }
    #expect(throws: KeychainError(.authenticationFailed)) { try keychain.addPassword("c", control: [.companion]) }
  }

  @Test("another set of fingers ends what needs the old one, and nothing else")
  func enrolment() throws {
    let keychain = MemoryBackend()
    try keychain.addPassword("current", control: [.biometryCurrentSet])
    try keychain.addPassword("either", control: [.biometryCurrentSet, .devicePasscode, .or])
    try keychain.addPassword("any", control: [.biometryAny])
    keychain.changeEnrolment()
    #expect(throws: KeychainError(.itemNotFound)) { try keychain.read("current") }
    #expect(try keychain.read("either") == "either")
    #expect(try keychain.read("any") == "any")
    try keychain.addPassword("current", control: [.biometryCurrentSet])
    #expect(try keychain.read("current") == "current")
    #expect(keychain.itemCount == 3)
  }

  @Test("an item that another set of fingers has ended is found without its secret, and stands in no way")
  func dead() throws {
    let keychain = MemoryBackend()
    try keychain.addPassword("current", control: [.biometryCurrentSet])
    #expect(throws: KeychainError(.duplicateItem)) { try keychain.addPassword("current") }
    keychain.changeEnrolment()
    let query = ItemQuery(.genericPassword, [.account: .text("current")])
    #expect(try keychain.find(query, for: Caller()).count == 1)
    #expect(throws: KeychainError(.itemNotFound)) { try keychain.read("current") }
    #expect(throws: KeychainError(.itemNotFound)) { try keychain.setLabel("current") }
    #expect(keychain.promptCount == 0)
    // Beside one that is alive it is left out.
    try keychain.addPassword("alive")
    let everything = ItemQuery(.genericPassword, limit: .all, wantsSecret: true)
    #expect(try keychain.find(everything, for: Caller()).count == 1)
    // While its class is locked nobody can see that it is dead.
    keychain.lockState = .locked
    #expect(throws: KeychainError(.duplicateItem)) { try keychain.addPassword("current", .afterFirstUnlock) }
    keychain.lockState = .unlocked
    try keychain.addPassword("current", .afterFirstUnlock)
    #expect(try keychain.read("current") == "current")
    #expect(throws: KeychainError(.duplicateItem)) { try keychain.addPassword("current") }
    try keychain.addPassword("deleted", control: [.biometryCurrentSet])
    keychain.changeEnrolment()
    try keychain.delete(ItemQuery(.genericPassword, [.account: .text("deleted")]), for: Caller())
    #expect(keychain.itemCount == 2)
  }

  @Test("an application password opens what it was given for, and is asked for where the secret is touched")
  func applicationPassword() throws {
    let keychain = MemoryBackend()
    keychain.applicationPassword = "one"
    try keychain.addPassword("alone", control: [.applicationPassword])
    try keychain.addPassword("both", control: [.userPresence, .applicationPassword])
    #expect(keychain.promptCount == 2)
    #expect(try keychain.read("alone") == "alone")
    #expect(keychain.promptCount == 3)
    // One prompt for both.
    #expect(try keychain.read("both") == "both")
    #expect(keychain.promptCount == 4)
    keychain.applicationPassword = "two"
    #expect(throws: KeychainError(.authenticationFailed)) { try keychain.read("alone") }
    #expect(keychain.promptCount == 24)
    #expect(throws: KeychainError(.authenticationFailed)) { try keychain.read("both") }
    #expect(keychain.promptCount == 44)
    // What is no secret changes without it.
    try keychain.setLabel("alone")
    #expect(keychain.promptCount == 44)
    let query = ItemQuery(.genericPassword, [.account: .text("alone")])
    let new = ItemChange(secret: try secret("new"))
    #expect(throws: KeychainError(.authenticationFailed)) { try keychain.update(query, with: new, for: Caller()) }
    var free = ItemChange()
    free.accessControl = AccessControl(.whenUnlocked)
    #expect(throws: KeychainError(.authenticationFailed)) { try keychain.update(query, with: free, for: Caller()) }
    keychain.applicationPassword = "one"
    try keychain.update(query, with: new, for: Caller())
    #expect(try keychain.read("alone") == "new")
    try keychain.update(query, with: free, for: Caller())
    let before = keychain.promptCount
    #expect(try keychain.read("alone") == "new")
    #expect(keychain.promptCount == before)
    free.accessControl = AccessControl(.whenUnlocked, .applicationPassword)
    keychain.applicationPassword = "three"
    try keychain.update(query, with: free, for: Caller())
    #expect(try keychain.read("alone") == "new")
    #expect(keychain.promptCount == before + 2)
  }

  @Test("an item with an application password needs a person as any with an access control does")
  func refusedPasswords() throws {
    let keychain = MemoryBackend()
    try keychain.addPassword("a", control: [.applicationPassword])
    keychain.answer = .cancel
    #expect(throws: KeychainError(.userCanceled)) { try keychain.read("a") }
    #expect(throws: KeychainError(.userCanceled)) { try keychain.addPassword("b", control: [.applicationPassword]) }
    var quiet = ItemQuery(.genericPassword, [.account: .text("a")], wantsSecret: true)
    quiet.consent = .refuse
    #expect(throws: KeychainError(.interactionNotAllowed)) { try keychain.find(quiet, for: Caller()) }
    quiet.consent = .leaveOut
    #expect(throws: KeychainError(.itemNotFound)) { try keychain.find(quiet, for: Caller()) }
    #expect(keychain.promptCount == 3)
    keychain.hasPasscode = false
    #expect(throws: KeychainError(.authenticationFailed)) { try keychain.read("a") }
    #expect(throws: KeychainError(.authenticationFailed)) {
      try keychain.addPassword("c", control: [.applicationPassword])
    }
    #expect(keychain.itemCount == 1)
  }

  @Test("a refused update changes nothing, however many items it was for")
  func wholeUpdates() throws {
    let keychain = MemoryBackend()
    try keychain.addPassword("free", .always)
    try keychain.addPassword("locked")
    keychain.lockState = .locked
    #expect(throws: KeychainError(.interactionNotAllowed)) {
      try keychain.update(ItemQuery(.genericPassword), with: ItemChange([.label: .text("l")]), for: Caller())
    }
    let labelled = ItemQuery(.genericPassword, [.label: .text("l")])
    #expect(throws: KeychainError(.itemNotFound)) { try keychain.find(labelled, for: Caller()) }
  }
}
