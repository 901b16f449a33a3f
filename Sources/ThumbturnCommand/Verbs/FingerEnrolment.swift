internal import ThumbturnAuthentication
internal import ThumbturnKeychain
internal import ThumbturnVault

extension Command {
  /// `finger enrol`: adds a finger. Its stages are told on standard error.
  static func enrolFinger(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) {
    let finger = try fingerName(invocation) ?? .usual
    let reader = try changeableReader(in: context)
    if reader.fingers?.contains(finger.rawValue) == true {
      throw CommandFailure(
        .refused, "\(finger.rawValue) is enrolled already, nothing was changed",
        hint: "name another finger, or first: thumbturn finger delete \(finger.rawValue)")
    }
    try confirmChange("enrol", invocation, in: context)
    let readers = try context.readers()
    let times = reader.stageCount.map { ", \($0) times" } ?? ""
    context.tell(
      "\(escaped(reader.name)): put the \(finger.text) on the reader and lift it again\(times); ^C ends it\n")
    let end = try Interruption.stops { stop in
      readers.enrol(finger, limit: context.enrolmentLimit, stop: stop) { context.tell($0.text) }
    }
    switch end {
    case .enrolled: try context.print("\(finger.rawValue) is enrolled\n")
    case .stopped: throw CommandFailure(.personNeeded, "the enrolment was ended, no finger was enrolled")
    case .timedOut:
      throw CommandFailure(
        .personNeeded, "the finger was not shown often enough in time, no finger was enrolled", hint: "try again")
    case .alreadyEnrolled:
      throw CommandFailure(
        .refused, "the reader knows this finger already, under another name or for another user",
        hint: "thumbturn finger list shows yours")
    case .readerFull:
      throw CommandFailure(
        .refused, "the reader has no room for another finger",
        hint: "delete one that is not needed: thumbturn finger delete FINGER")
    case .failed(let failure): throw ofEnrolment(failure)
    }
  }

  /// `finger delete`: removes one finger, or all.
  static func deleteFinger(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) {
    let finger = try fingerName(invocation)
    let reader = try changeableReader(in: context)
    if let fingers = reader.fingers {
      guard !fingers.isEmpty else { throw CommandFailure(.notFound, "no finger is enrolled") }
      if let finger, !fingers.contains(finger.rawValue) {
        throw CommandFailure(
          .notFound, "\(finger.rawValue) is not enrolled",
          hint: "enrolled are \(escaped(fingers.joined(separator: ", ")))")
      }
    }
    if finger == nil, !invocation.options.contains(.yes) {
      try Confirmation.ask(
        "delete every finger of yours, also for logging in?",
        hint: "thumbturn finger delete --yes confirms; or name one finger", in: context)
    }
    try confirmChange("delete", invocation, in: context)
    let readers = try context.readers()
    let failure = try Interruption.stops { (stop) -> AuthenticationFailure? in
      do throws(AuthenticationFailure) { try readers.delete(finger, stop: stop) } catch { return error }
      return nil
    }
    guard let failure else { return }
    throw failure.code == .appCancel
      ? CommandFailure(.personNeeded, "it was ended, no finger was deleted") : ofEnrolment(failure)
  }

  /// The finger that is named, if one is.
  private static func fingerName(_ invocation: Invocation) throws(CommandFailure) -> FingerName? {
    guard invocation.operands.count > 1 else { return nil }
    let word = invocation.operands[1]
    guard let text = String(validating: word, as: UTF8.self), let finger = FingerName(rawValue: text) else {
      throw .unknownFinger(word)
    }
    return finger
  }

  /// The reader whose fingers change.
  private static func changeableReader(in context: CommandContext) throws(CommandFailure) -> FingerReader {
    guard try !context.isVaultSimulated() else {
      throw CommandFailure(
        .refused, "this vault's reader is simulated, and has no finger to enrol or delete",
        hint: "thumbturn finger simulate enrolled, or none")
    }
    guard let reader = try readersThere(in: context).readers.first else {
      throw CommandFailure(AuthenticationFailure(.biometryNotAvailable, .noReader))
    }
    return reader
  }

  /// With another set of fingers, what was stored for the present one is lost.
  private static func confirmChange(
    _ verb: String, _ invocation: Invocation, in context: CommandContext
  ) throws(CommandFailure) {
    guard !invocation.options.contains(.yes) else { return }
    guard let count = try countOfCurrentSet(in: context) else {
      return context.tell(
        "thumbturn: warning: items that require current-finger, if there are any, cannot be read any more afterwards\n")
    }
    guard count > 0 else { return }
    let items = count == 1 ? "1 item that requires" : "\(count) items that require"
    try Confirmation.ask(
      "\(verb) a finger? \(items) current-finger can never be read again.",
      hint: "thumbturn finger \(verb) --yes confirms", in: context)
  }

  /// How many items hang on the fingers that are enrolled now; nil when that cannot be told, as of a locked vault.
  private static func countOfCurrentSet(in context: CommandContext) throws(CommandFailure) -> Int? {
    // Without a passcode there is none, and what is wrong with the vault does not keep a finger from being enrolled.
    guard let seat = try? context.seat() else { return nil }
    guard seat.status.isPresent, seat.status.hasPasscode else { return 0 }
    return try? context.withVault { vault throws(KeychainError) in
      try countOfCurrentSet(in: vault)
    }
  }

  private static func countOfCurrentSet(in vault: any CommandBackend) throws(KeychainError) -> Int {
    let caller = Caller(accessGroups: try vault.accessGroups())
    guard !caller.accessGroups.isEmpty else { return 0 }
    var count = 0
    for itemClass in ItemClass.allCases {
      var query = ItemQuery(itemClass, limit: .all)
      query.synchronizable = .any
      do throws(KeychainError) {
        count += try vault.find(query, for: caller).count {
          $0.accessControl?.conditions.contains(.biometryCurrentSet) == true
        }
      } catch { if error.code != .itemNotFound { throw error } }
    }
    return count
  }

  /// The right that is missing is another one than a verification needs.
  private static func ofEnrolment(_ failure: AuthenticationFailure) -> CommandFailure {
    guard failure.reason == .permissionDenied else { return CommandFailure(failure) }
    return CommandFailure(
      .refused, "the fingerprint service does not let this user change fingers",
      hint: "log in at the machine itself, or ask for the polkit rule net.reactivated.fprint.device.enroll"
    )
  }
}

extension EnrolmentStep {
  /// What is told of it on standard error.
  fileprivate var text: String {
    switch self {
    case .seen(let done, let total): "seen \(done) of \(total)\n"
    case .retry(let retry): CommandFailure.plain(EvaluationProblem.fingerNotSeen(retry).text) + "\n"
    }
  }
}
