import Foundation

@testable import ThumbturnDevice

/// python3-dbusmock's logind, and a connection that tells it what to do.
struct MockLogind: ~Copyable {
  static let service = BusService(name: "org.freedesktop.login1", userID: nil)
  static let manager = "/org/freedesktop/login1"
  static let mock = "org.freedesktop.DBus.Mock"
  static let limit = Duration.seconds(10)

  let process: Service
  private var control: BusConnection

  /// Starts it, and waits until it owns its name.
  init(_ bus: PrivateBus) throws {
    let process = try Service(
      ["/usr/bin/python3", "-m", "dbusmock", "--system", "--template", "logind"],
      environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address], isHeard: false)
    var control = try BusConnection(.address(bus.address), limit: Self.limit)
    try control.follow(Self.service, limit: Self.limit)
    let deadline = BusDeadline(after: Self.limit)
    while (try? control.owner(of: Self.service)) == nil {
      guard !deadline.hasPassed else { throw Service.Failure(description: "dbusmock's logind does not start") }
      _ = try control.nextEvent(limit: .milliseconds(100))
    }
    self.process = process
    self.control = control
  }

  /// The bus's own name of the mock's connection.
  var owner: String { get throws { try control.owner(of: Self.service).name } }

  /// Calls one of its methods with texts.
  mutating func call(
    _ member: String, of interface: String, at path: String = manager, _ arguments: [String] = []
  ) throws -> BusMessage {
    var message = try control.message(
      to: try control.owner(of: Self.service), path: path, interface: interface, member: member)
    for argument in arguments { try message.append(argument) }
    return try control.call(message, limit: Self.limit)
  }

  mutating func addSession(_ id: String, userID: UInt32) throws {
    var message = try control.message(
      to: try control.owner(of: Self.service), path: Self.manager, interface: Self.mock, member: "AddSession")
    try message.append(id)
    try message.append("seat0")
    try message.append(userID)
    try message.append("someone\(userID)")
    try message.append(true)
    _ = try control.call(message, limit: Self.limit)
  }

  mutating func lock(_ id: String) throws { try session("Lock", id) }
  mutating func unlock(_ id: String) throws { try session("Unlock", id) }

  private mutating func session(_ member: String, _ id: String) throws {
    _ = try call(member, of: "org.freedesktop.login1.Session", at: "\(Self.manager)/session/\(id)")
  }

  mutating func setLockedHint(_ isLocked: Bool, _ id: String) throws {
    var message = try control.message(
      to: try control.owner(of: Self.service), path: "\(Self.manager)/session/\(id)",
      interface: "org.freedesktop.login1.Session", member: "SetLockedHint")
    try message.append(isLocked)
    _ = try control.call(message, limit: Self.limit)
  }

  mutating func prepareForSleep(_ isBeginning: Bool) throws {
    try emit("PrepareForSleep", signature: "b") { message throws(BusError) in
      try message.appending(.variant, of: "b") { message throws(BusError) in try message.append(isBeginning) }
    }
  }

  mutating func removeSession(_ id: String) throws {
    let path = "\(Self.manager)/session/\(id)"
    try emit("SessionRemoved", signature: "so") { message throws(BusError) in
      try message.appending(.variant, of: "s") { message throws(BusError) in try message.append(id) }
      try message.appending(.variant, of: "o") { message throws(BusError) in try message.append(path: path) }
    }
  }

  private mutating func emit(
    _ signal: String, signature: String, _ arguments: (inout BusMessage) throws(BusError) -> Void
  ) throws {
    var message = try control.message(
      to: try control.owner(of: Self.service), path: Self.manager, interface: Self.mock, member: "EmitSignal")
    try message.append("org.freedesktop.login1.Manager")
    try message.append(signal)
    try message.append(signature)
    try message.appending(.array, of: "v", arguments)
    _ = try control.call(message, limit: Self.limit)
  }

  /// Who delays what: "sleep Thumbturn delay", for each inhibitor that is held.
  mutating func inhibitors() throws -> [String] {
    var answer = try call("ListInhibitors", of: "org.freedesktop.login1.Manager")
    return try answer.readArray(of: "(ssssuu)") { message throws(BusError) in
      try message.reading(.structure, of: "ssssuu") { message throws(BusError) in
        let what = try message.readText()
        let who = try message.readText()
        _ = try message.readText()
        return "\(what) \(who) \(try message.readText())"
      }
    }
  }
}
