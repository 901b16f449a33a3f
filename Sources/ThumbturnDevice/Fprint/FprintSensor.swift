public import ThumbturnAuthentication

/// The fingerprint reader that fprintd would take by default.
///
/// Only what the process says that owns `net.reactivated.Fprint` now and runs as root counts, and only of our own
/// verification. fprintd asks polkit whether this user may; by polkit's own default, whoever sits at the machine may.
///
/// Of what is enrolled fprintd tells the names of the fingers alone. Where the files of the prints can be read, by root,
/// their times are looked at too; elsewhere a finger that was enrolled anew under its old name goes unnoticed.
public final class FprintSensor: FingerSensor {
  private let surroundings: FprintSurroundings

  /// Nothing is asked for yet.
  public convenience init() { self.init(FprintSurroundings()) }

  init(_ surroundings: FprintSurroundings) { self.surroundings = surroundings }

  /// It is a real one.
  public var isSimulated: Bool { false }

  /// As ``FingerSensor/state()``; at most ``FprintLimits/state``. It starts fprintd when that does not run, and does not
  /// claim the reader, so it also tells while another program uses it.
  public func state() -> SensorState {
    do throws(FprintFailure) {
      var link = try FprintLink.open(surroundings, deadline: BusDeadline(after: FprintLimits.state), stop: nil)
      let reader = try link.defaultReader()
      let name = try link.name(of: reader)
      let fingers = try link.fingers(on: reader)
      guard let generation = printGeneration(below: surroundings.printsFolder) else {
        return .unavailable(.readerFailed)
      }
      // Not the object's path: its number rises whenever a reader is plugged in.
      return .ready(Enrolment(device: name, fingers: fingers.map(\.rawValue), generation: generation))
    } catch {
      switch error {
      case .notEnrolled: return .notEnrolled
      case .unavailable(let reason): return .unavailable(reason)
      case .stopped, .outOfTime, .alreadyEnrolled: return .unavailable(.serviceSilent)
      }
    }
  }

  /// As ``FingerSensor/verify(limit:stop:onEvent:)``. The last quarter of the limit, and at most a second, is kept for
  /// giving the reader back. After a stop that may take ``FprintLimits/ending``, when fprintd does not answer.
  public func verify(limit: Duration, stop: StopSignal, onEvent: (FingerEvent) -> FingerStep) -> FingerEnd {
    let deadline = BusDeadline(after: limit)
    let until = deadline.earlier(by: min(.seconds(1), limit / 4))
    do throws(FprintFailure) {
      var link = try FprintLink.open(surroundings, deadline: deadline, stop: stop)
      let reader = try link.defaultReader()
      let round = FingerRound(enrolled: try link.fingers(on: reader))
      try link.subscribe(to: "VerifyStatus")
      try link.subscribe(to: "VerifyFingerSelected")
      try link.claiming(reader) { link throws(FprintFailure) in
        try Self.lookAtFingers(round, on: reader, until: until, &link, onEvent)
      }
      return .enough
    } catch {
      guard let failure = error.failure else { return error == .stopped ? .stopped : .timedOut }
      return .failed(failure)
    }
  }

  /// One verification of fprintd after the other, until `onEvent` has seen enough.
  private static func lookAtFingers(
    _ fingers: FingerRound, on reader: String, until: BusDeadline, _ link: inout FprintLink,
    _ onEvent: (FingerEvent) -> FingerStep
  ) throws(FprintFailure) {
    var round = fingers
    var step = FingerStep.goOn
    while step == .goOn {
      step = try link.running(.verify, round.request, on: reader) { link throws(FprintFailure) in
        try lookAtOne(&round, on: reader, until: until, &link, onEvent)
      }
    }
  }

  /// One verification of fprintd, which ends with a finger that was seen well enough.
  private static func lookAtOne(
    _ round: inout FingerRound, on reader: String, until: BusDeadline, _ link: inout FprintLink,
    _ onEvent: (FingerEvent) -> FingerStep
  ) throws(FprintFailure) -> FingerStep {
    while true {
      var signal = try link.nextSignal(of: reader, until: until)
      let word: String
      let isEnd: Bool
      do throws(BusError) {
        word = try signal.readText()
        isEnd = signal.member == "VerifyStatus" ? try signal.readBool() : false
      } catch { throw FprintFailure(error) }
      switch signal.member {
      case "VerifyFingerSelected": round.selected(word)
      case "VerifyStatus":
        let step: FingerStep
        switch VerifyStatus(word, isEnd: isEnd) {
        case .matched: step = onEvent(.matched)
        case .notMatched: step = onEvent(round.notMatched())
        case .retry(let why): step = onEvent(.retry(why))
        case .failed: throw .unavailable(.readerFailed)
        case .unknown: step = .goOn
        }
        if isEnd || step == .stop { return step }
      default: break
      }
    }
  }
}
