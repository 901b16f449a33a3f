internal import CSystemd

/// What happened on a bus.
public enum BusEvent: ~Copyable {
  /// A signal of a service that is followed, from the owner that it has now.
  case signal(BusMessage)
  /// A service that is followed has another owner, or none. ``BusConnection/owner(of:)`` says whom.
  case ownerChanged(BusService)
}

extension BusConnection {
  /// Follows a service: from now on its signals count, from the owner that it has at that moment and no other.
  ///
  /// A service that does not run is no error: ``BusEvent/ownerChanged(_:)`` tells when it does. All together takes at most
  /// `limit`, and so does later the question who a new owner is.
  ///
  /// - Throws: ``BusError/Code/tooMany`` beyond ``BusLimits/serviceCountMax``, and what ``call(_:limit:)`` throws.
  public mutating func follow(_ service: BusService, limit: Duration) throws(BusError) {
    guard !checks.contains(where: { $0.service.name == service.name }) else { return }
    guard checks.count < BusLimits.serviceCountMax else { throw BusError(.tooMany, "too many services are followed") }
    let deadline = BusDeadline(after: limit)
    let index = checks.count
    questionLimit = limit
    checks.append(SenderCheck(service))
    // Before the question, or else a change between the two would be missed.
    try addMatch(
      "type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',interface='org.freedesktop.DBus',"
        + "member='NameOwnerChanged',arg0='\(service.name)'", limit: limit)
    try lookUp(index, deadline: deadline)
  }

  /// Has the bus start a service that is followed, when nobody owns it and the bus knows how, and waits until it has an
  /// owner: at most `limit`.
  ///
  /// - Throws: ``BusError/Code/answeredError`` when the bus does not know the service or it does not start,
  ///   ``BusError/Code/noOwner`` when its owner is not the user that it must be or it is not followed, and what
  ///   ``call(_:limit:)`` throws: ``BusError/Code/timedOut`` does not stop the bus from starting it.
  public mutating func start(_ service: BusService, limit: Duration) throws(BusError) {
    let deadline = BusDeadline(after: limit)
    guard let index = checks.firstIndex(where: { $0.service == service }) else {
      throw BusError(.noOwner, "a service was to be started that is not followed")
    }
    if checks[index].owner == .nobody {
      var request = try message(
        to: .bus, path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "StartServiceByName")
      try request.append(service.name)
      // No flag has a meaning.
      try request.append(UInt32(0))
      _ = try call(request, limit: limit)
      try lookUp(index, deadline: deadline)
    }
    _ = try owner(of: service)
  }

  /// Asks the bus who owns a service.
  private mutating func lookUp(_ index: Int, deadline: BusDeadline) throws(BusError) {
    var owner: String?
    do throws(BusError) {
      var answer = try callBus("GetNameOwner", checks[index].service.name, limit: deadline.remaining)
      owner = try answer.readText()
    } catch  where error.name == "org.freedesktop.DBus.Error.NameHasNoOwner" {
      owner = nil
    }
    // The bus sends in order: a change that came before this answer is older than it, one that comes after is newer.
    checks[index].ownerIs(owner)
    try verify(index, limit: deadline.remaining)
    checks[index].told()
  }

  /// The owner of a service that is followed, to send calls to.
  ///
  /// - Throws: ``BusError/Code/noOwner`` when there is none, or it runs as another user than it must.
  public func owner(of service: BusService) throws(BusError) -> BusPeer {
    for check in checks where check.service == service {
      if let name = check.trusted { return BusPeer(name: name) }
    }
    throw BusError(.noOwner, "the service has no owner that is trusted")
  }

  /// Asks the bus for a signal of a service, from any object or from one.
  ///
  /// That is a filter against needless messages. What counts is decided here, when a signal comes.
  public mutating func subscribe(
    to member: String, of interface: String, service: BusService, path: String? = nil, limit: Duration
  ) throws(BusError) {
    let rule = "type='signal',sender='\(service.name)',interface='\(interface)',member='\(member)'"
    try addMatch(path.map { "\(rule),path='\($0)'" } ?? rule, limit: limit)
  }

  /// The next signal or change of an owner; nil when none came within `limit`. A new owner's user is asked for first.
  ///
  /// - Throws: ``BusError/Code/closed`` when the bus is gone, ``BusError/Code/tooMany``, ``BusError/Code/stopped``.
  public mutating func nextEvent(limit: Duration) throws(BusError) -> BusEvent? {
    let deadline = BusDeadline(after: limit)
    while true {
      for index in checks.indices where checks[index].isNews {
        try verify(index, limit: questionLimit)
        checks[index].told()
        return .ownerChanged(checks[index].service)
      }
      while !waiting.isEmpty {
        let signal = waiting.removeFirst().message
        if counts(signal) { return .signal(signal) }
      }
      do throws(BusError) {
        guard let found = try step(deadline: deadline) else { continue }
        try keep(found)
      } catch  where error.code == .timedOut {
        return nil
      }
      // A flood of what does not count must not put the end off.
      if deadline.hasPassed, waiting.isEmpty { return nil }
    }
  }

  /// Forgets the signals that wait: they were sent before what is about to begin.
  mutating func dropSignals() { waiting.removeAll() }

  /// Takes in what came: changes of owners are noted, signals that may count wait, everything else is dropped. Calls are
  /// dropped too: there is no object here.
  mutating func keep(_ message: consuming BusMessage) throws(BusError) {
    guard message.kind == .signal, let sender = message.sender else { return }
    if sender == BusPeer.bus.name {
      if message.member == "NameOwnerChanged", message.interface == "org.freedesktop.DBus",
        message.path == "/org/freedesktop/DBus"
      {
        try noteOwner(&message)
      }
      return
    }
    guard !checksSenders || checks.contains(where: { $0.mayAccept(sender) }) else { return }
    guard waiting.count < BusLimits.waitingSignalCountMax else {
      throw BusError(.tooMany, "too many signals wait")
    }
    waiting.append(KeptMessage(message))
  }

  private func counts(_ signal: borrowing BusMessage) -> Bool {
    guard checksSenders else { return true }
    guard let sender = signal.sender else { return false }
    return checks.contains { $0.accepts(sender) }
  }

  private mutating func noteOwner(_ message: inout BusMessage) throws(BusError) {
    let name = try message.readText()
    _ = try message.readText()
    let owner = try message.readText()
    for index in checks.indices where checks[index].service.name == name { checks[index].ownerIs(owner) }
  }

  private mutating func verify(_ index: Int, limit: Duration) throws(BusError) {
    // The owner may change while it is asked about. Then the next event asks again.
    guard let name = checks[index].unverified else { return }
    var userID: UInt32?
    do throws(BusError) {
      var answer = try callBus("GetConnectionUnixUser", name, limit: limit)
      userID = try answer.readUInt32()
    } catch  where error.code == .answeredError {
      userID = nil
    }
    checks[index].userIs(userID, of: name)
  }

  private mutating func addMatch(_ rule: String, limit: Duration) throws(BusError) {
    _ = try callBus("AddMatch", rule, limit: limit)
  }
}
