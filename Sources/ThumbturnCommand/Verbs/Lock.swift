internal import ThumbturnCrypto
internal import ThumbturnKeychain
internal import ThumbturnVault

extension Command {
  /// How long an agent may take to end, in nanoseconds: 5 seconds.
  private static let endNanosecondsMax: Int64 = 5_000_000_000

  /// `lock`: the agent forgets the keys; with `--stop` it ends too.
  static func lock(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) {
    let stops = invocation.options.contains(.stop)
    switch try context.seat() {
    case .process(let status):
      try refuseForeignAgent(status, in: context)
      guard stops || status.hasPasscode else {
        throw try context.failure(VaultError(.noPasscode, "no passcode is set", part: .keybag))
      }
      try context.print("no agent runs, so nothing is unlocked\n")
    case .agent(let agent, let summary):
      do throws(KeychainError) {
        // An agent ends whether its vault can be locked or not.
        if summary.vault.hasPasscode || !stops { try agent.lock() }
        if stops { try agent.stop() }
      } catch { throw CommandFailure(error, in: try context.location()) }
      if stops { try waitForEnd(of: summary, in: context) }
    }
  }

  /// Without its folder an agent cannot be asked, and the keys that it has stay in its memory.
  private static func refuseForeignAgent(_ status: VaultStatus, in context: CommandContext) throws(CommandFailure) {
    let location = try context.location()
    guard !status.isPresent, context.findAgents(location).isAnswered() else { return }
    throw CommandFailure(
      .failed, "an agent runs, and its vault is not at \(location.vaultFolder) any more: nothing was locked",
      hint: "put the folder back, or end the process thumbturnd: its keys go with it")
  }

  /// What follows, a check say, finds the seat free.
  private static func waitForEnd(of agent: AgentSummary, in context: CommandContext) throws(CommandFailure) {
    let location = try context.location()
    let end = system_bootNanoseconds() + endNanosecondsMax
    while true {
      do throws(KeychainError) { _ = try context.makeBackend(location).status() } catch {
        if error.cause?.code == .seatTaken {
          guard system_bootNanoseconds() < end else {
            throw CommandFailure(
              .failed, "the agent (process \(agent.process)) was told to end and still holds the vault",
              hint: "it is locked; end that process")
          }
          system_sleep(nanoseconds: 20_000_000)
          continue
        }
      }
      return
    }
  }
}
