/// The program that calls: its access groups, in order (SECITEM.md §6, VAULT.md §8).
public struct Caller: Hashable, Sendable {
  /// A group whose items programs only read: token drivers write them.
  private static let tokenGroup = "com.apple.token"

  /// The groups whose items the program may see; the first is where its new items go.
  public let accessGroups: [String]
  /// The one group of an app clip, which may have no other and no synchronizable item; nil for every other program.
  public let appClipGroup: String?

  /// A caller with these groups; without configuration every program has `["default"]`.
  public init(accessGroups: [String] = ["default"], appClipGroup: String? = nil) {
    self.accessGroups = accessGroups
    self.appClipGroup = appClipGroup
  }
}

extension Caller {
  /// The groups in which the caller may look; of those `named` is the only one that is wanted, when it is not nil.
  ///
  /// - Parameter writes: Whether it is to add, change or delete.
  /// - Throws: ``KeychainError/Code/missingEntitlement`` for a caller without groups and for a foreign group,
  ///   ``KeychainError/Code/restricted`` for an app clip with other groups than its own.
  package func groups(named: AttributeValue? = nil, writes: Bool) throws(KeychainError) -> [String] {
    let all = writes ? accessGroups.filter { $0 != Self.tokenGroup } : accessGroups
    guard !all.isEmpty else { throw KeychainError(.missingEntitlement) }
    if let appClipGroup, all.contains(where: { $0 != appClipGroup }) { throw KeychainError(.restricted) }
    guard let named else { return all }
    // Byte for byte: Swift's own comparison of texts takes different spellings of one character for the same.
    guard case .text(let group) = named, all.contains(where: { $0.utf8.elementsEqual(group.utf8) }) else {
      throw KeychainError(.missingEntitlement)
    }
    return [group]
  }

  /// Refuses the synchronizable flag to an app clip.
  package func checkSynchronizable(_ isSynchronizable: Bool) throws(KeychainError) {
    guard !isSynchronizable || appClipGroup == nil else { throw KeychainError(.restricted) }
  }
}
