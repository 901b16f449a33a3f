internal import ThumbturnAuthentication

/// One connection to fprintd, for one thing that is asked of it. When it ends fprintd frees what it had claimed.
struct FprintLink: ~Copyable {
  static let device = "net.reactivated.Fprint.Device"
  private static let manager = "net.reactivated.Fprint.Manager"
  private static let managerPath = "/net/reactivated/Fprint/Manager"

  private var bus: BusConnection
  private let service: BusService
  private var deadline: BusDeadline
  /// A call was not answered in time.
  private(set) var isSilent = false

  private init(_ bus: consuming BusConnection, _ service: BusService, _ deadline: BusDeadline) {
    self.bus = bus
    self.service = service
    self.deadline = deadline
  }

  /// Connects, and has the bus start fprintd when it does not run.
  ///
  /// - Parameters:
  ///   - deadline: Of everything that is asked over this link.
  ///   - stop: Ends everything, until ``beginEnding()``.
  static func open(
    _ surroundings: FprintSurroundings, deadline: BusDeadline, stop: StopSignal?
  ) throws(FprintFailure) -> FprintLink {
    var link = FprintLink(try connect(surroundings, deadline, stop), surroundings.service, deadline)
    try link.follow()
    try link.start()
    return link
  }

  private static func connect(
    _ surroundings: FprintSurroundings, _ deadline: BusDeadline, _ stop: StopSignal?
  ) throws(FprintFailure) -> BusConnection {
    do throws(BusError) {
      var bus = try BusConnection(surroundings.place, limit: min(FprintLimits.call, deadline.remaining), stop: stop)
      bus.checksSenders = surroundings.checksSenders
      return bus
    } catch {
      throw error.code == .stopped ? .stopped : .unavailable(.noBus)
    }
  }

  private mutating func follow() throws(FprintFailure) {
    let service = service
    try within(FprintLimits.call) { bus, limit throws(BusError) in try bus.follow(service, limit: limit) }
  }

  private mutating func start() throws(FprintFailure) {
    let service = service
    try within(FprintLimits.call) { bus, limit throws(BusError) in try bus.start(service, limit: limit) }
  }

  /// Asks for the signals of this name, from any reader: which one counts is decided when they come.
  mutating func subscribe(to member: String) throws(FprintFailure) {
    let service = service
    try within(FprintLimits.call) { bus, limit throws(BusError) in
      try bus.subscribe(to: member, of: Self.device, service: service, limit: limit)
    }
  }

  /// Calls the manager.
  mutating func callManager(_ member: String) throws(FprintFailure) -> BusMessage {
    try call(member, of: Self.manager, at: Self.managerPath, [], limit: FprintLimits.call)
  }

  /// Calls a reader.
  mutating func call(
    _ member: String, at reader: String, _ arguments: [String] = [], limit: Duration = FprintLimits.call
  ) throws(FprintFailure) -> BusMessage {
    try call(member, of: Self.device, at: reader, arguments, limit: limit)
  }

  /// A property of a reader, by `read`.
  mutating func property<Value>(
    _ name: String, of signature: String, at reader: String, _ read: (inout BusMessage) throws(BusError) -> Value
  ) throws(FprintFailure) -> Value {
    var answer = try call(
      "Get", of: "org.freedesktop.DBus.Properties", at: reader, [Self.device, name], limit: FprintLimits.call)
    do throws(BusError) {
      return try answer.reading(.variant, of: signature, read)
    } catch { throw FprintFailure(error) }
  }

  /// Forgets the signals that came until now.
  mutating func dropSignals() { bus.dropSignals() }

  /// The next signal of `reader`. However many come, none is given after `until` or after the stop.
  ///
  /// - Throws: ``FprintFailure/outOfTime`` at `until`; `readerFailed` when another process is fprintd now, or none.
  mutating func nextSignal(of reader: String, until: BusDeadline) throws(FprintFailure) -> BusMessage {
    while true {
      try requireNotStopped()
      guard !until.hasPassed else { throw .outOfTime }
      bus.questionLimit = min(FprintLimits.call, until.remaining)
      let event: BusEvent?
      do throws(BusError) { event = try bus.nextEvent(limit: until.remaining) } catch { throw FprintFailure(error) }
      guard let event else { throw .outOfTime }
      switch consume event {
      case .ownerChanged: throw .unavailable(.readerFailed)
      case .signal(let signal):
        if signal.interface == Self.device, signal.path == reader { return signal }
      }
    }
  }

  /// Refuses to go on once the stop is set.
  func requireNotStopped() throws(FprintFailure) {
    if let stop = bus.stop, stop.isSet { throw .stopped }
  }

  /// Waits for what is asked in `body` whatever the stop says, within its own limits.
  mutating func undisturbed<Value>(
    _ body: (inout FprintLink) throws(FprintFailure) -> Value
  ) throws(FprintFailure) -> Value {
    let stop = bus.stop
    bus.stop = nil
    defer { bus.stop = stop }
    return try body(&self)
  }

  /// From now on no stop ends anything, and everything together has to end within ``FprintLimits/ending``.
  mutating func beginEnding() {
    bus.stop = nil
    deadline = min(deadline, BusDeadline(after: FprintLimits.ending))
  }

  /// What became of a reader that failed: `readerFailed` when it is still there.
  mutating func lookAgain(for reader: String) -> FprintFailure {
    do throws(FprintFailure) {
      try start()
      return .unavailable(try readerPaths().contains(reader) ? .readerFailed : .readerUnplugged)
    } catch {
      return error == .outOfTime ? .unavailable(.readerFailed) : error
    }
  }

  private mutating func call(
    _ member: String, of interface: String, at path: String, _ arguments: [String], limit: Duration
  ) throws(FprintFailure) -> BusMessage {
    let service = service
    return try within(limit) { bus, limit throws(BusError) in
      var message = try bus.message(to: try bus.owner(of: service), path: path, interface: interface, member: member)
      for argument in arguments { try message.append(argument) }
      return try bus.call(message, limit: limit)
    }
  }

  /// Runs `body` with `limit`, or with what is left.
  private mutating func within<Value: ~Copyable>(
    _ limit: Duration, _ body: (inout BusConnection, Duration) throws(BusError) -> Value
  ) throws(FprintFailure) -> Value {
    let left = deadline.remaining
    do throws(BusError) { return try body(&bus, min(limit, left)) } catch {
      if error.code == .timedOut { isSilent = true }
      throw FprintFailure(error, isCut: left < limit)
    }
  }
}
