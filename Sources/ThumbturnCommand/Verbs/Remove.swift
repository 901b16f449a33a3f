internal import ThumbturnKeychain

extension Command {
  /// `rm`: deletes an item.
  static func remove(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) {
    let selection = try invocation.selection()
    let caller = try invocation.caller(in: context)
    let found = try context.withVault { vault throws(KeychainError) -> Int in
      do throws(KeychainError) {
        var query = selection.query(limit: .count(2))
        if !selection.isExact {
          let found = try fitting(query, in: vault, for: caller)
          guard found.count < 2 else { return found.count }
          // Nothing that comes to fit in between is deleted with it.
          query.reference = found.first?.reference
        }
        try vault.delete(query, for: caller)
      } catch {
        guard error.code == .itemNotFound, invocation.options.contains(.ifPresent) else { throw error }
      }
      return 1
    }
    guard found < 2 else { throw .moreThanOne }
  }

  /// What fits, or nothing: a damaged record cannot be found, and can be deleted.
  private static func fitting(
    _ query: ItemQuery, in vault: any CommandBackend, for caller: Caller
  ) throws(KeychainError) -> [FoundItem] {
    do throws(KeychainError) { return try vault.find(query, for: caller) } catch {
      guard error.code == .itemNotFound else { throw error }
      return []
    }
  }
}
