internal import ThumbturnAuthentication

/// Why something that was asked of fprintd did not come about.
enum FprintFailure: Error, Hashable {
  /// The stop signal.
  case stopped
  /// The caller's own limit came before the service's.
  case outOfTime
  /// No finger, or not this one, is enrolled.
  case notEnrolled
  /// This finger is enrolled already.
  case alreadyEnrolled
  /// Something stands in the way.
  case unavailable(AuthenticationFailure.Reason)

  /// - Parameter isCut: The call's limit was cut by the caller's, so silence says nothing about the service.
  init(_ error: BusError, isCut: Bool = false) {
    self =
      switch error.code {
      case .stopped: .stopped
      case .timedOut: isCut ? .outOfTime : .unavailable(.serviceSilent)
      case .noOwner: .unavailable(.noService)
      case .noBus, .closed: .unavailable(.noBus)
      case .answeredError: Self(answer: error.name ?? "")
      // What it says makes no sense, or there is no memory.
      default: .unavailable(.readerFailed)
      }
  }

  private init(answer name: String) {
    self =
      switch name {
      case "net.reactivated.Fprint.Error.NoEnrolledPrints": .notEnrolled
      case "net.reactivated.Fprint.Error.FingerAlreadyEnrolled": .alreadyEnrolled
      case "net.reactivated.Fprint.Error.NoSuchDevice": .unavailable(.noReader)
      case "net.reactivated.Fprint.Error.AlreadyInUse": .unavailable(.readerBusy)
      case "net.reactivated.Fprint.Error.PermissionDenied", "org.freedesktop.DBus.Error.AccessDenied":
        .unavailable(.permissionDenied)
      // The bus's own words for a service that it does not know, that did not start, or that ended.
      case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
        "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Disconnected":
        .unavailable(.noService)
      case "org.freedesktop.DBus.Error.TimedOut", "org.freedesktop.DBus.Error.Timeout": .unavailable(.serviceSilent)
      default:
        name.hasPrefix("org.freedesktop.DBus.Error.Spawn.") ? .unavailable(.noService) : .unavailable(.readerFailed)
      }
  }

  /// What a program is told; nil for the stop signal and the caller's limit, which it knows of.
  var failure: AuthenticationFailure? {
    switch self {
    case .stopped, .outOfTime: nil
    case .notEnrolled: AuthenticationFailure(.biometryNotEnrolled)
    case .alreadyEnrolled: AuthenticationFailure(.biometryNotAvailable, .readerFailed)
    case .unavailable(.readerUnplugged): AuthenticationFailure(.biometryDisconnected, .readerUnplugged)
    case .unavailable(let reason): AuthenticationFailure(.biometryNotAvailable, reason)
    }
  }
}
