import AgentFixtures
import Testing
import ThumbturnAgentClient
import ThumbturnCrypto
import ThumbturnKeychain
import ThumbturnVault

@Suite("Messages")
struct RoundTripTests {
  /// The bytes of a secret that is none.
  private func bytes(_ secret: SharedSecret?) -> [UInt8]? { secret?.withBytes { $0.copied() } }
  private func bytes(_ secrets: [Attribute: SharedSecret]) -> [Attribute: [UInt8]] {
    secrets.mapValues { $0.withBytes { $0.copied() } }
  }

  /// Attributes as text: NaN is not equal to itself.
  private func text(_ attributes: [Attribute: AttributeValue]) -> String { ItemAttributes(attributes).description }

  private func again(_ request: AgentRequest) throws -> AgentRequest {
    let (packet, file) = try Encoding.packet(request)
    return try Encoding.request(packet, file)
  }

  private func again(_ reply: ReplyMessage, to operation: ThumbturnAgentClient.Operation) throws -> ReplyMessage {
    let (packet, file) = try Encoding.packet(reply)
    return try Encoding.reply(packet, to: operation, file)
  }

  @Test("carry every member of a new item")
  func newItem() throws {
    let item = try Samples.fullItem()
    let named = Caller(accessGroups: ["a", "b"], appClipGroup: "a")
    guard case .add(let other, let caller, _) = try again(.add(item, named))
    else {
      Issue.record("another request")
      return
    }
    #expect(other.itemClass == item.itemClass)
    #expect(text(other.attributes) == text(item.attributes))
    #expect(other.protectionClass == item.protectionClass)
    #expect(other.isSynchronizable == item.isSynchronizable)
    #expect(other.accessControl == item.accessControl)
    #expect(bytes(other.secret) == bytes(item.secret))
    #expect(bytes(other.extraSecrets) == bytes(item.extraSecrets))
    #expect(caller == Caller(accessGroups: ["a", "b"], appClipGroup: "a"))
    // A member more needs a field more.
    #expect(Mirror(reflecting: item).children.count == 8)
    #expect(Mirror(reflecting: caller).children.count == 2)
  }

  @Test("keep an absent secret and an empty one apart")
  func emptySecret() throws {
    for secret in [nil, try Samples.secret([])] {
      let item = NewItem(.genericPassword, [:], secret: secret)
      guard case .add(let other, _, _) = try again(.add(item, Caller())) else { continue }
      #expect((other.secret == nil) == (secret == nil))
      #expect(other.secret?.count == secret?.count)
    }
  }

  @Test("carry every member of a query", arguments: Samples.queries())
  func query(query: ItemQuery) throws {
    guard case .find(let other, _, _) = try again(.find(query, Caller())) else {
      Issue.record("another request")
      return
    }
    #expect(other.itemClass == query.itemClass)
    #expect(text(other.attributes) == text(query.attributes))
    #expect(other.identityKey == query.identityKey)
    #expect(other.protectionClass == query.protectionClass)
    #expect(other.synchronizable == query.synchronizable)
    #expect(other.reference == query.reference)
    #expect(other.filter == query.filter)
    #expect(other.limit == query.limit)
    #expect(other.wantsSecret == query.wantsSecret)
    #expect(other.wantsExtraSecrets == query.wantsExtraSecrets)
    #expect(other.consent == query.consent)
    // Context and prompt stay on this side.
    #expect(Mirror(reflecting: query).children.count == 13)
    #expect(Mirror(reflecting: query.filter).children.count == 4)
  }

  @Test("carry every member of a change")
  func change() throws {
    let change = try Samples.fullChange()
    guard case .update(_, let other, _, _) = try again(.update(ItemQuery(.key), change, Caller())) else {
      Issue.record("another request")
      return
    }
    #expect(text(other.attributes) == text(change.attributes))
    #expect(other.protectionClass == change.protectionClass)
    #expect(other.isSynchronizable == change.isSynchronizable)
    #expect(other.accessControl == change.accessControl)
    #expect(bytes(other.secret) == bytes(change.secret))
    #expect(bytes(other.extraSecrets) == bytes(change.extraSecrets))
    #expect(Mirror(reflecting: change).children.count == 6)
  }

  private func expectSame(_ other: FoundItem, _ item: FoundItem) {
    #expect(other.itemClass == item.itemClass)
    #expect(other.attributes == item.attributes)
    #expect(other.protectionClass == item.protectionClass)
    #expect(other.isSynchronizable == item.isSynchronizable)
    #expect(other.reference == item.reference)
    #expect(other.accessControl == item.accessControl)
    #expect(bytes(other.secret) == bytes(item.secret))
    #expect(bytes(other.extraSecrets) == bytes(item.extraSecrets))
  }

