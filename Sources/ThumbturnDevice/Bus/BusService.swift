/// A service on a bus, by its well-known name, and the user that its process must run as.
public struct BusService: Hashable, Sendable {
  /// The well-known name, such as `org.freedesktop.login1`.
  public let name: String
  /// The user id that the owner of the name must have; nil takes any.
  let userID: UInt32?

  /// A service of the system, which runs as root.
  public static func system(_ name: String) -> Self { Self(name: name, userID: 0) }

  /// A service of the person's own session, which runs as the same user as this process.
  public static func user(_ name: String) -> Self { Self(name: name, userID: system_user()) }

  /// For tests, whose services do not run as root.
  init(name: String, userID: UInt32?) {
    self.name = name
    self.userID = userID
  }
}

/// Whom a call goes to: the bus itself, or one connection on it.
///
/// There is no way to make one of a well-known name: a call goes to the owner that was checked, so a reply counts only
/// from there.
public struct BusPeer: Hashable, Sendable {
  let name: String

  /// The bus.
  public static let bus = Self(name: "org.freedesktop.DBus")

  init(name: String) { self.name = name }
}
