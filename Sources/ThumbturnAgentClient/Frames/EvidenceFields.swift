internal import ThumbturnAuthentication
internal import ThumbturnCrypto

// The fields of what is asked of a person, and of what came of it. Writing and reading stand side by side.

extension FieldWriter {
  /// What a client has at hand; no field where it has nothing.
  mutating func evidence(_ number: UInt16, _ value: Evidence) {
    guard !value.isEmpty else { return }
    group(number) { fields in
      fields.sessionIDs(1, value.sessions)
      fields.secret(2, value.credential, countMax: FrameLimits.credentialCountMax)
    }
  }

  /// Names of sessions in ascending order; no field where there is none.
  mutating func sessionIDs(_ number: UInt16, _ ids: [[UInt8]]) {
    guard !ids.isEmpty else { return }
    list(
      number, bytes: Set(ids).sorted { $0.lexicographicallyPrecedes($1) }, countMax: FrameLimits.sessionsCountMax,
      entryCountMax: VerifiedSession.idCount)
  }

  mutating func factors(_ number: UInt16, _ value: Set<Factor>) {
    bytes(number, value.map(\.rawValue).sorted(), countMax: Factor.allCases.count)
  }
}

extension FieldReader {
  mutating func evidence(_ number: UInt16, in bytes: Span<UInt8>) throws(FrameError) -> Evidence {
    guard var fields = try optionalGroup(number, in: bytes) else { return Evidence() }
    let evidence = Evidence(
      sessions: try fields.sessionIDs(1, in: bytes),
      credential: try fields.optionalSecret(2, countMax: FrameLimits.credentialCountMax, in: bytes))
    try fields.end()
    // Nothing is no field.
    guard !evidence.isEmpty else { throw .wrongValue }
    return evidence
  }

  mutating func sessionIDs(_ number: UInt16, in bytes: Span<UInt8>) throws(FrameError) -> [[UInt8]] {
    var ids: [[UInt8]] = []
    let isThere = try optionalList(number, countMax: FrameLimits.sessionsCountMax, in: bytes) {
      (range) throws(FrameError) in
      guard range.count == VerifiedSession.idCount else { throw .wrongSize }
      let id = bytes.extracting(range).copied()
      if let last = ids.last, !last.lexicographicallyPrecedes(id) { throw .wrongValue }
      ids.append(id)
    }
    guard isThere != ids.isEmpty else { throw .wrongValue }
    return ids
  }

  mutating func sessionID(_ number: UInt16, in bytes: Span<UInt8>) throws(FrameError) -> [UInt8] {
    let id = try self.bytes(number, countMax: VerifiedSession.idCount, in: bytes)
    guard id.count == VerifiedSession.idCount else { throw .wrongSize }
    return id
  }

  mutating func factors(_ number: UInt16, in bytes: Span<UInt8>) throws(FrameError) -> Set<Factor> {
    var factors: Set<Factor> = []
    var last: UInt8 = 0
    for raw in try self.bytes(number, countMax: Factor.allCases.count, in: bytes) {
      guard raw > last, let factor = Factor(rawValue: raw) else { throw .wrongValue }
      last = raw
      factors.insert(factor)
    }
    return factors
  }

  /// Something with a reason's number.
  fileprivate mutating func reason(
    _ number: UInt16, in bytes: Span<UInt8>
  ) throws(FrameError) -> AuthenticationFailure.Reason? {
    guard let value = try optionalNumber(number, in: bytes) else { return nil }
    guard let raw = UInt8(exactly: value), let reason = AuthenticationFailure.Reason(rawValue: raw) else {
      throw .wrongValue
    }
    return reason
  }

  fileprivate mutating func stateHash(_ number: UInt16, in bytes: Span<UInt8>) throws(FrameError) -> [UInt8]? {
    let hash = try optionalBytes(number, countMax: AuthenticationStatus.stateHashCount, in: bytes)
    if let hash, hash.count != AuthenticationStatus.stateHashCount { throw .wrongSize }
    return hash
  }
}

