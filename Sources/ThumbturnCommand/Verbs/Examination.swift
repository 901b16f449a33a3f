internal import ThumbturnAuthentication
internal import ThumbturnCrypto
internal import ThumbturnVault

/// What `doctor` found out, and what follows from it.
struct Examination {
  private enum Seat: Sendable {
    case absent
    case process(VaultStatus)
    case agent(AgentSummary)
    case failed(CommandFailure)
  }

  private typealias People = Result<AuthenticationStatus, AuthenticationFailure>

  /// Whether a prompt could be shown; nil when nobody can say it.
  private enum PromptAnswer {
    case possible
    case impossible(AuthenticationFailure.Reason)
    case unknown
  }

  /// Each of these is nil when it took too long.
  private let seat: Seat?
  private let people: People?
  private let look: FingerLook?
  private let isOtherAgentThere: Bool
  private let vaultFolder: String?
  private let place: PromptPlace
  private let prompt: PromptAnswer

  /// Looks. What waits for others does so on threads of its own and is unknown when it takes too long; in all it takes at
  /// most twice ``CommandContext/lookMilliseconds``.
  init(in context: CommandContext) {
    let end = system_bootNanoseconds() / 1_000_000 + 2 * context.lookMilliseconds
    func left() -> Int64 { max(1, end - system_bootNanoseconds() / 1_000_000) }
    let looking = Awaited<FingerLook>()
    if let looking, let readers = context.fingerReaders, let thread = try? SideThread({ looking.give(readers.look()) })
    {
      thread.leave()
    }
    seat = Awaited.value(within: context.lookMilliseconds) { Self.seat(in: context) }
    var people: People?
    var isOther = false
    switch seat {
    case .agent: people = Awaited.value(within: left()) { Self.people(in: context) }
    case .process, .absent: isOther = Awaited.value(within: left()) { Self.isAnswered(in: context) } ?? false
    case .failed, nil: break
    }
    self.people = people
    isOtherAgentThere = isOther
    look = context.fingerReaders == nil ? nil : looking?.wait(milliseconds: min(left(), context.lookMilliseconds))
    vaultFolder = (try? context.location())?.vaultFolder
    place = context.findPlace()
    prompt = Self.prompt(at: place, people, in: context)
  }

  private static func seat(in context: CommandContext) -> Seat {
    do throws(CommandFailure) {
      switch try context.seat() {
      case .process(let status): return status.isPresent ? .process(status) : .absent
      case .agent(_, let summary): return .agent(summary)
      }
    } catch { return .failed(error) }
  }

  private static func people(in context: CommandContext) -> People {
    guard case .agent(let agent, _)? = try? context.seat() else {
      return .failure(AuthenticationFailure(.notInteractive, .noAgent))
    }
    do throws(AuthenticationFailure) { return .success(try agent.people.authenticationStatus()) } catch {
      return .failure(error)
    }
  }

  private static func isAnswered(in context: CommandContext) -> Bool {
    guard let location = try? context.location() else { return false }
    return context.findAgents(location).isAnswered()
  }

  /// The agent's word counts, where it gives one: it is the one that would show it.
  private static func prompt(
    at place: PromptPlace, _ people: People?, in context: CommandContext
  ) -> PromptAnswer {
    if case .success(let status)? = people { return status.promptObstacle.map { .impossible($0) } ?? .possible }
    if place.isNowhere { return .impossible(.noPlace) }
    guard let prompter = context.prompter else { return .unknown }
    return prompter.obstacle(at: place).map { .impossible($0) } ?? .possible
  }

  /// All of it, in the order in which one thing needs the other.
  var checks: [DoctorCheck] { ofVault + ofReader + ofPrompt }

  private var status: VaultStatus? {
    switch seat {
    case .process(let status): status
    case .agent(let summary): summary.vault
    case .absent, .failed, nil: nil
    }
  }

  /// The agent's word, where there is one.
  private var peopleStatus: AuthenticationStatus? {
    if case .success(let status)? = people { return status }
    return nil
  }

  private var isSimulated: Bool { status?.isSimulated == true || peopleStatus?.isSimulated == true }

  // MARK: The vault and its agent

  private var ofVault: [DoctorCheck] {
    [vaultCheck, passcodeCheck, agentCheck, lockCheck, triesCheck, memoryCheck].compactMap { $0 }
  }

