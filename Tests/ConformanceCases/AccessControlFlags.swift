internal import ThumbturnSecurity

/// The names that cases give to the flags of an access control.
enum AccessControlFlags {
  static let constraintNames: Set<String> = [
    "userPresence", "biometryAny", "touchIDAny", "biometryCurrentSet", "touchIDCurrentSet", "devicePasscode",
    "companion",
    "watch",
  ]

  static func named(_ names: [String]) throws(Problem) -> SecAccessControlCreateFlags {
    var flags: SecAccessControlCreateFlags = []
    for name in names {
      switch name {
      case "userPresence": flags.insert(.userPresence)
      case "biometryAny", "touchIDAny": flags.insert(.biometryAny)
      case "biometryCurrentSet", "touchIDCurrentSet": flags.insert(.biometryCurrentSet)
      case "devicePasscode": flags.insert(.devicePasscode)
      case "companion", "watch": flags.insert(.companion)
      case "or": flags.insert(.or)
      case "and": flags.insert(.and)
      case "privateKeyUsage": flags.insert(.privateKeyUsage)
      case "applicationPassword": flags.insert(.applicationPassword)
      default: throw Problem("unknown flag \(name)")
      }
    }
    return flags
  }
}
