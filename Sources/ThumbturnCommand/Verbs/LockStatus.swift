internal import ThumbturnVault

extension Command {
  /// The lines of `status` about seat, passcode and lock.
  static func lockRows(_ seat: VaultSeat) -> [(String, String)] {
    let status = seat.status
    var rows = [("seat", seat.text), ("passcode", status.hasPasscode ? "set" : "none"), ("lock state", seat.lockText)]
    guard status.hasPasscode else { return rows }
    rows += [
      ("keys in memory", status.openClassNames.joined(separator: ", ")),
      ("wrong tries", triesText(status)),
      ("grace", durationText(status.settings.graceSeconds)),
      ("idle lock", status.settings.idleSeconds == 0 ? "never" : durationText(status.settings.idleSeconds)),
    ]
    guard case .agent(_, let summary) = seat else { return rows }
    if let seconds = summary.secondsToIdleLock { rows.append(("locks in", durationText(seconds))) }
    rows.append(("screen lock", summary.listensToLogind ? "locks the vault" : "is not heard of: no logind"))
    return rows
  }

  private static func triesText(_ status: VaultStatus) -> String {
    guard status.secondsToWait > 0 else { return "\(status.failedAttempts)" }
    return "\(status.failedAttempts), none is tried for the next \(waitText(status.secondsToWait))"
  }

  private static func durationText(_ seconds: Int) -> String { seconds == 1 ? "1 second" : "\(seconds) seconds" }
}

extension VaultStatus {
  /// The protection classes whose keys are in memory, in the order of the table.
  fileprivate var openClassNames: [String] {
    ProtectionClass.allCases.filter { openClasses.contains($0) }.map(\.name)
  }
}

extension VaultSeat {
  fileprivate var text: String {
    switch self {
    case .process: "in process, no agent"
    case .agent(_, let summary): "agent, process \(summary.process)"
    }
  }

  fileprivate var lockText: String {
    guard status.hasPasscode else { return "never locked, without a passcode" }
    switch self {
    case .process: return "before first unlock, for every process that does not give the passcode itself"
    case .agent(_, let summary):
      switch summary.lockState {
      case .beforeFirstUnlock: return "before first unlock"
      case .unlocked: return "unlocked"
      case .locking(let seconds): return "locked in \(seconds) seconds"
      case .locked: return "locked"
      }
    }
  }

  fileprivate var lockName: String {
    guard status.hasPasscode else { return "neverLocked" }
    switch self {
    case .process: return "beforeFirstUnlock"
    case .agent(_, let summary):
      switch summary.lockState {
      case .beforeFirstUnlock: return "beforeFirstUnlock"
      case .unlocked: return "unlocked"
      case .locking: return "locking"
      case .locked: return "locked"
      }
    }
  }
}

extension SecretOutput {
  /// The members of `status --json` about seat, passcode and lock.
  mutating func putLock(_ seat: VaultSeat) throws(CommandFailure) {
    let status = seat.status
    if case .agent(_, let summary) = seat {
      try put(",\n  \"seat\":\"agent\",\n  \"agentProcess\":\(summary.process)")
    } else {
      try put(",\n  \"seat\":\"process\"")
    }
    let names = status.openClassNames.map { "\"\($0)\"" }.joined(separator: ",")
    try put(",\n  \"lockState\":\"\(seat.lockName)\",\n  \"keysInMemory\":[\(names)]")
    try put(",\n  \"wrongTries\":\(status.failedAttempts),\n  \"secondsToWait\":\(status.secondsToWait)")
    try put(",\n  \"graceSeconds\":\(status.settings.graceSeconds)")
    try put(",\n  \"idleSeconds\":\(status.settings.idleSeconds)")
    guard case .agent(_, let summary) = seat else { return }
    if case .locking(let seconds) = summary.lockState { try put(",\n  \"secondsToLock\":\(seconds)") }
    if let seconds = summary.secondsToIdleLock { try put(",\n  \"secondsToIdleLock\":\(seconds)") }
    try put(",\n  \"listensToLogind\":\(summary.listensToLogind)")
  }
}
