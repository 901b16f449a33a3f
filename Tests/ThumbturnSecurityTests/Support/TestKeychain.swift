internal import Foundation
internal import ThumbturnKeychain
@testable internal import ThumbturnSecurity
internal import ThumbturnTestSupport
internal import ThumbturnVault

/// What lies behind the calls of a test. Tables of dictionaries need no disk; what is stored is tested over both.
enum Store: CaseIterable {
  case memory, vault

  /// An empty keychain of its own. Vaults lie in the tests' home, which is removed when the tests end.
  func makeBackend() -> any KeychainBackend {
    switch self {
    case .memory:
      // Without a passcode, as the vault is.
      let keychain = MemoryBackend()
      keychain.hasPasscode = false
      return keychain
    case .vault:
      return LocalBackend(
        location: VaultLocation(
          home: "\(ProcessInfo.processInfo.environment["THUMBTURN_HOME"] ?? "")/\(UUID().uuidString)"))
    }
  }
}

/// The four calls over a backend of the test's own, as the global functions make them.
struct TestKeychain {
  let calls: ItemCalls

  init(_ store: Store = .memory, groups: [String] = ["G1", "G2"]) {
    self.init(store.makeBackend(), groups: groups)
  }

  init(_ backend: any KeychainBackend, groups: [String] = ["G1", "G2"], appClip: String? = nil) {
    calls = ItemCalls(backend: backend, caller: Caller(accessGroups: groups, appClipGroup: appClip))
  }

  func add(_ attributes: [String: Any]) -> (status: OSStatus, value: Any?) {
    answer { () throws(KeychainError) in try calls.add(attributes as NSDictionary) }
  }
  func find(_ query: [String: Any]) -> (status: OSStatus, value: Any?) {
    answer { () throws(KeychainError) in try calls.copyMatching(query as NSDictionary) }
  }
  func update(_ query: [String: Any], _ change: [String: Any]) -> OSStatus {
    answer { () throws(KeychainError) in
      try calls.update(query as NSDictionary, change as NSDictionary)
      return .untouched
    }.status
  }
  func delete(_ query: [String: Any]) -> OSStatus {
    answer { () throws(KeychainError) in
      try calls.delete(query as NSDictionary)
      return .untouched
    }.status
  }

  /// One call by name, for tables of rules that hold in several.
  func call(_ call: QueryCall, _ dictionary: [String: Any]) -> OSStatus {
    switch call {
    case .add: add(dictionary).status
    case .find: find(dictionary).status
    case .update: update(dictionary, ["labl": "l"])
    case .change: update(["class": "genp"], dictionary)
    case .delete: delete(dictionary)
    }
  }

  private func answer(_ body: () throws(KeychainError) -> ItemAnswer) -> (status: OSStatus, value: Any?) {
    do throws(KeychainError) {
      switch try body() {
      case .untouched: return (errSecSuccess, nil)
      case .value(let object): return (errSecSuccess, object)
      }
    } catch {
      return (status(of: error), nil)
    }
  }
}

/// A generic password with an account.
func password(_ account: Any = "a", _ more: [String: Any] = [:]) -> [String: Any] {
  ["class": "genp", "acct": account].merging(more) { _, new in new }
}

typealias KeychainFailure = KeychainError

/// The status that a call would answer.
func status(_ body: () throws(KeychainError) -> Void) -> OSStatus {
  do throws(KeychainError) {
    try body()
    return errSecSuccess
  } catch {
    return status(of: error)
  }
}
