internal import ThumbturnAuthentication
internal import ThumbturnCrypto
internal import ThumbturnKeychain
internal import ThumbturnVault

extension Command {
  /// How often an item may vanish and come back under our hands.
  private static let triesMax = 8

  /// From here on a hint says where larger data belongs, in bytes.
  static let hintCountMin = 32_769

  /// `set`: stores a secret, or replaces the one that is there.
  ///
  /// Its parts are never inlined: the optimiser of Swift 6.3.1 fails on so many catches in one function.
  static func set(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) {
    // What is wrong is told before a person types a secret.
    let selection = try invocation.selection()
    let caller = try invocation.caller(in: context)
    var change = ItemChange(try invocation.texts())
    var new = NewItem(
      selection.itemClass, try newNames(invocation, selection).merging(change.attributes) { $1 })
    try refuseWithoutPasscode(invocation, in: context)
    let old = try present(selection, invocation, for: caller, in: context)
    let requirement = Requiring(invocation, old: old)
    try refuseUnfulfillable(requirement.changedControl, in: context)
    change.protectionClass = requirement.changedClass
    change.accessControl = requirement.changedControl
    new.protectionClass = requirement.newClass
    new.accessControl = requirement.newControl
    let (changed, added) = (change, new)
    let secret = SharedSecret(try readSecret(invocation, in: context))
    let authentication = AuthenticationContext()
    defer { authentication.invalidate() }
    let agent = try askForChange(of: old, to: changed, selection, authentication, in: context)
    defer { withExtendedLifetime(agent) {} }
    var query = selection.query()
    query.context = authentication
    let wanted = query
    try context.withVault { vault throws(KeychainError) in
      try storeAtLast(secret, wanted, changed, added, in: vault, for: caller)
    }
    if secret.count >= hintCountMin {
      // It is stored: that nobody reads the hint is no error.
      let hint =
        "thumbturn: hint: stored; but what has more than 32768 bytes belongs in a protected file, and its key here\n"
      _ = try? writeAll(Array(hint.utf8).span, to: context.errors)
    }
  }

  /// The names of a new item; what a URL leaves open is absent.
  private static func newNames(
    _ invocation: Invocation, _ selection: ItemSelection
  ) throws(CommandFailure) -> [Attribute: AttributeValue] {
    guard let address = try invocation.address() else { return selection.names }
    return try address.attributes()
  }

  /// What hangs on a passcode that is not there would never be read.
  @inline(never)
  private static func refuseWithoutPasscode(
    _ invocation: Invocation, in context: CommandContext
  ) throws(CommandFailure) {
    let requirement = invocation.requirement
    guard requirement != nil || invocation.protectionClass == .whenPasscodeSetThisDeviceOnly else { return }
    guard try context.seat().status.hasPasscode else {
      throw requirement == nil
        ? CommandFailure(
          .personNeeded, "when-passcode-set-this-device-only needs a passcode, and none is set; nothing was stored",
          hint: "set one: thumbturn passcode set; when-unlocked-this-device-only needs none")
        : CommandFailure(
          .personNeeded, "--require needs a passcode, and none is set; nothing was stored",
          hint: "set one: thumbturn passcode set")
    }
  }

  /// What an item is to hang on has to be there.
  @inline(never)
  private static func refuseUnfulfillable(
    _ control: AccessControl?, in context: CommandContext
  ) throws(CommandFailure) {
    guard let control, control.isConstrained else { return }
    guard case .agent(let agent, _) = try context.seat() else {
      guard control.conditions.contains(.biometryCurrentSet) else { return }
      throw CommandFailure(
        .personNeeded, "current-finger needs the agent, which knows the enrolled fingers; nothing was stored",
        hint: "start it: thumbturn unlock")
    }
    do throws(AuthenticationFailure) {
      if let obstacle = try agent.people.authenticationStatus().obstacle(to: control.requirement) { throw obstacle }
    } catch { throw CommandFailure(error) }
  }

  /// What an item requires is only changed by who can show it. Its secret alone may be replaced without.
  ///
  /// - Returns: The agent that has asked; what it has verified lasts as long as its connection.
  @inline(never)
  private static func askForChange(
    of old: FoundItem?, to change: ItemChange, _ selection: ItemSelection, _ authentication: AuthenticationContext,
    in context: CommandContext
  ) throws(CommandFailure) -> (any AgentConnection)? {
    guard let control = old?.accessControl, control.reading == .constrained, change.accessControl != nil else {
      return nil
    }
    let agent = try context.agentForPeople()
    authentication.texts = AuthenticationTexts(reason: selection.purpose("change what can read"))
    try ask(for: control.requirement, in: authentication, agent, context)
    return agent
  }

