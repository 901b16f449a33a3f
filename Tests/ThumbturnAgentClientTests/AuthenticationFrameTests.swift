import AgentFixtures
import Testing
import ThumbturnAgentClient
import ThumbturnAuthentication
import ThumbturnCrypto
import ThumbturnKeychain

@Suite("Messages about people")
struct AuthenticationFrameTests {
  private func again(_ request: AgentRequest) throws -> AgentRequest {
    try Encoding.request(try Encoding.packet(request).bytes)
  }

  private func again(_ reply: ReplyMessage, to operation: ThumbturnAgentClient.Operation) throws -> ReplyMessage {
    try Encoding.reply(try Encoding.packet(reply).bytes, to: operation)
  }

  @Test("carry every member of an evaluation, for every requirement", arguments: Samples.requirements)
  func evaluation(requirement: Requirement) throws {
    let texts = AuthenticationTexts(reason: "r", fallbackTitle: "", cancelTitle: "c")
    var request = EvaluationRequest(id: .max - 1, requirement, texts, at: Samples.fullPlace())
    request.sessions = [Array(repeating: 1, count: 16), Array(repeating: 2, count: 16)]
    request.hasCredential = true
    guard case .evaluate(let other) = try again(.evaluate(request)) else {
      Issue.record("another request")
      return
    }
    #expect(other.id == request.id && other.requirement == requirement && other.texts == texts)
    #expect(other.place == Samples.fullPlace() && other.sessions == request.sessions && other.hasCredential)
    #expect(Mirror(reflecting: request).children.count == 6)
    #expect(Mirror(reflecting: Samples.fullPlace()).children.count == 7)
    #expect(Mirror(reflecting: texts).children.count == 3)
  }

  @Test("carry what a client has at hand with its call")
  func evidence() throws {
    let evidence = try Samples.fullEvidence()
    guard case .find(_, _, let other) = try again(.find(ItemQuery(.key), Caller(), evidence)) else { return }
    #expect(other.sessions == evidence.sessions)
    #expect(other.credential?.withBytes { $0.copied() } == [0, 5])
    guard case .add(_, _, let none) = try again(.add(NewItem(.key, [:]), Caller())) else { return }
    #expect(none.sessions.isEmpty && none.credential == nil)
  }

  @Test("carry statuses, results, failures and what is needed")
  func replies() throws {
    for (operation, reply) in Samples.authenticationReplies() {
      switch (reply, try again(reply, to: operation)) {
      case (.answer(.authenticationStatus(let one)), .answer(.authenticationStatus(let other))): #expect(one == other)
      case (.answer(.evaluated(let one)), .answer(.evaluated(let other))): #expect(one == other)
      case (.answer(.needsAuthentication(let one)), .answer(.needsAuthentication(let other))): #expect(one == other)
      case (.answer(.done), .answer(.done)), (.progress, .progress): break
      default: Issue.record("another answer")
      }
    }
    #expect(Mirror(reflecting: Samples.fullAuthenticationStatus()).children.count == 7)
  }

  @Test("refuse what needs authentication where nothing can, and two answers in one")
  func kinds() throws {
    let needed = try Encoding.packet(.answer(.needsAuthentication(NeededEvidence([.owner])))).bytes
    for operation in ThumbturnAgentClient.Operation.allCases {
      let mayNeed = [.add, .find, .update].contains(operation)
      #expect((try? Encoding.reply(needed, to: operation)) == nil ? !mayNeed : mayNeed, "\(operation)")
    }
    #expect(throws: FrameError.wrongValue) {
      try Encoding.reply(Encoding.packet(.answer(.needsAuthentication(NeededEvidence([])))).bytes, to: .find)
    }
  }

  /// The bytes of a message with one of them changed, where `old` stands for the first time.
  private func changed(_ bytes: [UInt8], _ old: [UInt8], to new: [UInt8]) throws -> [UInt8] {
    let start = try #require((0...(bytes.count - old.count)).first { Array(bytes[$0..<($0 + old.count)]) == old })
    var bytes = bytes
    bytes.replaceSubrange(start..<(start + old.count), with: new)
    return bytes
  }

  private func refusal(_ bytes: [UInt8]) -> FrameError? {
    do throws(FrameError) {
      _ = try Encoding.request(bytes)
      return nil
    } catch { return error }
  }

  @Test("have one encoding: factors and sessions in order and once, nothing empty, no unknown value")
  func oneEncoding() throws {
    let id = { (number: UInt8) in Array(repeating: number, count: 16) }
    let two = try Encoding.packet(.find(ItemQuery(.key), Caller(), Evidence(sessions: [id(1), id(2)]))).bytes
    #expect(refusal(two) == nil)
    #expect(refusal(try changed(two, id(1), to: id(2))) == .wrongValue)
    #expect(refusal(try changed(two, id(1), to: id(3))) == .wrongValue)
    let evaluate = try Encoding.packet(
      .evaluate(EvaluationRequest(id: 0, .owner, AuthenticationTexts(), at: Samples.fullPlace()))
    ).bytes
    #expect(refusal(evaluate) == nil)
    // The factors: field 1, bytes, two of them.
    let factors: [UInt8] = [1, 0, 2, 2, 0, 0, 0]
    for wrong: [UInt8] in [[2, 1], [1, 1], [1, 3], [0, 1]] {
      #expect(refusal(try changed(evaluate, factors + [1, 2], to: factors + wrong)) == .wrongValue)
    }
    #expect(refusal(try changed(evaluate, Array(":0".utf8), to: [0x3A, 0x20])) == .wrongValue)
    #expect(refusal(try changed(evaluate, Array(":0".utf8), to: [0x3A, 0x1B])) == .wrongValue)
    let one = try Encoding.packet(
      .evaluate(EvaluationRequest(id: 0, .finger, AuthenticationTexts(), at: PromptPlace()))
    ).bytes
    // All of one is one of one.
    let flag: [UInt8] = [2, 0, 1, 8, 0, 0, 0]
    #expect(refusal(try changed(one, flag + [0], to: flag + [1])) == .wrongValue)
    for event: UInt8 in [0, 7] {
      let simulate = try Encoding.packet(.simulate(.enrolled)).bytes
      var wrong = simulate
      wrong[wrong.count - 8] = event
      #expect(refusal(wrong) == .wrongValue)
    }
  }

  @Test("are refused one above each limit")
  func limits() throws {
    func evidence(_ count: Int) -> AgentRequest {
      .find(
        ItemQuery(.key), Caller(),
        Evidence(sessions: (0..<count).map { Array(repeating: UInt8($0), count: 16) }))
    }
    #expect(throws: Never.self) { try Encoding.packet(evidence(16)) }
    #expect(throws: FrameError.overLimit) { try Encoding.packet(evidence(17)) }
    func credential(_ count: Int) throws -> AgentRequest {
      .find(ItemQuery(.key), Caller(), Evidence(credential: try Samples.secret(Array(repeating: 1, count: count))))
    }
    #expect(throws: Never.self) { try Encoding.packet(try credential(1_024)) }
    #expect(throws: FrameError.overLimit) { try Encoding.packet(try credential(1_025)) }
    var place = PromptPlace()
    place.display = String(repeating: "a", count: PromptPlace.countMax)
    let fits = place
    #expect(throws: Never.self) { try Encoding.request(try Encoding.packet(.authenticationStatus(fits)).bytes) }
    place.display? += "a"
    let tooLong = place
    #expect(throws: FrameError.overLimit) { try Encoding.packet(.authenticationStatus(tooLong)) }
  }
}
