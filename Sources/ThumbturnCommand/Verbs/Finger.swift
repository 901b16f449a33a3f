internal import ThumbturnAuthentication
internal import ThumbturnKeychain
internal import ThumbturnVault

/// What `finger` does.
enum FingerAction: String, CaseIterable {
  case list, enrol, delete, test, simulate

  /// The action with a name, in either spelling.
  init?(named name: String) { self.init(rawValue: name == "enroll" ? "enrol" : name) }
}

extension Command {
  /// `finger`: the fingerprint readers and the fingers on them.
  static func finger(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) {
    guard let word = invocation.operands.first.flatMap({ String(validating: $0, as: UTF8.self) }),
      let action = FingerAction(named: word)
    else { throw .unknownAction(invocation) }
    try checkFinger(action, invocation)
    switch action {
    case .list: try listFingers(invocation, in: context)
    case .enrol: try enrolFinger(invocation, in: context)
    case .delete: try deleteFinger(invocation, in: context)
    case .test: try testFinger(in: context)
    case .simulate: try simulateFinger(invocation, in: context)
    }
  }

  /// Refuses what the action does not take.
  private static func checkFinger(_ action: FingerAction, _ invocation: Invocation) throws(CommandFailure) {
    let usage = "usage: \(usageLine(.finger))"
    if invocation.operands.count > 1, [.list, .test].contains(action) {
      throw CommandFailure(.usage, "finger \(action.rawValue) takes no further argument", hint: usage)
    }
    if invocation.options.contains(.json), action != .list {
      throw CommandFailure(.usage, "--json goes with finger list alone", hint: usage)
    }
    if invocation.options.contains(.yes), action != .enrol, action != .delete {
      throw CommandFailure(.usage, "--yes goes with finger enrol and delete alone", hint: usage)
    }
  }

  // MARK: list

  private static func listFingers(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) {
    let look = try context.isVaultSimulated() ? try simulatedLook(in: context) : try readersThere(in: context)
    let readers = look.readers
    if let obstacle = look.obstacle {
      context.tell("thumbturn: hint: \(CommandFailure.plain(obstacle.message))\n")
    }
    guard invocation.options.contains(.json) else {
      return try context.print(readers.map(\.lines).joined(separator: "\n"))
    }
    var out = try SecretOutput(context.output)
    try out.put("[")
    for (index, reader) in readers.enumerated() {
      try out.put(index == 0 ? "\n  {" : ",\n  {")
      try out.putMember("reader", Array(reader.name.utf8).span)
      try out.put(",\"fingers\":")
      guard let fingers = reader.fingers else {
        try out.put("null}")
        continue
      }
      for (index, finger) in fingers.enumerated() {
        try out.put(index == 0 ? "[" : ",")
        try out.putJSON(finger)
      }
      try out.put(fingers.isEmpty ? "[]}" : "]}")
    }
    try out.put("\n]\n")
    try out.flush()
  }

  /// The readers, at least one.
  static func readersThere(in context: CommandContext) throws(CommandFailure) -> FingerLook {
    let look = try context.readers().look()
    guard !look.readers.isEmpty else {
      throw CommandFailure(AuthenticationFailure(.biometryNotAvailable, look.obstacle ?? .noReader))
    }
    return look
  }

  /// The reader of a vault that has a simulated one, as its agent says.
  private static func simulatedLook(in context: CommandContext) throws(CommandFailure) -> FingerLook {
    let status: AuthenticationStatus
    do { status = try context.agentForPeople().people.authenticationStatus() } catch let failure as CommandFailure {
      throw failure
    } catch let failure as AuthenticationFailure {
      throw CommandFailure(failure)
    } catch { throw CommandFailure(AuthenticationFailure(.biometryNotAvailable, .agentFailed)) }
    let fingers = status.reader == .ready ? [FingerName.usual.rawValue] : []
    return FingerLook(readers: [FingerReader(name: "simulated", fingers: fingers)])
  }

  // MARK: test

  /// The agent asks once, whatever it has verified before.
  private static func testFinger(in context: CommandContext) throws(CommandFailure) {
    let agent = try context.agentForPeople()
    let authentication = AuthenticationContext()
    authentication.texts = AuthenticationTexts(reason: "test your finger (thumbturn finger test)")
    try ask(for: .finger, in: authentication, anew: true, agent, context)
    try context.print("the finger was recognised\n")
  }

  // MARK: simulate

  private static func simulateFinger(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) {
    let names = "the events are \(SimulatedEventName.all.joined(separator: ", "))"
    guard invocation.operands.count > 1 else {
      throw CommandFailure(.usage, "finger simulate needs an event", hint: names)
    }
    guard let word = String(validating: invocation.operands[1], as: UTF8.self),
      let event = SimulatedEventName.event(word)
    else { throw CommandFailure(.usage, "there is no such event", hint: names) }
    let status = try context.seat().status
    guard status.isPresent else {
      throw try context.failure(VaultError(.noVault, "there is no vault yet", part: .vaultFolder))
    }
    guard status.isSimulated else { throw .notSimulated }
    let agent = try context.agentForPeople()
    do throws(KeychainError) { try agent.simulate(event) } catch {
      throw error.code == .parameter ? .notSimulated : CommandFailure(error, in: try context.location())
    }
  }
}

/// What `finger simulate` calls what happens at the reader.
enum SimulatedEventName {
  /// Every name.
  static let all = SimulatedEvent.allCases.map(name)

  static func event(_ name: String) -> SimulatedEvent? { SimulatedEvent.allCases.first { Self.name($0) == name } }

  private static func name(_ event: SimulatedEvent) -> String {
    switch event {
    case .enrolled: "enrolled"
    case .none: "none"
    case .match: "match"
    case .noMatch: "no-match"
    case .cancel: "cancel"
    case .lockout: "lockout"
    }
  }
}

extension FingerReader {
  /// What `finger list` prints of it.
  fileprivate var lines: String {
    let shown = fingers.map { $0.isEmpty ? "none" : $0.joined(separator: ", ") } ?? "cannot be told"
    return "reader   \(escaped(name))\nfingers  \(escaped(shown))\n"
  }
}

extension CommandContext {
  /// The way to the fingerprint readers.
  func readers() throws(CommandFailure) -> any FingerReaders {
    guard let fingerReaders else {
      throw CommandFailure(.failed, "this program was built without fingerprint readers")
    }
    return fingerReaders
  }

  /// Whether there is a vault whose reader is simulated. What is wrong with a vault is no matter here.
  func isVaultSimulated() throws(CommandFailure) -> Bool {
    (try? seat())?.status.isSimulated ?? false
  }

  /// The agent of this vault, which alone asks people.
  func agentForPeople() throws(CommandFailure) -> any AgentConnection {
    guard case .agent(let agent, _) = try seat() else { throw .noAgentForPeople }
    return agent
  }
}

extension CommandFailure {
  static var noAgentForPeople: Self {
    Self(
      .personNeeded, "no agent of this vault runs, and only the agent asks for a finger",
      hint: "start it: thumbturn unlock; thumbturn doctor says what else is missing")
  }
  static var notSimulated: Self {
    Self(
      .refused, "this vault's fingers are real, and no other vault takes a simulated one",
      hint: "make one to try things out: THUMBTURN_HOME=/a/new/folder thumbturn vault create --simulated-finger")
  }
  static var noRoomToWait: Self {
    Self(
      .failed, "the kernel gave no descriptor",
      hint: "close files that are not needed, or raise the limit (ulimit -n)")
  }
}
