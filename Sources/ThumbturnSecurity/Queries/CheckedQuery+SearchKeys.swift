internal import Foundation
internal import ThumbturnKeychain

extension CheckedQuery {
  /// A match key (SECITEM.md §11).
  ///
  /// Every one counts as present, also one that filters nothing.
  mutating func takeMatch(_ name: String, _ value: QueryValue) throws(KeychainError) {
    hasMatchKey = true
    switch name {
    case "m_Limit": limit = try Self.limit(value)
    case "m_Issuers", "m_Policy":
      guard case .other = value else { throw KeychainError(.parameter) }
      hasMatchKeyOfOtherClass = true
    case "m_HostOrSubdomainOfHost":
      guard case .text = value else { throw KeychainError(.parameter) }
      hasMatchKeyOfOtherClass = true
    case "m_EmailAddressIfPresent":
      guard case .text = value else { throw KeychainError(.parameter) }
    case "m_TrustedOnly": _ = try value.strictBoolean()
    case "m_ValidOnDate":
      switch value {
      case .date, .null: break
      default: throw KeychainError(.parameter)
      }
    default: break
    }
  }

  private static func limit(_ value: QueryValue) throws(KeychainError) -> ItemQuery.Limit {
    switch value {
    case .text("m_LimitOne"): return .count(1)
    case .text("m_LimitAll"): return .all
    case .number(let number):
      let count = try QueryValue.integer(number)
      if count == -1 { return .all }
      guard count >= 0 else { throw KeychainError(.parameter) }
      return .count(Int(count))
    default: throw KeychainError(.parameter)
    }
  }

  /// A use key (SECITEM.md §12).
  ///
  /// No item of this version needs a prompt, so that most have nothing to do.
  mutating func takeUse(_ key: QueryKey.UseKey, _ value: QueryValue) throws(KeychainError) {
    switch key {
    case .authenticationContext:
      guard case .other = value else { throw KeychainError(.parameter) }
    case .authenticationUI:
      switch value {
      case .text("u_AuthUIA"), .text("u_AuthUIF"): break
      case .text("u_AuthUIS"): skipsPrompts = true
      default: throw KeychainError(.parameter)
      }
    case .noAuthenticationUI, .tombstones, .userIndependentKeychain: _ = try value.looseBoolean()
    case .operationPrompt:
      guard case .text = value else { throw KeychainError(.parameter) }
    }
  }
}
