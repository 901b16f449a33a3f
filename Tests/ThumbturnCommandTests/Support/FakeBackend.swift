import Synchronization
import ThumbturnCommand
import ThumbturnCrypto
import ThumbturnKeychain
import ThumbturnVault

/// Items in memory, found by service and account, with errors on demand.
final class FakeBackend: CommandBackend {
  struct State {
    var items: [FoundItem] = []
    /// Thrown by the next calls, in order; nil lets one pass.
    var errors: [KeychainError?] = []
    var status = VaultStatus(isPresent: false)
    /// Thrown in place of the status, always.
    var statusError: KeychainError?
    var calls: [String] = []
  }
  let state = Mutex(State())

  private func step(_ call: String) throws(KeychainError) {
    let error = state.withLock { state -> KeychainError? in
      state.calls.append(call)
      return state.errors.isEmpty ? nil : state.errors.removeFirst()
    }
    if let error { throw error }
  }

  private static func bytes(_ value: AttributeValue?) -> [UInt8]? {
    switch value {
    case .text(let text): Array(text.utf8)
    case .data(let bytes): bytes
    case .number(let number): Array(String(number).utf8)
    case .date, nil: nil
    }
  }

  private static func matches(_ item: FoundItem, _ names: [Attribute: AttributeValue]) -> Bool {
    names.allSatisfy { bytes(item.attributes[$0.key]) == bytes($0.value) }
  }

  private static func matches(_ item: FoundItem, _ query: ItemQuery) -> Bool {
    item.itemClass == query.itemClass && matches(item, query.attributes)
      && (query.reference == nil || query.reference == item.reference)
      && (query.protectionClass == nil || query.protectionClass == item.protectionClass)
  }

  func put(
    _ names: [Attribute: AttributeValue], secret: SharedSecret?, _ protection: ProtectionClass, date: Double,
    _ itemClass: ItemClass = .genericPassword, _ accessControl: AccessControl? = nil
  ) {
    var attributes = names
    attributes[.modificationDate] = .date(date)
    state.withLock {
      $0.items.append(
        FoundItem(
          itemClass: itemClass, attributes: attributes, protectionClass: protection, isSynchronizable: false,
          reference: [UInt8($0.items.count)], secret: secret, accessControl: accessControl))
    }
  }

  func add(_ item: NewItem, for caller: Caller) throws(KeychainError) -> FoundItem {
    try step("add")
    let isThere = state.withLock {
      $0.items.contains { $0.itemClass == item.itemClass && Self.matches($0, item.attributes) }
    }
    guard !isThere else { throw KeychainError(.duplicateItem) }
    let protection = item.accessControl?.protectionClass ?? item.protectionClass ?? .whenUnlocked
    put(item.attributes, secret: item.secret, protection, date: 0, item.itemClass, item.accessControl)
    guard let added = state.withLock({ $0.items.last }) else { throw KeychainError(.inputOutput) }
    return added
  }

  func find(_ query: ItemQuery, for caller: Caller) throws(KeychainError) -> [FoundItem] {
    try step("find")
    let found = state.withLock { $0.items.filter { Self.matches($0, query) } }
    if query.wantsSecret, query.consent == .refuse, found.contains(where: { $0.accessControl?.reading == .constrained })
    {
      throw KeychainError(.interactionNotAllowed)
    }
    guard !found.isEmpty else { throw KeychainError(.itemNotFound) }
    guard case .count(let count) = query.limit else { return found }
    return Array(found.prefix(count))
  }

  func update(_ query: ItemQuery, with change: ItemChange, for caller: Caller) throws(KeychainError) {
    try step("update")
    let count = state.withLock { state in
      var count = 0
      for (index, item) in state.items.enumerated() where Self.matches(item, query) {
        count += 1
        state.items[index] = FoundItem(
          itemClass: item.itemClass, attributes: item.attributes,
          protectionClass: change.accessControl?.protectionClass ?? change.protectionClass ?? item.protectionClass,
          isSynchronizable: item.isSynchronizable, reference: item.reference, secret: change.secret ?? item.secret,
          // A class alone takes the access control away.
          accessControl: change.accessControl ?? (change.protectionClass == nil ? item.accessControl : nil))
      }
      return count
    }
    guard count > 0 else { throw KeychainError(.itemNotFound) }
  }

  func delete(_ query: ItemQuery, for caller: Caller) throws(KeychainError) {
    try step("delete")
    let count = state.withLock { state in
      let before = state.items.count
      state.items.removeAll { Self.matches($0, query) }
      return before - state.items.count
    }
    guard count > 0 else { throw KeychainError(.itemNotFound) }
  }

  func accessGroups() throws(KeychainError) -> [String] {
    try step("groups")
    return ["default"]
  }

  func check(
    _ request: CheckRequest, progress: (_ done: Int, _ total: Int) -> Void
  ) throws(KeychainError) -> CheckReport {
    try step("check")
    return CheckReport()
  }

  func salvage(replacing confirmed: SalvageReport?) throws(KeychainError) -> SalvageReport {
    try step("salvage")
    return SalvageReport()
  }

  func makeSimulated() throws(KeychainError) {
    try step("simulated")
    guard !state.withLock({ $0.status.isPresent }) else {
      throw KeychainError(VaultError(.inTheWay, "there is a vault", part: .vaultFolder))
    }
  }

  func status() throws(KeychainError) -> VaultStatus {
    // Not a step of its own: it is asked before others, to know who has the vault.
    let (error, status) = state.withLock { ($0.statusError, $0.status) }
    if let error { throw error }
    return status
  }

  func countItems(of protection: ProtectionClass) throws(KeychainError) -> Int? {
    try step("count")
    return state.withLock { $0.items.count { $0.protectionClass == protection } }
  }

  func unlock(_ passcode: Passcode) throws(KeychainError) { try step("unlock") }
  func lock() throws(KeychainError) { try step("lock") }
  func changePasscode(
    from old: Passcode?, to new: Passcode?, rotates: Bool, progress: (_ done: Int, _ total: Int) -> Void
  ) throws(KeychainError) {
    try step("passcode \(old == nil ? "-" : "old") \(new == nil ? "-" : "new")\(rotates ? " rotates" : "")")
    progress(1, 1)
  }
  func setLockSettings(_ settings: LockSettings, _ passcode: Passcode?) throws(KeychainError) {
    try step("settings \(settings.graceSeconds) \(settings.idleSeconds)")
  }
  func acceptOlder(_ passcode: Passcode?) throws(KeychainError) {
    try step("accept \(passcode == nil ? "-" : "passcode")")
  }
}
