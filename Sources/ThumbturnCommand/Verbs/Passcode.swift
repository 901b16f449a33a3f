internal import ThumbturnKeychain
internal import ThumbturnVault

/// What `passcode` does.
enum PasscodeAction: String, CaseIterable {
  case set, change, remove
}

extension Command {
  /// `passcode`: sets, changes or removes it.
  static func passcode(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) {
    guard let action: PasscodeAction = invocation.action() else { throw .unknownAction(invocation) }
    let rotates = invocation.options.contains(.rotate)
    let status = try context.withVault { vault throws(KeychainError) in try vault.status() }
    switch action {
    case .set: try setPasscode(invocation, status, in: context)
    case .change:
      try context.requirePasscode(status)
      let input = try PasscodeInput(invocation, in: context)
      let old = try input.present()
      try exchange(from: old, to: try input.new(), rotates: rotates, in: context)
      guard !rotates else { return }
      context.tell(
        "thumbturn: warning: whoever has an older copy of the vault's files and knows the former passcode is not stopped: "
          + "the keys are the same\nthumbturn: hint: thumbturn passcode change --rotate makes new keys\n")
    case .remove:
      try context.requirePasscode(status)
      if !invocation.options.contains(.yes) { try confirmRemoval(in: context) }
      let input = try PasscodeInput(invocation, in: context)
      try exchange(from: try input.present(), to: nil, rotates: rotates, in: context)
    }
  }

  private static func setPasscode(
    _ invocation: Invocation, _ status: VaultStatus, in context: CommandContext
  ) throws(CommandFailure) {
    guard !status.hasPasscode else {
      throw try context.failure(VaultError(.passcodeIsSet, "a passcode is set", part: .keybag))
    }
    let input = try PasscodeInput(invocation, in: context)
    // The first passcode always makes new keys.
    try exchange(from: nil, to: try input.new(), rotates: true, in: context)
    let isOpen = try? context.seat().isOpen
    context.tell(
      isOpen == true
        ? "thumbturn: hint: the agent keeps the items open until it locks, and thumbturn lock does that now; without the "
          + "passcode nothing opens them again\n"
        : "thumbturn: hint: the items are locked now; thumbturn unlock opens them, and without the passcode nothing does\n"
    )
  }

  private static func exchange(
    from old: Passcode?, to new: Passcode?, rotates: Bool, in context: CommandContext
  ) throws(CommandFailure) {
    let progress = CheckProgress(context.errors, "sealed")
    defer { progress.end() }
    try context.withVault { vault throws(KeychainError) in
      try vault.changePasscode(from: old, to: new, rotates: rotates) { progress.show($0, of: $1) }
    }
  }

  private static func confirmRemoval(in context: CommandContext) throws(CommandFailure) {
    let count = try context.withVault { vault throws(KeychainError) in
      try vault.countItems(of: .whenPasscodeSetThisDeviceOnly)
    }
    let lost =
      switch count {
      case nil: "every item of the class when-passcode-set-this-device-only is"
      case 0: "no item is"
      case 1: "1 item of the class when-passcode-set-this-device-only is"
      case let count?: "\(count) items of the class when-passcode-set-this-device-only are"
      }
    try Confirmation.ask(
      "remove the passcode? \(lost) lost with it.",
      hint: "thumbturn passcode remove --yes confirms: \(lost) lost with it", in: context)
  }
}

extension Invocation {
  /// The first argument, where it is one of the command's actions.
  func action<Action: RawRepresentable<String>>() -> Action? {
    operands.first.flatMap { String(validating: $0, as: UTF8.self) }.flatMap(Action.init(rawValue:))
  }
}

extension CommandFailure {
  static func unknownAction(_ invocation: Invocation) -> Self {
    let command = invocation.command
    return Self(
      .usage, "\(command.rawValue) does not know that ACTION",
      hint: "it is one of \(command.operandChoices.joined(separator: ", "))")
  }
}

extension CommandContext {
  /// Refuses what needs a passcode that is set and may be tried now, before a person types one.
  func requirePasscode(_ status: VaultStatus) throws(CommandFailure) {
    guard status.hasPasscode else {
      throw try failure(VaultError(.noPasscode, "no passcode is set", part: .keybag))
    }
    guard status.secondsToWait == 0 else {
      throw try failure(
        VaultError(.lockedOut, "too many wrong passcodes", part: .attempts, secondsToWait: status.secondsToWait))
    }
  }

  /// What is printed for an error of the vault.
  func failure(_ error: VaultError) throws(CommandFailure) -> CommandFailure {
    CommandFailure(KeychainError(error), in: try location())
  }

  /// Writes to standard error what was done, or what to know of it. That nobody reads it is no error.
  func tell(_ text: String) { _ = try? writeAll(Array(text.utf8).span, to: errors) }
}
