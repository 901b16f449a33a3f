internal import CSystemd
internal import Glibc
internal import ThumbturnAuthentication

/// A connection to a bus.
///
/// One thread owns it; it is not Sendable. Every call has a time limit, and nothing comes out of it but answers to its own
/// calls and signals of services that it follows, whose senders were checked. Not for use in a forked child.
@safe
public struct BusConnection: ~Copyable {
  /// Which bus.
  public enum Place: Hashable, Sendable {
    /// The bus of the system; `DBUS_SYSTEM_BUS_ADDRESS` where it is set.
    case system
    /// The bus of the person's session; `DBUS_SESSION_BUS_ADDRESS` where it is set.
    case user
    /// A bus at a D-Bus address, such as `unix:path=/run/dbus/system_bus_socket`.
    case address(String)
  }

  let raw: OpaquePointer
  /// Ends every wait when it is set. Its owner takes it away before what has to be said at the end.
  var stop: StopSignal?
  var checks: [SenderCheck] = []
  /// How long a question about a new owner may take: what ``follow(_:limit:)`` was given.
  var questionLimit = Duration.zero
  /// Signals that came while a call waited for its answer.
  var waiting: [KeptMessage] = []
  /// Tests switch it off, to show that what they forge would count without it.
  var checksSenders = true

  /// Connects, and waits until the bus has let this process in.
  ///
  /// - Parameter limit: At most this long. libsystemd alone would wait 90 seconds for a bus that accepts a connection and
  ///   then says nothing, whatever limit the first call has (measured).
  /// - Throws: ``BusError/Code/noBus``, ``BusError/Code/timedOut``, ``BusError/Code/closed``.
  public init(_ place: Place, limit: Duration) throws(BusError) { try self.init(place, limit: limit, stop: nil) }

  init(_ place: Place, limit: Duration, stop: StopSignal?) throws(BusError) {
    // What has a deinit must not throw once it has a property, so all that can fail is done by then.
    let opened = unsafe try Self.open(place)
    do throws(BusError) {
      unsafe try Self.waitUntilReady(opened, deadline: BusDeadline(after: limit), stop: stop)
    } catch {
      unsafe sd_bus_close(opened)
      unsafe sd_bus_unref(opened)
      throw error
    }
    unsafe raw = opened
    self.stop = stop
  }

  deinit {
    unsafe sd_bus_close(raw)
    unsafe sd_bus_unref(raw)
  }

  private static func open(_ place: Place) throws(BusError) -> OpaquePointer {
    var opened: OpaquePointer?
    var status: Int32
    switch place {
    case .system: status = unsafe sd_bus_open_system(&opened)
    case .user: status = unsafe sd_bus_open_user(&opened)
    case .address(let address):
      status = unsafe sd_bus_new(&opened)
      if status >= 0 { status = unsafe sd_bus_set_address(opened, address) }
      if status >= 0 { status = unsafe sd_bus_set_bus_client(opened, 1) }
      if status >= 0 { status = unsafe sd_bus_start(opened) }
    }
    guard status >= 0, let opened = unsafe opened else {
      unsafe sd_bus_unref(opened)
      throw BusError(.noBus, "no bus can be connected to")
    }
    return unsafe opened
  }

  private static func waitUntilReady(_ raw: OpaquePointer, deadline: BusDeadline, stop: StopSignal?) throws(BusError) {
    while unsafe sd_bus_is_ready(raw) <= 0 {
      let status = unsafe sd_bus_process(raw, nil)
      guard status >= 0, unsafe sd_bus_is_open(raw) > 0 else {
        throw BusError(.noBus, "the bus ended the connection before it let this process in")
      }
      unsafe try wait(raw, deadline: deadline, stop: stop, isBusy: status > 0)
    }
  }

  /// Waits until there is something to do for libsystemd.
  ///
  /// - Parameter isBusy: There is already; only the deadline and the stop are looked at.
  static func wait(_ raw: OpaquePointer, deadline: BusDeadline, stop: StopSignal?, isBusy: Bool) throws(BusError) {
    guard !deadline.hasPassed else { throw BusError(.timedOut, "nothing came within the limit") }
    var until = deadline
    if isBusy {
      until = BusDeadline(microseconds: 0)
    } else {
      var microseconds: UInt64 = 0
      if unsafe sd_bus_get_timeout(raw, &microseconds) >= 0 {
        until = min(until, BusDeadline(microseconds: microseconds))
      }
    }
    let descriptor = unsafe sd_bus_get_fd(raw)
    let events = unsafe sd_bus_get_events(raw)
    guard descriptor >= 0, events >= 0 else { throw BusError(.closed, "the connection has ended") }
    let ready = system_poll(
      PollEntry(descriptor: descriptor, events: Int16(events)), stop?.pollEntry, milliseconds: until.milliseconds)
    guard !ready.second else { throw BusError(.stopped, "the wait was ended") }
  }

  /// Lets libsystemd work, and waits when there is nothing to do.
  ///
  /// - Returns: A message, or nil when none came yet.
  func step(deadline: BusDeadline) throws(BusError) -> BusMessage? {
    // Before all else, because a flood leaves no moment to wait in.
    if let stop, stop.isSet { throw BusError(.stopped, "the wait was ended") }
    var message: OpaquePointer?
    let status = unsafe sd_bus_process(raw, &message)
    guard status >= 0 else { throw BusError(.closed, "the connection has ended") }
    if let message = unsafe message { return unsafe BusMessage(adopting: message) }
    unsafe try Self.wait(raw, deadline: deadline, stop: stop, isBusy: status > 0)
    return nil
  }
}
