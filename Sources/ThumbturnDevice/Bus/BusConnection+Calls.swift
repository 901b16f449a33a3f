internal import CSystemd

extension BusConnection {
  /// A new call of a method; what is appended to it are the arguments.
  ///
  /// - Throws: ``BusError/Code/malformed`` when a name or path is none.
  public func message(
    to peer: BusPeer, path: String, interface: String, member: String
  ) throws(BusError) -> BusMessage {
    var message: OpaquePointer?
    let status = unsafe sd_bus_message_new_method_call(raw, &message, peer.name, path, interface, member)
    guard status >= 0, let message = unsafe message else { throw BusError(status: status, "a call could not be made") }
    return unsafe BusMessage(adopting: message)
  }

  /// Sends a call and waits for the answer, at most `limit`.
  ///
  /// Signals that come meanwhile wait for ``nextEvent(limit:)``. An answer counts only from the one who was called, or,
  /// when it says that this one is gone, from the bus.
  ///
  /// - Throws: ``BusError/Code/answeredError`` with the error's name, ``BusError/Code/timedOut``,
  ///   ``BusError/Code/closed``, ``BusError/Code/unfinished``.
  public mutating func call(_ message: consuming BusMessage, limit: Duration) throws(BusError) -> BusMessage {
    try message.requireFinished()
    let deadline = BusDeadline(after: limit)
    let called = message.destination
    var cookie: UInt64 = 0
    // With a place for the cookie, or else libsystemd marks that no answer is wanted.
    let status = unsafe sd_bus_send(raw, message.raw, &cookie)
    guard status >= 0 else { throw BusError(status: status, "a call could not be sent") }
    while true {
      guard let found = try step(deadline: deadline) else { continue }
      let isFromCalled = found.sender == called || found.sender == BusPeer.bus.name
      let kind = found.kind
      if found.answeredCookie == cookie, isFromCalled, kind == .answer || kind == .error {
        if kind == .answer { return found }
        let name = found.errorName
        throw BusError(.answeredError, "the answer is an error", name: name)
      }
      try keep(found)
      // A flood must not put the end off.
      guard !deadline.hasPassed else { throw BusError(.timedOut, "no answer came within the limit") }
    }
  }

  /// Calls a method of the bus itself that takes one text.
  mutating func callBus(_ member: String, _ argument: String, limit: Duration) throws(BusError) -> BusMessage {
    var message = try message(
      to: .bus, path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: member)
    try message.append(argument)
    return try call(message, limit: limit)
  }
}
