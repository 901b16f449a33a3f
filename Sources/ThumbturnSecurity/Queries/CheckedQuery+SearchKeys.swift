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
    case "m_CaseInsensitive": ignoresCase = value.isTrue
    case "m_ItemList":
      guard case .array(let list) = value else { break }
      filter.references = Set(try Self.elements(of: list).compactMap { PersistentReference($0)?.identity })
    case "m_HostOrSubdomainOfHost":
      guard case .text(let host) = value else { throw KeychainError(.parameter) }
      hasMatchKeyOfOtherClass = hasMatchKeyOfOtherClass || itemClass != .items(.internetPassword)
      filter.host = host
    default: try takeCertificateMatch(name, value)
    }
  }

  /// A match key of certificates and identities.
  private mutating func takeCertificateMatch(_ name: String, _ value: QueryValue) throws(KeychainError) {
    switch name {
    case "m_Issuers":
      guard case .array(let list) = value else { throw KeychainError(.parameter) }
      hasMatchKeyOfOtherClass = hasMatchKeyOfOtherClass || !itemClass.hasCertificates
      filter.issuers = Set(try Self.elements(of: list).map { [UInt8]($0) })
    case "m_Policy":
      guard case .policy = value else { throw KeychainError(.parameter) }
      hasMatchKeyOfOtherClass = hasMatchKeyOfOtherClass || !itemClass.hasCertificates
      hasUnservedMatchKey = true
    case "m_SubjectContains":
      guard itemClass.hasCertificates, case .text(let part) = value else { break }
      subjectPart = part
    case "m_EmailAddressIfPresent":
      guard case .text = value else { throw KeychainError(.parameter) }
      hasUnservedMatchKey = hasUnservedMatchKey || itemClass.hasCertificates
    case "m_TrustedOnly":
      let isWanted = try value.strictBoolean()
      hasUnservedMatchKey = hasUnservedMatchKey || isWanted && itemClass.hasCertificates
    case "m_ValidOnDate":
      switch value {
      case .date, .null: break
      default: throw KeychainError(.parameter)
      }
      hasUnservedMatchKey = hasUnservedMatchKey || itemClass.hasCertificates
    default: break
    }
  }

  /// The most elements of a list.
  static let listCountMax = 1_024

  /// The elements of a list that are data; others are passed over.
  private static func elements(of list: NSArray) throws(KeychainError) -> [Data] {
    guard list.count <= listCountMax else { throw KeychainError(.parameter) }
    return list.objects.compactMap { if case .data(let data) = QueryValue($0) { data } else { nil } }
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
  mutating func takeUse(_ key: QueryKey.UseKey, _ value: QueryValue) throws(KeychainError) {
    switch key {
    case .authenticationContext:
      guard case .context(let context) = value else { throw KeychainError(.parameter) }
      self.context = context
    case .authenticationUI:
      switch value {
      case .text("u_AuthUIA"): break
      case .text("u_AuthUIF"): consent = .refuse
      case .text("u_AuthUIS"): consent = .leaveOut
      default: throw KeychainError(.parameter)
      }
    case .noAuthenticationUI: if try value.looseBoolean() { consent = .refuse }
    case .tombstones, .userIndependentKeychain: _ = try value.looseBoolean()
    case .operationPrompt:
      guard case .text(let prompt) = value else { throw KeychainError(.parameter) }
      operationPrompt = prompt
    }
  }
}
