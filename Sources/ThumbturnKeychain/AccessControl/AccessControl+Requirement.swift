package import ThumbturnAuthentication

extension AccessControl {
  /// What a person has to show (SECACCESS.md §1): of the constraints one, or each of them. No factor at all means that
  /// nothing on Linux fulfils it, or that there is no constraint.
  package var requirement: Requirement {
    let rows: [(Conditions, Set<Factor>)] = [
      (.userPresence, Requirement.owner.factors), (.biometryAny, [.finger]), (.biometryCurrentSet, [.finger]),
      (.devicePasscode, [.passcode]), (.companion, []),
    ]
    let asked = rows.filter { conditions.contains($0.0) }.map(\.1)
    let needsAll = asked.count > 1 && !conditions.contains(.or)
    // There is no companion: whatever else is shown, one that is needed is missing.
    if needsAll, asked.contains([]) { return Requirement([], needsApplicationPassword: needsApplicationPassword) }
    return Requirement(
      asked.reduce(into: []) { $0.formUnion($1) }, needsAll: needsAll,
      needsApplicationPassword: needsApplicationPassword)
  }
}