  @Test("carry every member of an item that was found, and of its identity's key")
  func foundItem() throws {
    let items = [try Samples.fullFound(), Samples.plainFound()]
    guard case .answer(.items(let others)) = try again(.answer(.items(items)), to: .find) else {
      Issue.record("another answer")
      return
    }
    #expect(others.count == 2)
    for (other, item) in zip(others, items) { expectSame(other, item) }
    #expect(others[1].identityKey == nil)
    let key = try #require(others[0].identityKey)
    expectSame(key, try #require(items[0].identityKey))
    #expect(Mirror(reflecting: items[0]).children.count == 9)
  }

  @Test("carry every member of a status")
  func status() throws {
    for (operation, reply) in try Samples.replies() {
      guard case .answer(.status(let status)) = reply else { continue }
      guard case .answer(.status(let other)) = try again(reply, to: operation) else {
        Issue.record("another answer")
        continue
      }
      #expect(other == status)
    }
    #expect(Mirror(reflecting: Samples.fullStatus()).children.count == 18)
  }

  @Test("carry progress, groups, and failures with their cause")
  func others() throws {
    guard case .progress(3, 10) = try again(.progress(done: 3, total: 10), to: .rotate) else {
      Issue.record("no progress")
      return
    }
    guard case .answer(.groups(["a", ""])) = try again(.answer(.groups(["a", ""])), to: .accessGroups) else {
      Issue.record("no groups")
      return
    }
    let error = KeychainError(.itemNotFound, VaultError(.damagedRecord, "here", part: .keybag, secondsToWait: 60))
    guard
      case .answer(.failed(let failure)) = try again(
        .answer(.failed(AgentFailure(error))), to: .find)
    else {
      Issue.record("no failure")
      return
    }
    #expect(failure.error.code == .itemNotFound)
    #expect(failure.error.cause?.code == .damagedRecord)
    #expect(failure.error.cause?.part == .keybag)
    #expect(failure.secondsToWait == 60)
  }

  @Test("of every operation are the same bytes when they are written again")
  func operations() throws {
    var seen: Set<ThumbturnAgentClient.Operation> = [.hello]
    for request in try Samples.requests() {
      seen.insert(request.operation)
      let packet = try Encoding.packet(request).bytes
      #expect(try Encoding.packet(try Encoding.request(packet)).bytes == packet)
    }
    #expect(seen == Set(ThumbturnAgentClient.Operation.allCases))
    for (operation, reply) in try Samples.replies() {
      let packet = try Encoding.packet(reply).bytes
      #expect(try Encoding.packet(try Encoding.reply(packet, to: operation)).bytes == packet)
    }
    let hello = Hello(vaultID: Samples.vaultID)
    #expect(try Encoding.hello(try Encoding.packet(hello)) == hello)
  }

  @Test("go in a sealed file when they do not fit in a packet, to the byte")
  func inFile() throws {
    // The rest of the message takes some bytes of the packet.
    let empty = try Encoding.packet(.add(NewItem(.key, [:], secret: try Samples.secret([])), Caller())).bytes.count
    let room = FrameLimits.packetCountMax - empty
    for (count, isInFile) in [(room, false), (room + 1, true), (1 << 20, true)] {
      let secret = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let (packet, file) = try Encoding.packet(.add(NewItem(.key, [:], secret: try Samples.secret(secret)), Caller()))
      #expect((file != nil) == isInFile)
      #expect(packet.count == (isInFile ? 23 : FrameLimits.packetCountMax))
      guard case .add(let item, _, _) = try Encoding.request(packet, file) else { continue }
      #expect(bytes(item.secret) == secret)
    }
  }
}

@Suite("Numbers of errors")
struct ErrorNumberTests {
  @Test("are one for each code of the keychain, and are for ever", arguments: KeychainError.Code.all)
  func keychain(code: KeychainError.Code) {
    #expect(KeychainError.Code(wireNumber: UInt64(code.wireNumber)) == code)
    #expect(KeychainError.Code.all.count { $0.wireNumber == code.wireNumber } == 1)
  }

  @Test("are one for each code of the vault", arguments: VaultError.Code.all)
  func vault(code: VaultError.Code) throws {
    let number = try #require(code.wireNumber, "\(code) has no number in ErrorNumbers.swift")
    #expect(VaultError.Code(wireNumber: UInt64(number)) == code)
    #expect(VaultError.Code.all.count { $0.wireNumber == number } == 1)
  }

  @Test("do not change")
  func fixed() {
    #expect(KeychainError.Code.authenticationFailed.wireNumber == 1)
    #expect(KeychainError.Code.notAvailable.wireNumber == 13)
    #expect(KeychainError.Code.userCanceled.wireNumber == 19)
    #expect(VaultError.Code.classKeyLocked.wireNumber == 1)
    #expect(VaultError.Code.seatTaken.wireNumber == 17)
    #expect(VaultError.Code.writerBusy.wireNumber == 21)
  }

  @Test("that are not known make no code")
  func unknown() {
    #expect(KeychainError.Code(wireNumber: 0) == nil)
    #expect(KeychainError.Code(wireNumber: 65_536 + 1) == nil)
    #expect(VaultError.Code(wireNumber: 0) == nil)
    #expect(VaultError.Part(wireNumber: 9) == nil)
  }

  @Test("stand for the parts of a vault")
  func parts() {
    let parts: [VaultError.Part] = [
      .database, .deviceFolder, .deviceKey, .keybag, .seatLock, .vaultFolder, .writerLock,
    ]
    for part in parts { #expect(VaultError.Part(wireNumber: UInt64(part.wireNumber)) == part) }
    #expect(Set(parts.map(\.wireNumber)).count == 7)
  }
}
