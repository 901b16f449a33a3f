internal import ThumbturnKeychain

/// Who this program is to the keychain: not of Apple's API.
///
/// Apple's systems take the access groups of a program from its signature, and nobody else can name them. Here a program
/// says them itself: that keeps the items of programs apart, it does not protect them from each other.
public enum ThumbturnProgram {
  /// The most access groups of a program.
  ///
  /// Every look at an item goes through them.
  public static let accessGroupCountMax = 64
  /// The most bytes of the name of an access group, in UTF-8.
  public static let accessGroupBytesMax = 1_024

  /// Sets the application identifier and the access groups of this process, for the calls that begin afterwards.
  ///
  /// Without it the program has the one group `default`. Call it at the start, before the first use of the keychain. May be
  /// called from any thread; reads no file.
  ///
  /// - Parameters:
  ///   - applicationIdentifier: Apple's order holds: it is a group of its own behind the others, and so the one for new
  ///     items when there is no other.
  ///   - accessGroups: The groups in order; new items go to the first. Nil means none but the identifier, or `default`
  ///     without that either. An empty list means no group at all: every call then answers errSecMissingEntitlement.
  /// - Returns: errSecSuccess; errSecParam, with nothing changed, for a name that is empty, `*` or longer than
  ///   ``accessGroupBytesMax``, and for more than ``accessGroupCountMax`` groups.
  @discardableResult
  public static func setIdentity(applicationIdentifier: String? = nil, accessGroups: [String]? = nil) -> OSStatus {
    var groups: [String] = []
    // Equal byte for byte: Swift takes different spellings of one character for the same.
    for group in (accessGroups ?? []) + [applicationIdentifier].compactMap({ $0 })
    where !groups.contains(where: { $0.utf8.elementsEqual(group.utf8) }) {
      guard isValid(group) else { return errSecParam }
      groups.append(group)
    }
    guard groups.count <= accessGroupCountMax else { return errSecParam }
    if let accessGroups, accessGroups.isEmpty {
      ProcessKeychain.caller = Caller(accessGroups: [])
    } else {
      ProcessKeychain.caller = groups.isEmpty ? Caller() : Caller(accessGroups: groups)
    }
    return errSecSuccess
  }

  /// The access groups of this process, in order.
  public static var accessGroups: [String] { ProcessKeychain.caller.accessGroups }

  /// `*` stands for every group on Apple's systems, and is never a name.
  private static func isValid(_ group: String) -> Bool {
    !group.isEmpty && group != "*" && group.utf8.count <= accessGroupBytesMax
  }
}
