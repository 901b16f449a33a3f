internal import ThumbturnKeychain
package import ThumbturnVault

// The vault's code for each of these is that of a seat that another process holds while no agent answers.

extension VaultError {
  /// Nothing listens on the socket, or there is none.
  package static var noAgent: VaultError { VaultError(.seatTaken, "no agent listens", part: .seatLock) }
  /// Whether nothing listens, so that nothing was asked.
  package var isNoAgent: Bool { code == .seatTaken && reason == Self.noAgent.reason }
  /// Whether what listens serves another vault, so that nothing was asked.
  package var isOtherVault: Bool { code == .wrongKey && part == .seatLock }
  /// It took a call or a connection and did not answer in time.
  package static var agentSilent: VaultError { VaultError(.seatTaken, "the agent does not answer", part: .seatLock) }
  /// It hung up, perhaps because it was ended.
  package static var agentGone: VaultError { VaultError(.seatTaken, "the agent hung up", part: .seatLock) }
  /// What came is no answer of this version's agent.
  package static var agentNonsense: VaultError {
    VaultError(.seatTaken, "what answers is no agent of this version", part: .seatLock)
  }
  /// The agent of another vault listens there.
  package static var otherVault: VaultError { VaultError(.wrongKey, "the agent serves another vault", part: .seatLock) }
}

extension AgentFailure {
  package init(_ cause: VaultError) { self.init(KeychainError(cause)) }
}
