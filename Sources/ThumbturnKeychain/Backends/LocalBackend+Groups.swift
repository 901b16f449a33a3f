internal import ThumbturnVault

extension LocalBackend {
  /// Every access group that an item of the vault has, in the order in which they appear. Reads every record.
  ///
  /// It is for a person who looks after the vault: a program knows its own groups.
  ///
  /// - Throws: ``KeychainError/Code/interactionNotAllowed`` when an item is locked: its group is not known. The codes of the
  ///   vault's state; without a vault there are no groups.
  package func accessGroups() throws(KeychainError) -> [String] {
    do throws(KeychainError) {
      return try inVault { (vault) throws(VaultError) in
        try vault.read { (reader) throws(VaultError) -> [String] in
          var groups: [String] = []
          var known: Set<[UInt8]> = []
          for itemClass in ItemClass.allCases {
            var everything = RecordQuery(table: itemClass.rawValue, groups: [])
            everything.isOfAnyGroup = true
            try reader.forEach(everything, wantsSecret: false) { (record) throws(VaultError) in
              guard !record.isLocked else { throw VaultError(.classKeyLocked, "the class key is locked") }
              let group = try record.accessGroup()
              if known.insert(Array(group.utf8)).inserted { groups.append(group) }
              return .goOn
            }
          }
          return groups
        }
      }
    } catch {
      guard error.cause?.code == .noVault else { throw error }
      return []
    }
  }
}

extension OpenRecord {
  /// The access group of an item; every stored item has one.
  fileprivate func accessGroup() throws(VaultError) -> String {
    let fields = fields
    guard let place = try RecordFieldWalk.find(Attribute.accessGroup.rawValue, in: fields) else { return "" }
    guard case .text(let group) = try AttributeValue(place, in: fields) else { return "" }
    return group
  }
}
