internal import ThumbturnCrypto
internal import ThumbturnKeychain
internal import ThumbturnVault

extension Command {
  /// How often an item may vanish and come back under our hands.
  private static let triesMax = 8

  /// `set`: stores a secret, or replaces the one that is there.
  static func set(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) {
    // Wrong names are told before a person types a secret.
    let names = try invocation.names()
    let secret = SharedSecret(try readSecret(invocation, in: context))
    try context.withVault { vault throws(KeychainError) in
      for _ in 1..<triesMax where try store(secret, names, in: vault, for: context.caller) { return }
      guard try store(secret, names, in: vault, for: context.caller) else { throw KeychainError(.duplicateItem) }
    }
  }

  /// The change comes first: it also finds a synchronizable item of these names, which an add would put a second one
  /// beside.
  ///
  /// - Returns: False when another process added the item in between.
  private static func store(
    _ secret: SharedSecret, _ names: [Attribute: AttributeValue], in vault: any CommandBackend, for caller: Caller
  ) throws(KeychainError) -> Bool {
    do {
      try vault.update(itemQuery(names), with: ItemChange(secret: secret), for: caller)
      return true
    } catch  where error.code == .itemNotFound || error.cause.map({ $0.code == .missing && $0.part == .keybag }) == true
    {
      // A keybag that is missing may be one that a killed creator never got to name: only an add finishes its work, and
      // it refuses where records could be lost.
      do {
        // Scheduled jobs run while the screen is locked.
        let item = NewItem(.genericPassword, names, secret: secret, protectionClass: .afterFirstUnlock)
        _ = try vault.add(item, for: caller)
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
      return try SecretInput.read(try descriptor(number), waitMilliseconds: wait)
    }
    if let file { return try SecretInput.readFile(file, waitMilliseconds: wait) }
    if System.isTerminal(context.input) {
      return try SecretPrompt.ask(context.terminalPath, waitMilliseconds: context.promptWaitMilliseconds)
    }
    return try SecretInput.read(context.input, waitMilliseconds: wait)
  }

  private static var setUsage: String { "usage: \(usageLine(.set))" }

  private static func descriptor(_ value: [UInt8]) throws(CommandFailure) -> Int32 {
    guard let text = String(validating: value, as: UTF8.self), text.utf8.allSatisfy({ 48...57 ~= $0 }),
      let number = Int32(text)
    else {
      throw CommandFailure(.usage, "--fd needs a number", hint: setUsage)
    }
    guard System.isOpen(number) else {
      throw CommandFailure(
        .usage, "the descriptor of --fd is not open",
        hint: "open it, as in: thumbturn set service account --fd 3 3<file")
    }
    guard System.isReadable(number) else {
      throw CommandFailure(
        .usage, "the descriptor of --fd is open for writing only",
        hint: "open it for reading, as in: thumbturn set service account --fd 3 3<file")
    }
    guard !System.isTerminal(number) else {
      throw CommandFailure(
        .usage, "the descriptor of --fd is a terminal", hint: "leave --fd out to be asked for the secret without echo")
    }
    return number
  }
}
