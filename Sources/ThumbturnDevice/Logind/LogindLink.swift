/// One connection to the bus, from its beginning to its end. The watch's thread alone has it.
struct LogindLink {
  private static let managerPath = "/org/freedesktop/login1"
  private static let manager = "org.freedesktop.login1.Manager"
  private static let session = "org.freedesktop.login1.Session"

  /// Whose lock counts.
  private enum Followed: Equatable {
    /// The session that this process belongs to.
    case session(String)
    /// Every session of the user: this process belongs to none, as a service of the user's own systemd does.
    case allOfUser
  }

  private let core: LogindCore
  private let service: BusService
  private var followed = Followed.allOfUser
  private var nextInhibitor = BusDeadline(after: .zero)
  /// Signals may have been missed: there was a connection before this one, or another owner.
  private var isReturn: Bool
  /// Whether logind was heard at all.
  private(set) var hasListened = false

  private var surroundings: LogindWatch.Surroundings { core.surroundings }
  private var limit: Duration { surroundings.call }

  init(core: LogindCore, isReturn: Bool) {
    self.core = core
    self.isReturn = isReturn
    service = BusService(name: "org.freedesktop.login1", userID: core.surroundings.logindUserID)
  }

  /// Listens until the connection breaks or the watch is stopped; then it throws.
  mutating func listen() throws(BusError) {
    var bus = try BusConnection(surroundings.place, limit: limit, stop: core.stopped)
    bus.checksSenders = surroundings.checksSenders
    try bus.follow(service, limit: limit)
    for (member, interface) in [
      ("PrepareForSleep", Self.manager), ("SessionRemoved", Self.manager), ("Lock", Self.session),
      ("Unlock", Self.session),
    ] {
      try bus.subscribe(to: member, of: interface, service: service, limit: limit)
    }
    try ownerChanged(&bus)
    while true {
      if let event = try bus.nextEvent(limit: LogindLimits.inhibitorPause) {
        switch consume event {
        case .ownerChanged: try ownerChanged(&bus)
        case .signal(var signal): try take(&signal, &bus)
        }
      }
      if nextInhibitor.hasPassed, !core.delaysSleep { try inhibit(&bus) }
    }
  }

  private mutating func ownerChanged(_ bus: inout BusConnection) throws(BusError) {
    core.setListening(false)
    // Nobody there, or not root: the bus tells when that changes, so there is nothing to try again.
    guard (try? bus.owner(of: service)) != nil else { return }
    followed = try ownSession(&bus)
    if isReturn { try catchUp(&bus) }
    try inhibit(&bus)
    isReturn = true
    hasListened = true
    core.setListening(true)
  }

  private mutating func take(_ signal: inout BusMessage, _ bus: inout BusConnection) throws(BusError) {
    guard let path = signal.path else { return }
    switch (signal.interface, signal.member) {
    case (Self.manager, "PrepareForSleep") where path == Self.managerPath:
      let isBeginning = try signal.readBool()
      core.deliver(isBeginning ? .goingToSleep : .wokeUp)
      if !isBeginning { try inhibit(&bus) }
    case (Self.manager, "SessionRemoved") where path == Self.managerPath:
      _ = try signal.readText()
      // The session that this process came from is gone: now it is the user's, whatever session locks.
      if followed == .session(try signal.readPath()) { followed = .allOfUser }
    case (Self.session, "Lock"):
      // In doubt it is locked.
      if isOurs(path, &bus, inDoubt: true) { core.deliver(.lock) }
    case (Self.session, "Unlock"):
      if isOurs(path, &bus, inDoubt: false) { core.deliver(.unlock) }
    default: break
    }
  }

  private func isOurs(_ path: String, _ bus: inout BusConnection, inDoubt: Bool) -> Bool {
    if case .session(let own) = followed { return path == own }
    guard let sessions = try? sessionsOfUser(&bus) else { return inDoubt }
    return sessions.contains(path)
  }
}

