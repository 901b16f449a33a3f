package import ThumbturnKeychain
package import ThumbturnVault

/// A backend that can also say how its vault is.
package protocol CommandBackend: KeychainBackend {
  /// What can be said of the vault without a secret.
  func status() throws(KeychainError) -> VaultStatus
  /// Every access group that an item of the vault has.
  func accessGroups() throws(KeychainError) -> [String]
  /// Looks at every record, and does what `request` allows with what it finds.
  func check(
    _ request: CheckRequest, progress: (_ done: Int, _ total: Int) -> Void
  ) throws(KeychainError) -> CheckReport
  /// Finds what still opens, and replaces the database when `confirmed` is what it finds.
  func salvage(replacing confirmed: SalvageReport?) throws(KeychainError) -> SalvageReport
}

extension LocalBackend: CommandBackend {}

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
  /// What serves the vault there.
  package var makeBackend: @Sendable (VaultLocation) -> any CommandBackend = { LocalBackend(location: $0) }
  /// The folder of this program.
  package var findProgramFolder: @Sendable () -> String? = { System.programFolder() }
  /// The program that calls, for the keychain.
  package var caller = Caller()

  /// The standard descriptors and the user's vault.
  public init() {}
}

extension CommandContext {
  /// Writes text that is no secret to standard output.
  func print(_ text: String) throws(CommandFailure) { try writeAll(Array(text.utf8).span, to: output) }

  /// Runs `body` on the vault and turns its errors into what is printed.
  func withVault<Value>(
    _ body: (any CommandBackend) throws(KeychainError) -> Value
  ) throws(CommandFailure) -> Value {
    let location: VaultLocation
    do {
      location = try findLocation()
    } catch {
      throw CommandFailure(KeychainError(error), in: nil)
    }
    do {
      return try body(makeBackend(location))
    } catch {
      throw CommandFailure(error, in: location)
    }
  }
}
