internal import ThumbturnKeychain
internal import ThumbturnVault

/// When an item may be read after a `set`, by `--accessible`, `--require` and what is there.
struct Requiring {
  /// For a new item: one of these two.
  let newClass: ProtectionClass?
  let newControl: AccessControl?
  /// For one that is there: at most one of these two.
  let changedClass: ProtectionClass?
  let changedControl: AccessControl?

  init(_ invocation: Invocation, old: FoundItem?) {
    let named = invocation.protectionClass
    if let requirement = invocation.requirement {
      // Somebody is there when it is read, so that no job of the night needs it. One of these conditions is always valid.
      newControl = AccessControl(named ?? .whenUnlocked, requirement.conditions)
      changedControl = AccessControl(named ?? old?.protectionClass ?? .whenUnlocked, requirement.conditions)
      newClass = nil
      changedClass = nil
      return
    }
    newControl = nil
    // Scheduled jobs run while the screen is locked.
    newClass = named ?? .afterFirstUnlock
    // A change of the class alone would take the requirement away.
    if let named, let control = old?.accessControl, control.isConstrained {
      changedControl = AccessControl(named, control.conditions)
      changedClass = nil
    } else {
      changedControl = nil
      changedClass = named
    }
  }
}
