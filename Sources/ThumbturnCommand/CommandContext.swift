package import ThumbturnAuthentication
package import ThumbturnKeychain
package import ThumbturnVault

/// A backend that can also say how its vault is.
package protocol CommandBackend: PasscodeBackend {
  /// What can be said of the vault without a secret.
  func status() throws(KeychainError) -> VaultStatus
  /// How many items have a protection class, of every access group; nil when that cannot be told.
  func countItems(of protection: ProtectionClass) throws(KeychainError) -> Int?
  /// Looks at every record, and does what `request` allows with what it finds.
  func check(
    _ request: CheckRequest, progress: (_ done: Int, _ total: Int) -> Void
  ) throws(KeychainError) -> CheckReport
  /// Finds what still opens, and replaces the database when `confirmed` is what it finds.
  func salvage(replacing confirmed: SalvageReport?) throws(KeychainError) -> SalvageReport
  /// Makes a vault whose fingers are simulated, where there is none.
  func makeSimulated() throws(KeychainError)
}

extension LocalBackend: CommandBackend {
  package func countItems(of protection: ProtectionClass) throws(KeychainError) -> Int? {
    try itemCount(of: protection)
  }
  package func makeSimulated() throws(KeychainError) { try createSimulated() }
}

/// What surrounds a command: descriptors, terminal, vault, and how long it waits.
///
/// Tests put their own in.
public struct CommandContext: Sendable {
  /// Standard input.
  package var input: Int32 = 0
  /// Standard output.
  package var output: Int32 = 1
  /// Standard error.
  package var errors: Int32 = 2
  /// The terminal that prompts are shown on.
  package var terminalPath = "/dev/tty"
  /// How long the input of a secret may give nothing: 10 minutes.
  package var inputWaitMilliseconds: Int32 = 600_000
  /// How long a prompt waits for a person: 5 minutes.
  package var promptWaitMilliseconds: Int64 = 300_000
  /// Where the vault is.
  package var findLocation: @Sendable () throws(VaultError) -> VaultLocation = { () throws(VaultError) in
    try VaultLocation.standard()
  }
  /// What serves the vault there, in this process.
  package var makeBackend: @Sendable (VaultLocation) -> any CommandBackend = { LocalBackend(location: $0) }
  /// How an agent of that vault is reached.
  package var findAgents: @Sendable (VaultLocation) -> any AgentAccess = { LocatedAgents(location: $0) }
  /// How long an agent that was started may take until it answers: 5 seconds.
  package var agentWaitMilliseconds: Int64 = 5_000
  /// The folder with the credentials that systemd gives to a service.
  package var findCredentialFolder: @Sendable () -> String? = { ServiceCredential.folder() }
  /// The folder of this program.
  package var findProgramFolder: @Sendable () -> String? = { System.programFolder() }
  /// The fingerprint readers of this machine; nil in a program that has no way to them.
  package var fingerReaders: (any FingerReaders)?
  /// What shows prompts, to ask it whether it could.
  package var prompter: (any Prompter)?
  /// Where a prompt could be shown.
  package var findPlace: @Sendable () -> PromptPlace = { PromptPlace.current() }
  /// How long the agent may take for a person: 130 seconds, when others are asked before.
  package var evaluationWaitMilliseconds: Int64 = 130_000
  /// How long an enrolment may take: 3 minutes.
  package var enrolmentLimit = Duration.seconds(180)
  /// How long one of the things that `doctor` looks at may take: 5 seconds.
  package var lookMilliseconds: Int64 = 5_000
  /// The program that calls, for the keychain.
  package var caller = Caller()

  /// The standard descriptors and the user's vault.
  public init() {}
}

extension CommandContext {
  /// Writes text that is no secret to standard output.
  func print(_ text: String) throws(CommandFailure) { try writeAll(Array(text.utf8).span, to: output) }

  /// Where the vault is.
  func location() throws(CommandFailure) -> VaultLocation {
    do { return try findLocation() } catch { throw CommandFailure(KeychainError(error), in: nil) }
  }

  /// The path of a program that is installed with this one, never one that PATH finds.
  func findProgram(_ name: String, hint: String) throws(CommandFailure) -> String {
    guard let folder = findProgramFolder() else {
      throw CommandFailure(.failed, "the folder of this program cannot be found", hint: "mount /proc")
    }
    let places = ["\(folder)/\(name)", "\(folder)/../libexec/thumbturn/\(name)"]
    guard let path = places.first(where: System.isExecutable) else {
      throw CommandFailure(
        .failed, "\(name) is not installed: it lies neither beside this program nor in ../libexec/thumbturn", hint: hint
      )
    }
    return path
  }

  /// Runs `body` on the vault, or on the agent that holds it, and turns its errors into what is printed.
  func withVault<Value>(
    _ body: (any CommandBackend) throws(KeychainError) -> Value
  ) throws(CommandFailure) -> Value {
    let location = try location()
    do {
      return try body(CommandRoute(local: makeBackend(location), agents: findAgents(location)))
    } catch {
      throw CommandFailure(error, in: location)
    }
  }
}
