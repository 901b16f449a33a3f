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
    let passcode = try unlockingPasscode(invocation, in: context)
    let agent: any AgentConnection
    switch seat {
    case .agent(let running, _): agent = running
    case .process: agent = try startAgent(in: context)
    }
    do { try agent.unlock(passcode) } catch { throw CommandFailure(error, in: try context.location()) }
  }

  private static func unlockingPasscode(
    _ invocation: Invocation, in context: CommandContext
  ) throws(CommandFailure) -> Passcode {
    if invocation.values[.fileDescriptor] == nil, !System.isTerminal(context.input),
      let passcode = try PasscodeCredential.read(in: context)
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
    while true {
      let exitCode = started.exitCode()
      do throws(KeychainError) {
        // After its end too: another one may have been faster, which is why ours ended.
        if let agent = try agents.connect() { return agent }
      } catch { last = error }
      if let exitCode {
        throw CommandFailure(
          .failed, "\(agentName) ended with exit code \(exitCode) before it listened",
          hint: "run \(path) to see why; where there is no /run/user folder, set THUMBTURN_HOME or XDG_RUNTIME_DIR")
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
