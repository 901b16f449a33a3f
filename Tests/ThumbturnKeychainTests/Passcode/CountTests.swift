internal import TestFixtures
internal import Testing
internal import ThumbturnCrypto

@testable internal import ThumbturnKeychain
internal import ThumbturnVault

@Suite("The number of items of a protection class")
struct CountTests {
  @Test("is known while they are locked, of every item class and group")
  func locked() throws {
    let scratch = try LockedScratch()
    defer { scratch.end() }
    try scratch.backend.changePasscode(from: nil, to: passcode("1234"))
    let groups = Caller(accessGroups: ["one", "two"])
    for (itemClass, group) in [(ItemClass.genericPassword, "one"), (.genericPassword, "two"), (.certificate, "one")] {
      let item = NewItem(
        itemClass, [.accessGroup: .text(group)], secret: try secret("s"),
        protectionClass: .whenPasscodeSetThisDeviceOnly)
      _ = try scratch.backend.add(item, for: groups)
    }
    _ = try scratch.backend.add(try password("a", "b"), for: me)
    let other = scratch.another()
    defer { other.close() }
    #expect(try other.itemCount(of: .whenPasscodeSetThisDeviceOnly) == 3)
    #expect(try other.itemCount(of: .whenUnlocked) == 1)
    #expect(try other.itemCount(of: .always) == 0)
  }
}