extension Requirement {
  func write(to fields: inout FieldWriter) {
    fields.factors(1, factors)
    fields.flag(2, needsAll)
    fields.flag(3, needsApplicationPassword)
  }

  init(_ fields: consuming FieldReader, in bytes: Span<UInt8>) throws(FrameError) {
    let factors = try fields.factors(1, in: bytes)
    let needsAll = try fields.flag(2, in: bytes)
    self.init(factors, needsAll: needsAll, needsApplicationPassword: try fields.flag(3, in: bytes))
    try fields.end()
    // All of fewer than two is one of them: what means the same has one spelling.
    guard self.needsAll == needsAll else { throw .wrongValue }
  }

  /// Requirements are sent in ascending order of this number, so that a set has one encoding.
  fileprivate var order: Int {
    factors.reduce(0) { $0 | 1 << Int($1.rawValue) } * 4 + (needsAll ? 2 : 0) + (needsApplicationPassword ? 1 : 0)
  }
}

extension NeededEvidence {
  func write(to fields: inout FieldWriter) {
    fields.list(1, requirements.sorted { $0.order < $1.order }, countMax: FrameLimits.requirementsCountMax) {
      $1.write(to: &$0)
    }
    fields.flag(2, isCredentialWrong)
    fields.sessionIDs(3, Array(deadSessions))
  }

  init(_ fields: consuming FieldReader, in bytes: Span<UInt8>) throws(FrameError) {
    self.init([])
    var last = -1
    try fields.list(1, countMax: FrameLimits.requirementsCountMax, in: bytes) { (range) throws(FrameError) in
      let requirement = try Requirement(FieldReader(range), in: bytes)
      guard requirement.order > last else { throw .wrongValue }
      last = requirement.order
      requirements.insert(requirement)
    }
    guard !requirements.isEmpty else { throw .wrongValue }
    isCredentialWrong = try fields.flag(2, in: bytes)
    deadSessions = Set(try fields.sessionIDs(3, in: bytes))
    try fields.end()
  }
}

extension AuthenticationTexts {
  fileprivate func write(to fields: inout FieldWriter) {
    fields.text(1, reason)
    fields.text(2, fallbackTitle)
    fields.text(3, cancelTitle)
  }

  fileprivate init(_ fields: consuming FieldReader, in bytes: Span<UInt8>) throws(FrameError) {
    self.init(
      reason: try fields.text(1, in: bytes), fallbackTitle: try fields.optionalText(2, in: bytes),
      cancelTitle: try fields.optionalText(3, in: bytes))
    try fields.end()
  }

  /// What can be sent: as much of each as a prompt shows.
  var cut: AuthenticationTexts {
    AuthenticationTexts(
      reason: Self.cut(reason), fallbackTitle: fallbackTitle.map(Self.cut), cancelTitle: cancelTitle.map(Self.cut))
  }

  private static func cut(_ text: String) -> String {
    var (cut, count) = ("", 0)
    for character in text.prefix(Prompt.textCountMax) {
      count += character.utf8.count
      guard count <= FrameLimits.textCountMax else { break }
      cut.append(character)
    }
    return cut
  }
}

extension PromptPlace {
  func write(to fields: inout FieldWriter) {
    let values = [
      display, authority, waylandDisplay, terminal, terminalType, messagesLocale, charactersLocale,
    ]
    for (index, value) in values.enumerated() { fields.text(UInt16(index + 1), value, countMax: Self.countMax) }
  }

  init(_ fields: consuming FieldReader, in bytes: Span<UInt8>) throws(FrameError) {
    self.init()
    display = try Self.value(1, &fields, in: bytes)
    authority = try Self.value(2, &fields, in: bytes)
    waylandDisplay = try Self.value(3, &fields, in: bytes)
    terminal = try Self.value(4, &fields, in: bytes)
    terminalType = try Self.value(5, &fields, in: bytes)
    messagesLocale = try Self.value(6, &fields, in: bytes)
    charactersLocale = try Self.value(7, &fields, in: bytes)
    try fields.end()
  }

