internal import ThumbturnCrypto
internal import ThumbturnKeychain
internal import ThumbturnVault

extension Command {
  /// How often an item may vanish and come back under our hands.
  private static let triesMax = 8

  /// From here on a hint says where larger data belongs, in bytes.
  static let hintCountMin = 32_769

  /// `set`: stores a secret, or replaces the one that is there.
  static func set(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) {
    // What is wrong is told before a person types a secret.
    let selection = try invocation.selection()
    let caller = try invocation.caller(in: context)
    var change = ItemChange(try invocation.texts())
    change.protectionClass = invocation.protectionClass
    let new = NewItem(
      selection.itemClass, try newNames(invocation, selection).merging(change.attributes) { $1 },
      // Scheduled jobs run while the screen is locked.
      protectionClass: change.protectionClass ?? .afterFirstUnlock)
    try refuseWithoutPasscode(change.protectionClass, in: context)
    try refuseAmbiguous(selection, for: caller, in: context)
    let secret = SharedSecret(try readSecret(invocation, in: context))
    try context.withVault { vault throws(KeychainError) in
      let store = { () throws(KeychainError) in
        try Self.store(secret, selection.query(), change, new, in: vault, for: caller)
      }
      for _ in 1..<triesMax where try store() { return }
      guard try store() else { throw KeychainError(.duplicateItem) }
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

  private static func refuseWithoutPasscode(
    _ protection: ProtectionClass?, in context: CommandContext
  ) throws(CommandFailure) {
    guard protection == .whenPasscodeSetThisDeviceOnly else { return }
    let status = try context.withVault { vault throws(KeychainError) in try vault.status() }
    guard !status.hasPasscode else { return }
    throw CommandFailure(
      .personNeeded, "when-passcode-set-this-device-only needs a passcode, and none is set; nothing was stored",
      hint: "set one: thumbturn passcode set; when-unlocked-this-device-only needs none")
  }

  /// A URL may fit several items that a program told apart; a secret goes into one.
  private static func refuseAmbiguous(
    _ selection: ItemSelection, for caller: Caller, in context: CommandContext
  ) throws(CommandFailure) {
    guard !selection.isExact else { return }
    let count = try context.withVault { vault throws(KeychainError) in
      // What is in the way of the vault is told by what follows.
      (try? vault.find(selection.query(limit: .count(2)), for: caller).count) ?? 0
    }
    guard count < 2 else { throw .moreThanOne }
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
