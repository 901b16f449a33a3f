internal import ThumbturnKeychain
internal import ThumbturnVault

/// What `vault` does.
enum VaultAction: String, CaseIterable {
  case acceptOlder = "accept-older"
  case settings
  case create
}

extension Command {
  /// `vault`: what is about the vault as a whole.
  static func vault(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) {
    guard let action: VaultAction = invocation.action() else { throw .unknownAction(invocation) }
    guard action == .create || !invocation.options.contains(.simulatedFinger) else {
      throw CommandFailure(
        .usage, "--simulated-finger goes with vault create alone", hint: "usage: \(usageLine(.vault))")
    }
    switch action {
    case .acceptOlder: try acceptOlder(invocation, in: context)
    case .settings: try settings(invocation, in: context)
    case .create: try create(invocation, in: context)
    }
  }

  private static func acceptOlder(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) {
    guard invocation.options.isDisjoint(with: [.grace, .idle]) else {
      throw CommandFailure(.usage, "accept-older takes no settings", hint: "usage: \(usageLine(.vault))")
    }
    if !invocation.options.contains(.yes) {
      try Confirmation.ask(
        "take the vault as it is now for the newest? What was stored after this copy was made is lost.",
        hint: "thumbturn vault accept-older --yes takes the vault as it is now for the newest", in: context)
    }
    // Whether a passcode is set cannot be asked of a vault that is refused: it is needed when accepting without one fails.
    if invocation.values[.fileDescriptor] == nil {
      let isDone = try context.withVault { vault throws(KeychainError) -> Bool in
        do throws(KeychainError) { try vault.acceptOlder(nil) } catch {
          guard error.cause?.code == .passcodeIsSet else { throw error }
          return false
        }
        return true
      }
      if isDone { return }
    }
    let passcode = try PasscodeInput(invocation, in: context).present()
    try context.withVault { vault throws(KeychainError) in try vault.acceptOlder(passcode) }
  }

  private static func settings(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) {
    let grace = try seconds(.grace, of: invocation, max: LockSettings.graceSecondsMax)
    let idle = try seconds(.idle, of: invocation, max: LockSettings.idleSecondsMax)
    let status = try context.withVault { vault throws(KeychainError) in try vault.status() }
    guard grace != nil || idle != nil else {
      guard invocation.options.isDisjoint(with: [.fileDescriptor, .yes]) else {
        throw CommandFailure(
          .usage, "without --grace and --idle settings only shows", hint: "usage: \(usageLine(.vault))")
      }
      return try context.print("grace  \(status.settings.graceSeconds)\nidle   \(status.settings.idleSeconds)\n")
    }
    try context.requirePasscode(status)
    var settings = status.settings
    if let grace { settings.graceSeconds = grace }
    if let idle { settings.idleSeconds = idle }
    let changed = settings
    let passcode = try PasscodeInput(invocation, in: context).present()
    try context.withVault { vault throws(KeychainError) in try vault.setLockSettings(changed, passcode) }
  }

  /// Only a vault to try things out is made on purpose: every other one comes with its first item.
  private static func create(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) {
    guard invocation.options.isDisjoint(with: [.grace, .idle, .yes, .fileDescriptor]) else {
      throw CommandFailure(.usage, "create takes --simulated-finger alone", hint: "usage: \(usageLine(.vault))")
    }
    guard invocation.options.contains(.simulatedFinger) else {
      throw CommandFailure(
        .usage, "create makes a vault with a simulated finger, and needs --simulated-finger",
        hint: "an ordinary vault is made by the first thumbturn set")
    }
    let location = try context.location()
    let isThere = CommandFailure(
      .refused, "there is a vault at \(location.vaultFolder) already, nothing was changed",
      hint: "name another place: THUMBTURN_HOME=/a/new/folder thumbturn vault create --simulated-finger")
    guard try !context.seat().status.isPresent else { throw isThere }
    do throws(KeychainError) { try context.makeBackend(location).makeSimulated() } catch {
      // Made just now by another process.
      throw error.cause?.code == .inTheWay ? isThere : CommandFailure(error, in: location)
    }
    context.tell(
      "thumbturn: hint: next: thumbturn passcode set, thumbturn unlock, thumbturn finger simulate enrolled\n")
  }

  private static func seconds(
    _ option: Option, of invocation: Invocation, max: Int
  ) throws(CommandFailure) -> Int? {
    guard let value = invocation.values[option] else { return nil }
    guard let text = String(validating: value, as: UTF8.self), text.utf8.allSatisfy({ 48...57 ~= $0 }),
      let number = Int(text), number <= max
    else {
      throw CommandFailure(
        .usage, "\(option.rawValue) needs whole seconds, 0 to \(max)", hint: "usage: \(usageLine(.vault))")
    }
    return number
  }
}
