public import ThumbturnAuthentication

/// Lists readers and fingers of this process's user, enrols fingers, and removes them: for the command line.
///
/// Every call waits on the thread that makes it. fprintd asks polkit before it enrols or removes, and polkit may ask for a
/// password by a program of the desktop: such a call waits at most ``FprintLimits/authorisation``, the others as
/// ``FprintLimits/call`` says. From any thread; one at a time, because the reader has one user.
///
/// What they throw: ``AuthenticationFailure/Code/biometryNotAvailable`` with the reason (`noBus`, `noService`,
/// `serviceSilent`, `noReader`, `readerBusy`, `readerFailed`, `permissionDenied`),
/// ``AuthenticationFailure/Code/biometryDisconnected``, ``AuthenticationFailure/Code/biometryNotEnrolled``, and
/// ``AuthenticationFailure/Code/appCancel`` after a stop.
public struct FprintEnrolment: Sendable {
  private let surroundings: FprintSurroundings

  /// Nothing is asked for yet.
  public init() { self.init(FprintSurroundings()) }

  init(_ surroundings: FprintSurroundings) { self.surroundings = surroundings }

  /// The readers, first the one that ``FprintSensor`` takes; at most ``FprintLimits/readerCountMax``. Within 10 seconds.
  ///
  /// - Throws: `noReader` when there is none.
  public func readers() throws(AuthenticationFailure) -> [FprintReader] {
    try asking(limit: .seconds(10), stop: nil) { link throws(FprintFailure) in
      let first = try link.defaultReader()
      let others = try link.readerPaths().filter { $0 != first }
      var readers: [FprintReader] = []
      for path in ([first] + others).prefix(FprintLimits.readerCountMax) {
        readers.append(try link.description(of: path))
      }
      return readers
    }
  }

  /// The enrolled fingers, in the order of ``Finger``; empty when there is none. Within 10 seconds.
  public func fingers(on reader: FprintReader) throws(AuthenticationFailure) -> [Finger] {
    try asking(limit: .seconds(10), stop: nil) { link throws(FprintFailure) in
      do throws(FprintFailure) { return try link.fingers(on: reader.path) } catch {
        guard error == .notEnrolled else { throw error }
        return []
      }
    }
  }

  /// Enrols a finger. One that is enrolled under this name is replaced, or ``EnrolmentEnd/alreadyEnrolled``, as the version
  /// of fprintd does.
  ///
  /// - Parameters:
  ///   - limit: The longest that it takes, from now.
  ///   - stop: Ends it when it is set; nothing is enrolled then.
  ///   - onStep: Called on this thread each time that the finger was shown.
  public func enrol(
    _ finger: Finger, on reader: FprintReader, limit: Duration, stop: StopSignal, onStep: (EnrolmentStep) -> Void
  ) throws(AuthenticationFailure) -> EnrolmentEnd {
    let deadline = BusDeadline(after: limit)
    let until = deadline.earlier(by: min(.seconds(1), limit / 4))
    do throws(FprintFailure) {
      var link = try FprintLink.open(surroundings, deadline: deadline, stop: stop)
      try link.subscribe(to: "EnrollStatus")
      return try link.claiming(reader.path, limit: FprintLimits.authorisation) { link throws(FprintFailure) in
        try link.running(.enrol, finger.rawValue, on: reader.path, limit: FprintLimits.authorisation) {
          link throws(FprintFailure) in
          try Self.showFinger(on: reader, until: until, &link, onStep)
        }
      }
    } catch {
      switch error {
      case .stopped: return .stopped
      case .outOfTime: return .timedOut
      case .alreadyEnrolled: return .alreadyEnrolled
      default: throw error.failure ?? AuthenticationFailure(.appCancel)
      }
    }
  }

  /// Removes a finger. Within 190 seconds, when polkit asks for a password and nobody answers.
  public func remove(
    _ finger: Finger, on reader: FprintReader, stop: StopSignal? = nil
  ) throws(AuthenticationFailure) {
    try remove("DeleteEnrolledFinger", [finger.rawValue], on: reader, stop: stop)
  }

  /// Removes all fingers of this user. As ``remove(_:on:stop:)``.
  public func removeAll(on reader: FprintReader, stop: StopSignal? = nil) throws(AuthenticationFailure) {
    try remove("DeleteEnrolledFingers2", [], on: reader, stop: stop)
  }

  private func remove(
    _ member: String, _ arguments: [String], on reader: FprintReader, stop: StopSignal?
  ) throws(AuthenticationFailure) {
    try asking(limit: FprintLimits.authorisation * 3, stop: stop) { link throws(FprintFailure) in
      try link.claiming(reader.path, limit: FprintLimits.authorisation) { link throws(FprintFailure) in
        _ = try link.call(member, at: reader.path, arguments, limit: FprintLimits.authorisation)
      }
    }
  }

  private func asking<Value>(
    limit: Duration, stop: StopSignal?, _ body: (inout FprintLink) throws(FprintFailure) -> Value
  ) throws(AuthenticationFailure) -> Value {
    do throws(FprintFailure) {
      var link = try FprintLink.open(surroundings, deadline: BusDeadline(after: limit), stop: stop)
      return try body(&link)
    } catch {
      switch error {
      case .stopped: throw AuthenticationFailure(.appCancel)
      case .outOfTime: throw AuthenticationFailure(.biometryNotAvailable, .serviceSilent)
      default: throw error.failure ?? AuthenticationFailure(.biometryNotAvailable, .readerFailed)
      }
    }
  }

  /// Follows what fprintd says of an enrolment until it is over.
  private static func showFinger(
    on reader: FprintReader, until: BusDeadline, _ link: inout FprintLink, _ onStep: (EnrolmentStep) -> Void
  ) throws(FprintFailure) -> EnrolmentEnd {
    var done = 0
    while true {
      var signal = try link.nextSignal(of: reader.path, until: until)
      guard signal.member == "EnrollStatus" else { continue }
      let word: String
      let isEnd: Bool
      do throws(BusError) {
        word = try signal.readText()
        isEnd = try signal.readBool()
      } catch { throw FprintFailure(error) }
      switch EnrolStatus(word, isEnd: isEnd) {
      case .seen:
        done = min(done + 1, reader.stageCount)
        onStep(.seen(done: done, total: reader.stageCount))
      case .retry(let why): onStep(.retry(why))
      case .ended(.enrolled):
        // The last stage has no word of its own.
        if done < reader.stageCount { onStep(.seen(done: reader.stageCount, total: reader.stageCount)) }
        return .enrolled
      case .ended(let end): return end
      case .failed: throw .unavailable(.readerFailed)
      case .unknown: break
      }
    }
  }
}

extension FprintLink {
  fileprivate mutating func description(of path: String) throws(FprintFailure) -> FprintReader {
    let name = try name(of: path)
    let stages = try property("num-enroll-stages", of: "i", at: path) { message throws(BusError) in
      try message.readInt32()
    }
    let scan = try property("scan-type", of: "s", at: path) { message throws(BusError) in try message.readText() }
    // fprintd says -1 of a reader that it has not opened yet, where that depends on the reader.
    return FprintReader(path: path, name: name, stageCount: max(1, Int(stages)), isSwiped: scan == "swipe")
  }
}
