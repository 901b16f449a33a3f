internal import ThumbturnKeychain
internal import ThumbturnVault

/// What `vault` does.
enum VaultAction: String, CaseIterable {
  case acceptOlder = "accept-older"
  case settings
}

extension Command {
  /// `vault`: what is about the vault as a whole.
  static func vault(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) {
    guard let action: VaultAction = invocation.action() else { throw .unknownAction(invocation) }
    switch action {
    case .acceptOlder: try acceptOlder(invocation, in: context)
    case .settings: try settings(invocation, in: context)
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
