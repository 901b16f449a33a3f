internal import ThumbturnAgentClient
package import ThumbturnAuthentication
internal import ThumbturnCrypto
internal import ThumbturnKeychain
internal import ThumbturnVault

/// The program thumbturnd: the user's vault, its socket, the session's events.
package enum AgentMain {
  /// The version of the program.
  package static let version = "0.1.0"

  private static let help = """
    usage: thumbturnd [--help | --version]

    Holds the keys of your vault while it is unlocked, and answers programs on a socket. It takes no other option:
    thumbturn unlock starts it, or the socket unit of systemd, and thumbturn lock --stop ends it.

    The vault is the one that thumbturn uses. With a credential of systemd named thumbturn.passcode it unlocks at its start.
    Exit codes: 0 ended, 2 usage, 4 refused (no vault, or another program holds it), 5 failed.

    """

  /// Runs until it is told to end.
  ///
  /// - Parameters:
  ///   - sensor: The fingerprint reader; a vault for a simulated one does not see it.
  ///   - prompter: What shows prompts.
  ///   - makeEvents: Starts to listen to the session.
  /// - Returns: The exit code.
  package static func run(
    _ arguments: [[UInt8]], sensor: any FingerSensor = NoSensor(), prompter: any Prompter = NoPrompter(),
    makeEvents: (@escaping @Sendable (SessionEvent) -> Void) -> (any SessionEvents)? = { _ in nil }
  ) -> Int32 {
    switch arguments.map({ String(decoding: $0, as: UTF8.self) }) {
    case []: break
    case ["--help"]: return say(help, to: 1, exitCode: 0)
    case ["--version"]: return say("thumbturnd \(version)\n", to: 1, exitCode: 0)
    default:
      return say("thumbturnd: error: it takes no such argument\nthumbturnd: hint: thumbturnd --help\n", exitCode: 2)
    }
    system_leaveFolder()
    system_setPrivateUmask()
    system_forbidCoreFiles()
    do throws(KeychainError) {
      try serve(sensor, prompter, makeEvents)
      return 0
    } catch {
      return say("thumbturnd: error: \(text(error))\n", exitCode: error.cause.map { exitCode($0.code) } ?? 5)
    }
  }

  private static func serve(
    _ sensor: any FingerSensor, _ prompter: any Prompter,
    _ makeEvents: (@escaping @Sendable (SessionEvent) -> Void) -> (any SessionEvents)?
  ) throws(KeychainError) {
    let location: VaultLocation
    let place: SocketPlace
    do throws(VaultError) {
      location = try VaultLocation.standard()
      place = try SocketPlace.standard()
    } catch { throw KeychainError(error) }
    let box = EventsBox()
    var surroundings = AgentSurroundings()
    surroundings.sensor = sensor
    surroundings.prompter = prompter
    surroundings.listensToLogind = { box.events?.isListening ?? false }
    let program = try AgentProgram(location: location, at: place, surroundings)
    AgentProgram.onEndingSignals { program.stop() }
    box.events = makeEvents { program.service.handle($0, from: box.events) }
    useCredential(program.service)
    try program.run()
  }

  /// Unlocks with the credential, where there is one. A vault that stays locked is served all the same.
  private static func useCredential(_ service: VaultService) {
    let passcode: Passcode?
    do throws(ServiceCredential.Failure) {
      passcode = try ServiceCredential.passcode(in: ServiceCredential.folder())
    } catch {
      _ = say("thumbturnd: error: the credential thumbturn.passcode was not used: \(error.reason)\n", exitCode: 0)
      return
    }
    guard let passcode else { return }
    do throws(KeychainError) { try service.unlock(passcode) } catch {
      _ = say("thumbturnd: error: the credential thumbturn.passcode was not used: \(text(error))\n", exitCode: 0)
    }
  }

  private static func exitCode(_ code: VaultError.Code) -> Int32 {
    [.noVault, .seatTaken, .unsafePlace, .newerFormat].contains(code) ? 4 : 5
  }

  /// No name, path or account of the user's.
  private static func text(_ error: KeychainError) -> String { error.cause?.reason ?? "\(error.code)" }

  private static func say(_ text: String, to descriptor: Int32 = 2, exitCode: Int32) -> Int32 {
    try? system_write(descriptor, Array(text.utf8).span)
    return exitCode
  }
}
