import Glibc
import Testing

@testable import ThumbturnDevice

@Suite("The check of a sender")
struct SenderCheckTests {
  private static let root = BusService.system("org.example.Service")

  @Test("takes no signal before the bus has named the owner and its user")
  func unknown() {
    var check = SenderCheck(Self.root)
    #expect(!check.accepts(":1.1"))
    check.ownerIs(":1.1")
    #expect(!check.accepts(":1.1"))
    #expect(check.mayAccept(":1.1"))
    #expect(!check.mayAccept(":1.2"))
    check.userIs(0, of: ":1.1")
    #expect(check.accepts(":1.1"))
    #expect(!check.accepts(":1.2"))
    #expect(!check.accepts("org.example.Service"))
  }

  @Test("refuses an owner of another user, and one whose user is not known", arguments: [UInt32?.some(1_000), nil])
  func otherUser(userID: UInt32?) {
    var check = SenderCheck(Self.root)
    check.ownerIs(":1.1")
    check.userIs(userID, of: ":1.1")
    #expect(!check.accepts(":1.1"))
    #expect(!check.mayAccept(":1.1"))
    #expect(check.owner == .refused(":1.1"))
  }

  @Test("forgets the old owner with the word of a new one, and does not use an answer about the old")
  func change() {
    var check = SenderCheck(Self.root)
    check.ownerIs(":1.1")
    check.userIs(0, of: ":1.1")
    check.ownerIs(":1.2")
    #expect(!check.accepts(":1.1"))
    check.userIs(0, of: ":1.1")
    #expect(!check.accepts(":1.1"))
    #expect(!check.accepts(":1.2"))
    check.userIs(0, of: ":1.2")
    #expect(check.accepts(":1.2"))
  }

  @Test("has nobody to accept after the owner went", arguments: [String?.some(""), nil])
  func gone(owner: String?) {
    var check = SenderCheck(Self.root)
    check.ownerIs(":1.1")
    check.userIs(0, of: ":1.1")
    check.ownerIs(owner)
    #expect(check.owner == .nobody)
    #expect(!check.accepts(":1.1"))
    #expect(check.trusted == nil)
  }

  @Test("asks for root where a service is the system's, and for its own user where it is the session's")
  func users() {
    #expect(BusService.system("org.example.Service").userID == 0)
    #expect(BusService.user("org.example.Service").userID == getuid())
  }

  @Test("says once that the owner changed")
  func news() {
    var check = SenderCheck(Self.root)
    #expect(!check.isNews)
    check.ownerIs(":1.1")
    #expect(check.isNews)
    check.told()
    #expect(!check.isNews)
  }
}