  /// The item that is there, if one is; its secret is not opened.
  ///
  /// A URL may fit several items that a program told apart; a secret goes into one.
  @inline(never)
  private static func present(
    _ selection: ItemSelection, _ invocation: Invocation, for caller: Caller, in context: CommandContext
  ) throws(CommandFailure) -> FoundItem? {
    let matters = invocation.requirement != nil || invocation.protectionClass != nil
    guard matters || !selection.isExact else { return nil }
    let found = try context.withVault { vault throws(KeychainError) in
      // What is in the way of the vault is told by what follows.
      (try? vault.find(selection.query(limit: .count(2)), for: caller)) ?? []
    }
    guard found.count < 2 else { throw .moreThanOne }
    return found.first
  }

  /// Stores, however often the item comes and goes meanwhile.
  @inline(never)
  private static func storeAtLast(
    _ secret: SharedSecret, _ query: ItemQuery, _ change: ItemChange, _ new: NewItem, in vault: any CommandBackend,
    for caller: Caller
  ) throws(KeychainError) {
    for _ in 0..<triesMax {
      if try store(secret, query, change, new, in: vault, for: caller) { return }
    }
    throw KeychainError(.duplicateItem)
  }

  /// The change comes first: it also finds a synchronizable item of these names, which an add would put a second one
  /// beside.
  ///
  /// - Returns: False when another process added the item in between.
  private static func store(
    _ secret: SharedSecret, _ query: ItemQuery, _ change: ItemChange, _ new: NewItem, in vault: any CommandBackend,
    for caller: Caller
  ) throws(KeychainError) -> Bool {
    do {
      var change = change
      change.secret = secret
      try vault.update(query, with: change, for: caller)
      return true
    } catch  where error.code == .itemNotFound || error.cause.map({ $0.code == .missing && $0.part == .keybag }) == true
    {
      // A keybag that is missing may be one that a killed creator never got to name: only an add finishes its work, and
      // it refuses where records could be lost.
      do {
        var new = new
        new.secret = secret
        _ = try vault.add(new, for: caller)
        return true
      } catch  where error.code == .duplicateItem {
        return false
      }
    }
  }

  private static func readSecret(
    _ invocation: Invocation, in context: CommandContext
  ) throws(CommandFailure) -> SecretBytes {
    let wait = context.inputWaitMilliseconds
    let file = invocation.values[.file]
    if let number = invocation.values[.fileDescriptor] {
      guard file == nil else { throw CommandFailure(.usage, "--fd and --file exclude each other", hint: setUsage) }
      return try SecretInput.read(try descriptor(number, of: invocation), waitMilliseconds: wait)
    }
    if let file { return try SecretInput.readFile(file, waitMilliseconds: wait) }
    if System.isTerminal(context.input) {
      return try SecretPrompt.ask(context.terminalPath, waitMilliseconds: context.promptWaitMilliseconds)
    }
    return try SecretInput.read(context.input, waitMilliseconds: wait)
  }

  private static var setUsage: String { "usage: \(usageLine(.set))" }

  /// The descriptor that `--fd` names, open for reading and no terminal.
  static func descriptor(_ value: [UInt8], of invocation: Invocation) throws(CommandFailure) -> Int32 {
    guard let text = String(validating: value, as: UTF8.self), text.utf8.allSatisfy({ 48...57 ~= $0 }),
      let number = Int32(text)
    else {
      throw CommandFailure(.usage, "--fd needs a number", hint: "usage: \(usageLine(invocation.command))")
    }
    let example = "thumbturn \(invocation.example) --fd 3 3<file"
    guard System.isOpen(number) else {
      throw CommandFailure(.usage, "the descriptor of --fd is not open", hint: "open it, as in: \(example)")
    }
    guard System.isReadable(number) else {
      throw CommandFailure(
        .usage, "the descriptor of --fd is open for writing only", hint: "open it for reading, as in: \(example)")
    }
    guard !System.isTerminal(number) else {
      let subject = invocation.command == .set ? "secret" : "passcode"
      throw CommandFailure(
        .usage, "the descriptor of --fd is a terminal",
        hint: "leave --fd out to be asked for the \(subject) without echo")
    }
    return number
  }
}

extension Invocation {
  /// The command with arguments that are none of the user's.
  fileprivate var example: String {
    switch command {
    case .set: "set service account"
    case .passcode: "passcode set"
    case .vault: "vault settings --idle 900"
    default: command.rawValue
    }
  }
}
