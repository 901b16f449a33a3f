extension AuthenticationFailure {
  /// What stands in the way. Numbers are for ever: they go through the agent's protocol.
  public enum Reason: UInt8, CaseIterable, Hashable, Sendable {
    /// No agent of this vault runs, and only the agent verifies.
    case noAgent = 1
    /// There is no vault.
    case noVault = 2
    /// The vault is locked: its passcode is needed first.
    case vaultLocked = 3
    /// Five wrong passcodes or more: the next has to wait.
    case passcodesRefused = 4
    /// No system bus, or it does not answer.
    case noBus = 5
    /// No fingerprint service (fprintd) on the bus, or not as root.
    case noService = 6
    /// The service knows no reader.
    case noReader = 7
    /// The service or polkit refuses this user.
    case permissionDenied = 8
    /// Another program uses the reader.
    case readerBusy = 9
    /// The reader or its driver failed.
    case readerFailed = 10
    /// The reader went away.
    case readerUnplugged = 11
    /// The service did not answer in time.
    case serviceSilent = 12
    /// Neither a display nor a terminal where a prompt could be shown.
    case noPlace = 13
    /// No pinentry is installed for the display, and there is no terminal.
    case noPrompter = 14
    /// The program that shows the prompt failed, or answered nonsense.
    case prompterFailed = 15
    /// Nobody answered within the limit.
    case timedOut = 16
    /// Too many prompts wait.
    case tooManyPrompts = 17
    /// The vault was locked meanwhile.
    case lockedMeanwhile = 18
    /// The agent's answer made no sense, or it did not answer.
    case agentFailed = 19
    /// The program or the query forbids prompts.
    case promptsForbidden = 20
    /// Another user's, or unsafe: the terminal that the client named is not its own.
    case foreignTerminal = 21
    /// The count of wrong fingers cannot be written, so no finger is looked at.
    case countNotWritten = 22
    /// It is a simulated reader, which has no finger enrolled (`thumbturn finger simulate enrolled`).
    case nothingSimulated = 23
    /// An access control does not allow what was to be done.
    case notPermitted = 24
  }
}
