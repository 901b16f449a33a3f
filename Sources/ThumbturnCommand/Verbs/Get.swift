internal import ThumbturnCrypto
internal import ThumbturnKeychain

extension Command {
  /// `get`: prints a secret.
  static func get(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) {
    let names = try invocation.names()
    let found = try context.withVault { vault throws(KeychainError) in
      try vault.find(itemQuery(names, wantsSecret: true), for: context.caller)
    }
    guard let item = found.first else { throw CommandFailure(KeychainError(.itemNotFound), in: nil) }
    guard let secret = item.secret else {
      throw CommandFailure(.notFound, "the item holds no secret", hint: "thumbturn set gives it one")
    }
    try secret.withBytes { secret throws(CommandFailure) in
      if invocation.options.contains(.json) {
        try printJSON(secret, invocation, in: context)
      } else {
        try writeAll(secret, to: context.output)
        if System.isTerminal(context.output) { try context.print("\n") }
      }
    }
  }

  private static func printJSON(
    _ secret: Span<UInt8>, _ invocation: Invocation, in context: CommandContext
  ) throws(CommandFailure) {
    var out = try SecretOutput(context.output)
    try out.put("{")
    for (name, operand) in zip(["service", "account"], invocation.operands) {
      try out.putMember(name, operand.span)
      try out.put(",")
    }
    try out.putMember("secret", secret)
    try out.put("}\n")
    try out.flush()
  }
}
