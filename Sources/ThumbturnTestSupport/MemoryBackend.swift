internal import Synchronization
public import ThumbturnKeychain

/// A keychain in memory, for tests: Apple's semantics, with locks, a passcode, and a person who answers prompts.
///
/// Nothing is on disk and nothing is asked of anybody. It begins empty and unlocked, with a passcode, an enrolled finger,
/// and a person who passes every prompt. Properties and methods here change that; they and the four calls may be used from
/// any thread. To put it behind the `SecItem…` functions of a process, tests say
///
/// ```swift
/// import ThumbturnTestSupport
/// @_spi(Testing) import ThumbturnSecurity
///
/// let keychain = MemoryBackend()
/// useKeychainBackend(keychain, for: Caller(accessGroups: ["G1"]))
/// ```
///
/// That is on purpose more than an import: a program that only imports `Security` can neither name this class nor reach
/// the function. The replacement holds for the whole process, so that tests that use it run one after the other, or each in
/// a process of its own.
///
/// It is no vault: secrets are in locked memory like everywhere, but nothing is encrypted, and the limit of 1 MiB on the
/// attributes of one item is not kept.
public final class MemoryBackend: KeychainBackend {
  let state = Mutex(MemoryState())

  /// An empty keychain.
  public init() {}

  /// As ``KeychainBackend/add(_:for:)``. Never prompts, but for an application password.
  public func add(_ item: NewItem, for caller: Caller) throws(KeychainError) -> FoundItem {
    try state.withLock { (state: inout MemoryState) throws(KeychainError) -> FoundItem in
      try state.begin(.add)
      return try state.add(item, for: caller)
    }
  }

  /// As ``KeychainBackend/find(_:for:)``. Prompts where a secret is wanted that has constraints: once
  /// for all items that what was shown then is enough for, and not at all when the query's context has it.
  public func find(_ query: ItemQuery, for caller: Caller) throws(KeychainError) -> [FoundItem] {
    try state.withLock { (state: inout MemoryState) throws(KeychainError) -> [FoundItem] in
      try state.begin(.find)
      return try state.find(query, for: caller)
    }
  }

  /// As ``KeychainBackend/update(_:with:for:)``. Prompts as find does, where a secret with constraints has to be
  /// read: whenever more than the secret is changed. For an application password, whenever the secret is replaced, or loses or
  /// gets one.
  public func update(_ query: ItemQuery, with change: ItemChange, for caller: Caller) throws(KeychainError) {
    try state.withLock { (state: inout MemoryState) throws(KeychainError) in
      try state.begin(.update)
      try state.update(query, with: change, for: caller)
    }
  }

  /// As ``KeychainBackend/delete(_:for:)``. Works while locked, and never prompts.
  public func delete(_ query: ItemQuery, for caller: Caller) throws(KeychainError) {
    try state.withLock { (state: inout MemoryState) throws(KeychainError) in
      try state.begin(.delete)
      try state.delete(query, for: caller)
    }
  }
}
