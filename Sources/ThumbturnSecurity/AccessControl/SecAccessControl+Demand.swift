package import ThumbturnAuthentication
internal import ThumbturnKeychain

/// What is to be done with what an access control guards.
package enum AccessControlUse: CaseIterable, Hashable, Sendable {
  case store, read, makeKey, useKey
}

extension SecAccessControl {
  /// What a person has to do before.
  package enum Demand: Hashable, Sendable {
    case nothing
    case forbidden
    case requirement(Requirement)
  }

  /// What has to be shown before something is done (SECACCESS.md §1). What is not known is forbidden.
  package func demand(of use: AccessControlUse?) -> Demand {
    let isOfKeys = value.conditions.contains(.privateKeyUsage)
    let isConstrained = !value.conditions.isDisjoint(with: .constraints)
    let needsPassword = value.conditions.contains(.applicationPassword)
    var whole = Demand.nothing
    if isConstrained || needsPassword {
      // A companion that is missing is not made up for by the password.
      let isHopeless = isConstrained && value.requirement.factors.isEmpty
      whole = .requirement(isHopeless ? Requirement([]) : value.requirement)
    }
    switch use {
    case .read: return isOfKeys ? .forbidden : whole
    case .useKey: return isOfKeys || !isConstrained ? whole : .forbidden
    case .store where isOfKeys: return .forbidden
    // To store needs no person, but the password that enters the key.
    case .store: return needsPassword ? .requirement(Requirement([], needsApplicationPassword: true)) : .nothing
    case .makeKey: return .nothing
    case nil: return .forbidden
    }
  }
}