  private static func value(
    _ number: UInt16, _ fields: inout FieldReader, in bytes: Span<UInt8>
  ) throws(FrameError) -> String? {
    guard let value = try fields.optionalText(number, countMax: countMax, in: bytes) else { return nil }
    guard isValid(value) else { throw .wrongValue }
    return value
  }
}

extension EvaluationRequest {
  func write(to fields: inout FieldWriter) {
    fields.number(1, id)
    fields.group(2) { requirement.write(to: &$0) }
    fields.group(3) { texts.write(to: &$0) }
    fields.group(4) { place.write(to: &$0) }
    fields.sessionIDs(5, sessions)
    fields.flag(6, hasCredential)
  }

  init(_ fields: inout FieldReader, in bytes: Span<UInt8>) throws(FrameError) {
    let id = try fields.number(1, in: bytes)
    let requirement = try Requirement(fields.group(2, in: bytes), in: bytes)
    let texts = try AuthenticationTexts(fields.group(3, in: bytes), in: bytes)
    self.init(id: id, requirement, texts, at: try PromptPlace(fields.group(4, in: bytes), in: bytes))
    sessions = try fields.sessionIDs(5, in: bytes)
    hasCredential = try fields.flag(6, in: bytes)
  }
}

extension Evaluated {
  func write(to fields: inout FieldWriter) {
    fields.bytes(1, session, countMax: VerifiedSession.idCount)
    fields.factors(2, shown)
    fields.bytes(3, stateHash, countMax: AuthenticationStatus.stateHashCount)
  }

  init(_ fields: consuming FieldReader, in bytes: Span<UInt8>) throws(FrameError) {
    let session = try fields.optionalBytes(1, countMax: VerifiedSession.idCount, in: bytes)
    if let session, session.count != VerifiedSession.idCount { throw .wrongSize }
    let shown = try fields.factors(2, in: bytes)
    self.init(session: session, shown: shown, stateHash: try fields.stateHash(3, in: bytes))
    try fields.end()
  }
}

extension AuthenticationFailure {
  func write(to fields: inout FieldWriter) {
    fields.number(1, UInt64(code.rawValue))
    fields.number(2, reason.map { UInt64($0.rawValue) })
    fields.size(3, secondsToWait)
  }

  init(_ fields: consuming FieldReader, in bytes: Span<UInt8>) throws(FrameError) {
    guard let raw = UInt8(exactly: try fields.number(1, in: bytes)), let code = Code(rawValue: raw) else {
      throw .wrongValue
    }
    let reason = try fields.reason(2, in: bytes)
    self.init(code, reason, secondsToWait: try fields.size(3, in: bytes))
    try fields.end()
  }
}

extension AuthenticationStatus {
  func write(to fields: inout FieldWriter) {
    fields.flag(1, hasPasscode)
    fields.flag(2, isVaultLocked)
    switch reader {
    case .ready: fields.number(3, 0)
    case .notEnrolled: fields.number(3, 1)
    case .unavailable(let reason):
      fields.number(3, 2)
      fields.number(4, UInt64(reason.rawValue))
    }
    fields.flag(5, isSimulated)
    fields.size(6, fingerFailures)
    fields.bytes(7, stateHash, countMax: Self.stateHashCount)
    fields.number(8, promptObstacle.map { UInt64($0.rawValue) })
  }

  init(_ fields: consuming FieldReader, in bytes: Span<UInt8>) throws(FrameError) {
    self.init()
    hasPasscode = try fields.flag(1, in: bytes)
    isVaultLocked = try fields.flag(2, in: bytes)
    let state = try fields.number(3, in: bytes)
    let obstacle = try fields.reason(4, in: bytes)
    switch (state, obstacle) {
    case (0, nil): reader = .ready
    case (1, nil): reader = .notEnrolled
    case (2, let reason?): reader = .unavailable(reason)
    default: throw .wrongValue
    }
    isSimulated = try fields.flag(5, in: bytes)
    fingerFailures = try fields.size(6, in: bytes)
    stateHash = try fields.stateHash(7, in: bytes)
    promptObstacle = try fields.reason(8, in: bytes)
    try fields.end()
  }
}