  private var vaultCheck: DoctorCheck {
    switch seat {
    case nil: return DoctorCheck("vault", .unknown, "it did not answer in time", remedy: "thumbturn status")
    case .failed(let failure): return DoctorCheck("vault", .notOK, failure.message, remedy: failure.hint)
    case .absent:
      return DoctorCheck(
        "vault", .notOK, vaultFolder.map { "there is none at \($0)" } ?? "there is none",
        remedy: "the first thumbturn set makes one")
    case .process, .agent:
      let text = isSimulated ? " (its fingers are simulated)" : ""
      return DoctorCheck("vault", .ok, (vaultFolder ?? "there") + text)
    }
  }

  private var passcodeCheck: DoctorCheck {
    guard let status else {
      if case .absent? = seat { return DoctorCheck("passcode", .notOK, "none is set, because there is no vault") }
      return DoctorCheck("passcode", .unknown, "the vault cannot be asked")
    }
    return status.hasPasscode
      ? DoctorCheck("passcode", .ok, "set")
      : DoctorCheck("passcode", .notOK, "none is set, so nothing is locked", remedy: "thumbturn passcode set")
  }

  private var agentCheck: DoctorCheck {
    let remedy = "start it: thumbturn unlock"
    switch seat {
    case .agent(let summary): return DoctorCheck("agent", .ok, "process \(summary.process), of this vault")
    case .process(let status):
      guard isOtherAgentThere else {
        return DoctorCheck(
          "agent", .notOK, "none runs", remedy: status.hasPasscode ? remedy : "set a passcode, then: thumbturn unlock")
      }
      return DoctorCheck(
        "agent", .notOK, "the one that runs has another vault",
        remedy: "end it, process thumbturnd; then: thumbturn unlock")
    case .absent:
      return isOtherAgentThere
        ? DoctorCheck(
          "agent", .notOK, "one runs whose vault is not here (any more)",
          remedy: "put the vault folder back, or end the process thumbturnd")
        : DoctorCheck("agent", .notOK, "none runs, because there is no vault")
    case .failed, nil: return DoctorCheck("agent", .unknown, "the vault cannot be asked")
    }
  }

  private var lockCheck: DoctorCheck? {
    guard case .agent(let summary)? = seat, summary.vault.hasPasscode else { return nil }
    switch summary.lockState {
    case .unlocked, .locking: return DoctorCheck("lock", .ok, "unlocked")
    case .beforeFirstUnlock, .locked:
      return DoctorCheck(
        "lock", .notOK, "the vault is locked, and a finger alone cannot open it", remedy: "thumbturn unlock")
    }
  }

  private var triesCheck: DoctorCheck? {
    guard let status, status.hasPasscode else { return nil }
    guard status.secondsToWait > 0 else { return DoctorCheck("wrong tries", .ok, "\(status.failedAttempts)") }
    return DoctorCheck(
      "wrong tries", .notOK, "no passcode is tried for the next \(waitText(status.secondsToWait))",
      remedy: "wait; nothing makes it shorter")
  }

  private var memoryCheck: DoctorCheck? {
    guard let status else { return nil }
    return status.isMemoryLocked
      ? DoctorCheck("memory", .ok, "keys are kept out of the swap")
      : DoctorCheck(
        "memory", .notOK, "no memory could be locked: keys may reach the swap",
        remedy: "raise the limit (ulimit -l), or encrypt the swap")
  }

  // MARK: The reader

  private var ofReader: [DoctorCheck] {
    guard !isSimulated else {
      return [DoctorCheck("reader", .ok, "simulated: no bus and no fprintd is needed"), fingersCheck, failuresCheck]
    }
    return [busCheck, serviceCheck, readerCheck, fingersCheck, failuresCheck]
  }

  private var busCheck: DoctorCheck {
    guard let look else { return DoctorCheck("system bus", .unknown, "nothing came back in time") }
    return look.obstacle == .noBus ? Self.check("system bus", .noBus) : DoctorCheck("system bus", .ok, "answers")
  }

  private var serviceCheck: DoctorCheck {
    switch look?.obstacle {
    case .noService?, .serviceSilent?: return Self.check("fprintd", look?.obstacle ?? .noService)
    case .noBus?: return DoctorCheck("fprintd", .unknown, "there is no bus to ask it by")
    default: return look == nil ? Self.notAsked("fprintd") : DoctorCheck("fprintd", .ok, "answers")
    }
  }

