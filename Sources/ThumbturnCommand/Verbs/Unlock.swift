internal import ThumbturnCrypto
internal import ThumbturnKeychain
internal import ThumbturnVault

extension Command {
  /// The agent's program.
  private static let agentName = "thumbturnd"
  /// How often is looked for an agent that was started.
  private static let lookNanoseconds: Int64 = 20_000_000

  /// `unlock`: gives the agent the passcode; starts one when none runs.
  static func unlock(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) {
    let seat = try context.seat()
    guard seat.status.isPresent else {
      throw try context.failure(VaultError(.noVault, "there is no vault yet", part: .vaultFolder))
    }
    try context.requirePasscode(seat.status)
    if invocation.options.contains(.finger) {
      context.tell(
        "thumbturn: hint: a finger yields no key, and no TPM keeps one at this version: the passcode is needed\n")
    }
    let passcode = try unlockingPasscode(invocation, in: context)
    let agent: any AgentConnection
    switch seat {
    case .agent(let running, _): agent = running
    case .process: agent = try startAgent(in: context)
    }
    do { try agent.unlock(passcode) } catch { throw CommandFailure(error, in: try context.location()) }
  }

  /// What an agent said of its end, in its own words.
  private static func reason(_ said: String) -> String? {
    let mark = "\(agentName): error: "
    let line = said.split(separator: "\n").last { $0.hasPrefix(mark) } ?? said.split(separator: "\n").last
    return line.map { String($0.hasPrefix(mark) ? $0.dropFirst(mark.count) : $0) }
  }

  private static func unlockingPasscode(
    _ invocation: Invocation, in context: CommandContext
  ) throws(CommandFailure) -> Passcode {
    if invocation.values[.fileDescriptor] == nil, !System.isTerminal(context.input),
      let passcode = try context.credential()
    {
      return passcode
    }
    return try PasscodeInput(invocation, in: context).present()
  }

  private static func startAgent(in context: CommandContext) throws(CommandFailure) -> any AgentConnection {
    let agents = context.findAgents(try context.location())
    let path = try context.findProgram(
      agentName, hint: "install it; programs can give the passcode themselves without it")
    let started: SpawnedAgent
    do { started = try agents.spawn(path) } catch {
      throw CommandFailure(.failed, "\(agentName) cannot be started (\(error.text))")
    }
    let end = system_bootNanoseconds() + context.agentWaitMilliseconds * 1_000_000
    var last: KeychainError?
    var said = ""
    while true {
      let exitCode = started.exitCode()
      said += started.said()
      do throws(KeychainError) {
        // After its end too: another one may have been faster, which is why ours ended.
        if let agent = try agents.connect() { return agent }
      } catch { last = error }
      if let exitCode {
        throw CommandFailure(
          .failed, "\(agentName) ended before it listened: \(reason(said) ?? "exit code \(exitCode)")",
          hint: "where there is no /run/user folder, set THUMBTURN_HOME or XDG_RUNTIME_DIR")
      }
      guard system_bootNanoseconds() < end else { break }
      system_sleep(nanoseconds: lookNanoseconds)
    }
    if let last { throw CommandFailure(last, in: try context.location()) }
    throw CommandFailure(
      .failed, "\(agentName) was started and does not listen after \(context.agentWaitMilliseconds / 1_000) seconds",
      hint: "try again")
  }
}
