internal import ThumbturnCrypto
internal import ThumbturnKeychain

extension Command {
  /// `get`: prints a secret.
  static func get(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) {
    let selection = try invocation.selection()
    let item = try findOne(selection, wantsSecret: true, for: try invocation.caller(in: context), in: context)
    guard let secret = item.secret else {
      throw CommandFailure(.notFound, "the item holds no secret", hint: "thumbturn set gives it one")
    }
    try secret.withBytes { secret throws(CommandFailure) in
      if invocation.options.contains(.json) {
        try printJSON(secret, of: item, selection, invocation, in: context)
      } else {
        try writeAll(secret, to: context.output)
        if System.isTerminal(context.output) { try context.print("\n") }
      }
    }
  }

  private static func printJSON(
    _ secret: Span<UInt8>, of item: FoundItem, _ selection: ItemSelection, _ invocation: Invocation,
    in context: CommandContext
  ) throws(CommandFailure) {
    var out = try SecretOutput(context.output)
    try out.put("{")
    if selection.isExact {
      // As they were given, whatever type they were stored as.
      for (name, operand) in zip(["service", "account"], invocation.operands) {
        try out.putMember(name, operand.span)
        try out.put(",")
      }
    } else {
      try out.putNames(of: item)
      try out.put(",")
    }
    try out.putMember("secret", secret)
    try out.put("}\n")
    try out.flush()
  }
}
