internal import ThumbturnKeychain

extension Command {
  /// `rm`: deletes an item.
  static func remove(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) {
    let names = try invocation.names()
    try context.withVault { vault throws(KeychainError) in
      do throws(KeychainError) {
        try vault.delete(itemQuery(names), for: context.caller)
      } catch {
        guard error.code == .itemNotFound, invocation.options.contains(.ifPresent) else { throw error }
      }
    }
  }
}