  private var readerCheck: DoctorCheck {
    if let reader = look?.readers.first { return DoctorCheck("reader", .ok, reader.name) }
    switch look?.obstacle {
    case .noBus?, .noService?, .serviceSilent?: return Self.notAsked("reader")
    default: return look == nil ? Self.notAsked("reader") : Self.check("reader", look?.obstacle ?? .noReader)
    }
  }

  private static func notAsked(_ name: String) -> DoctorCheck {
    DoctorCheck(name, .unknown, "fprintd could not be asked")
  }

  private var fingersCheck: DoctorCheck {
    if isSimulated {
      guard let peopleStatus else { return DoctorCheck("fingers", .unknown, "only the agent knows them") }
      return peopleStatus.reader == .ready
        ? DoctorCheck("fingers", .ok, "one is enrolled")
        : DoctorCheck("fingers", .notOK, "none is enrolled", remedy: "thumbturn finger simulate enrolled")
    }
    guard let reader = look?.readers.first else { return DoctorCheck("fingers", .unknown, "there is no reader to ask") }
    guard let fingers = reader.fingers else {
      let remedy = look?.obstacle?.remedy.map(CommandFailure.plain)
      return DoctorCheck("fingers", .unknown, "they cannot be told", remedy: remedy)
    }
    return fingers.isEmpty
      ? DoctorCheck("fingers", .notOK, "none is enrolled", remedy: "thumbturn finger enrol")
      : DoctorCheck("fingers", .ok, fingers.joined(separator: ", "))
  }

  private var failuresCheck: DoctorCheck {
    guard let peopleStatus else { return DoctorCheck("wrong fingers", .unknown, "only the agent counts them") }
    guard peopleStatus.fingerFailures < AuthenticationStatus.fingerFailuresMax else {
      return DoctorCheck(
        "wrong fingers", .notOK, "\(peopleStatus.fingerFailures): none is looked at before the passcode was given",
        remedy: "thumbturn unlock")
    }
    return DoctorCheck("wrong fingers", .ok, "\(peopleStatus.fingerFailures)")
  }

  // MARK: The prompt

  private var ofPrompt: [DoctorCheck] {
    var found: [DoctorCheck] = []
    if place.isNowhere {
      found.append(
        isSimulated
          ? DoctorCheck("place", .ok, "neither display nor terminal; a simulated finger needs none, a passcode does")
          : Self.check("place", .noPlace))
    } else {
      let names = [
        place.waylandDisplay.map { "display \($0)" }, place.display.map { "display \($0)" },
        place.terminal.map { "terminal \($0)" },
      ]
      found.append(DoctorCheck("place", .ok, names.compactMap { $0 }.joined(separator: ", ")))
    }
    switch prompt {
    case .possible: if !place.isNowhere { found.append(DoctorCheck("prompt", .ok, "can be shown there")) }
    // It was said already.
    case .impossible(.noPlace): break
    case .impossible(let reason): found.append(Self.check("prompt", reason))
    case .unknown: found.append(DoctorCheck("prompt", .unknown, "only the agent can say whether one could be shown"))
    }
    return found
  }

  private static func check(_ name: String, _ reason: AuthenticationFailure.Reason) -> DoctorCheck {
    DoctorCheck(
      name, .notOK, CommandFailure.plain(reason.message), remedy: reason.remedy.map(CommandFailure.plain))
  }

  // MARK: What follows

  /// Why no prompt for a finger would come; nil when one would. The agent's word counts: it is the one that would ask.
  var obstacle: String? {
    guard case .agent? = seat else {
      if case .process(let status)? = seat, !status.hasPasscode { return "no passcode is set" }
      return seat == nil ? "the vault did not answer in time" : "no agent of this vault runs"
    }
    switch people {
    case nil: return "the agent did not answer in time"
    case .failure(let failure): return CommandFailure.plain(failure.message)
    case .success(let status):
      if let failure = status.obstacle(to: .finger) { return CommandFailure.plain(failure.message) }
      guard !status.isSimulated, let reason = status.promptObstacle else { return nil }
      return CommandFailure.plain(reason.message)
    }
  }
}
