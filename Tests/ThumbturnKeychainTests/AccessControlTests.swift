internal import Testing
internal import ThumbturnVault

@testable internal import ThumbturnKeychain

/// SECACCESS.md §1.
@Suite("Access control values")
struct AccessControlTests {
  static let rows: [(AccessControl.Conditions, isConstrained: Bool, AccessControl.Permission)] = [
    ([], false, .free), (.or, false, .free), ([.and], false, .free), (.applicationPassword, true, .free),
    (.userPresence, true, .constrained), ([.biometryAny, .or, .devicePasscode], true, .constrained),
    (.privateKeyUsage, true, .forbidden), ([.privateKeyUsage, .biometryCurrentSet], true, .forbidden),
    ([.applicationPassword, .companion], true, .constrained),
  ]

  @Test("say whether the secret may be read", arguments: rows)
  func reading(row: (AccessControl.Conditions, isConstrained: Bool, AccessControl.Permission)) {
    let control = AccessControl(.whenUnlocked, row.0)
    #expect(control?.isConstrained == row.isConstrained)
    #expect(control?.reading == row.2)
  }

  @Test("have one spelling for what means the same")
  func spelling() {
    let both: AccessControl.Conditions = [.biometryAny, .devicePasscode]
    #expect(AccessControl(.always, both) == AccessControl(.always, both.union(.and)))
    #expect(AccessControl(.always, both) != AccessControl(.always, both.union(.or)))
    #expect(AccessControl(.always, [.devicePasscode, .or]) == AccessControl(.always, .devicePasscode))
    #expect(AccessControl(.always, .or) == AccessControl(.always))
    #expect(AccessControl(.always, [.or, .and]) == nil && AccessControl(.always, .init(rawValue: 1 << 2)) == nil)
  }

  @Test("without conditions set the protection class, which is all that the vault keeps of them")
  func stored() throws {
    let scratch = try Scratch()
    defer { scratch.end() }
    var item = try password("s", "a")
    item.accessControl = AccessControl(.afterFirstUnlock)
    _ = try scratch.backend.add(item, for: me)
    var change = ItemChange()
    #expect(try scratch.backend.find(query(), for: me).map(\.protectionClass) == [.afterFirstUnlock])
    change.accessControl = AccessControl(.always)
    try scratch.backend.update(query(), with: change, for: me)
    #expect(try scratch.backend.find(query(), for: me).map(\.protectionClass) == [.always])
    change.accessControl = AccessControl(.always, .applicationPassword)
    #expect(throws: KeychainError(.authenticationFailed)) {
      try scratch.backend.update(query(), with: change, for: me)
    }
  }
}