// Questions to logind.
extension LogindLink {
  /// The session of this process, if logind knows it and it is the user's.
  private func ownSession(_ bus: inout BusConnection) throws(BusError) -> Followed {
    guard let sessions = try sessionsOfUser(&bus) else { return .allOfUser }
    var byProcess = try message("GetSessionByPID", bus)
    try byProcess.append(system_process())
    if var answer = try answer(to: byProcess, &bus) {
      let path = try answer.readPath()
      if sessions.contains(path) { return .session(path) }
    }
    guard let id = surroundings.sessionID, !id.isEmpty else { return .allOfUser }
    var byID = try message("GetSession", bus)
    try byID.append(id)
    guard var answer = try answer(to: byID, &bus) else { return .allOfUser }
    let path = try answer.readPath()
    return sessions.contains(path) ? .session(path) : .allOfUser
  }

  /// Nil when logind does not say.
  private func sessionsOfUser(_ bus: inout BusConnection) throws(BusError) -> [String]? {
    guard var answer = try answer(to: try message("ListSessions", bus), &bus) else { return nil }
    let sessions = try answer.readArray(of: "(susso)") { message throws(BusError) -> (user: UInt32, path: String) in
      try message.reading(.structure, of: "susso") { message throws(BusError) in
        _ = try message.readText()
        let user = try message.readUInt32()
        _ = try message.readText()
        _ = try message.readText()
        return (user, try message.readPath())
      }
    }
    return sessions.filter { $0.user == surroundings.userID }.map(\.path)
  }

  /// Asks for what signals would have told while nobody listened.
  private func catchUp(_ bus: inout BusConnection) throws(BusError) {
    let isSleepNear = try flag("PreparingForSleep", of: Self.manager, at: Self.managerPath, &bus)
    if isSleepNear != core.isGoingToSleep { core.deliver(isSleepNear ? .goingToSleep : .wokeUp) }
    let paths: [String] =
      switch followed {
      case .session(let path): [path]
      case .allOfUser: try sessionsOfUser(&bus) ?? []
      }
    for path in paths.prefix(LogindLimits.sessionCountMax)
    where try flag("LockedHint", of: Self.session, at: path, &bus) {
      core.deliver(.lock)
      break
    }
  }

  /// A property that is true or false; false when there is none, because its session has ended.
  private func flag(
    _ name: String, of interface: String, at path: String, _ bus: inout BusConnection
  ) throws(BusError) -> Bool {
    var question = try bus.message(
      to: try bus.owner(of: service), path: path, interface: "org.freedesktop.DBus.Properties", member: "Get")
    try question.append(interface)
    try question.append(name)
    guard var answer = try answer(to: question, &bus) else { return false }
    return try answer.reading(.variant, of: "b") { message throws(BusError) in try message.readBool() }
  }

  /// Asks logind to wait with sleep, unless sleep has begun.
  private mutating func inhibit(_ bus: inout BusConnection) throws(BusError) {
    guard !core.isGoingToSleep, (try? bus.owner(of: service)) != nil else { return }
    nextInhibitor = BusDeadline(after: LogindLimits.inhibitorPause)
    var request = try message("Inhibit", bus)
    for text in ["sleep", "Thumbturn", "The vault is locked before the machine sleeps", "delay"] {
      try request.append(text)
    }
    // When it is refused, events come all the same, and it is asked again after the pause. What was held before is closed.
    guard var answer = try answer(to: request, &bus) else { return core.keep(nil) }
    core.keep(try answer.readDescriptor())
  }

  private func message(_ member: String, _ bus: borrowing BusConnection) throws(BusError) -> BusMessage {
    try bus.message(
      to: try bus.owner(of: service), path: Self.managerPath, interface: Self.manager, member: member)
  }

  /// Nil when logind answers with an error: it does not know what was asked for, or refuses it.
  private func answer(
    to question: consuming BusMessage, _ bus: inout BusConnection
  ) throws(BusError) -> BusMessage? {
    do throws(BusError) {
      return try bus.call(question, limit: limit)
    } catch  where error.code == .answeredError {
      return nil
    }
  }
}
