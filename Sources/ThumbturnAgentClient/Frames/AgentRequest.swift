public import ThumbturnAuthentication
public import ThumbturnCrypto
public import ThumbturnKeychain

/// What a client asks of the agent, after its hello.
public enum AgentRequest: Sendable {
  case add(NewItem, Caller, Evidence = Evidence())
  case find(ItemQuery, Caller, Evidence = Evidence())
  case update(ItemQuery, ItemChange, Caller, Evidence = Evidence())
  case delete(ItemQuery, Caller)
  case status
  case unlock(passcode: SharedSecret)
  case lock
  case passcodeSet(SharedSecret)
  /// Rotating makes new class keys, and seals every record again.
  case passcodeChange(old: SharedSecret, new: SharedSecret, rotates: Bool)
  case passcodeRemove(SharedSecret, rotates: Bool)
  /// New class keys under the same passcode; without one where none is set.
  case rotate(passcode: SharedSecret?)
  /// The groups in which there are items.
  case accessGroups
  case settings(graceSeconds: Int, idleSeconds: Int, passcode: SharedSecret?)
  case stop
  /// Takes an older copy of the vault for the current one.
  case acceptOlder(passcode: SharedSecret?)
  /// Has a person asked; the agent itself verifies what is shown.
  case evaluate(EvaluationRequest)
  /// Ends one of the client's own evaluations.
  case cancelEvaluation(UInt64)
  /// Forgets one of the client's own sessions.
  case endSession([UInt8])
  /// What can be asked for at this place. Nobody is asked.
  case authenticationStatus(PromptPlace)
  /// What a person does at the simulated reader; refused where the reader is none.
  case simulate(SimulatedEvent)

  package var operation: Operation {
    switch self {
    case .add: .add
    case .find: .find
    case .update: .update
    case .delete: .delete
    case .status: .status
    case .unlock: .unlock
    case .lock: .lock
    case .passcodeSet: .passcodeSet
    case .passcodeChange: .passcodeChange
    case .passcodeRemove: .passcodeRemove
    case .rotate: .rotate
    case .accessGroups: .accessGroups
    case .settings: .settings
    case .stop: .stop
    case .acceptOlder: .acceptOlder
    case .evaluate: .evaluate
    case .cancelEvaluation: .cancelEvaluation
    case .endSession: .endSession
    case .authenticationStatus: .authenticationStatus
    case .simulate: .simulate
    }
  }
}

extension AgentRequest {
  func write(to fields: inout FieldWriter) {
    let passcodeMax = FrameLimits.passcodeCountMax
    switch self {
    case .add(let item, let caller, let evidence):
      fields.group(1) { item.write(to: &$0) }
      fields.group(2) { caller.write(to: &$0) }
      fields.evidence(4, evidence)
    case .find(let query, let caller, let evidence):
      fields.group(1) { query.write(to: &$0) }
      fields.group(2) { caller.write(to: &$0) }
      fields.evidence(4, evidence)
    case .delete(let query, let caller):
      fields.group(1) { query.write(to: &$0) }
      fields.group(2) { caller.write(to: &$0) }
    case .update(let query, let change, let caller, let evidence):
      fields.group(1) { query.write(to: &$0) }
      fields.group(2) { change.write(to: &$0) }
      fields.group(3) { caller.write(to: &$0) }
      fields.evidence(4, evidence)
    case .status, .lock, .accessGroups, .stop: break
    case .unlock(let passcode), .passcodeSet(let passcode): fields.secret(1, passcode, countMax: passcodeMax)
    case .passcodeRemove(let passcode, let rotates):
      fields.secret(1, passcode, countMax: passcodeMax)
      fields.flag(3, rotates)
    case .passcodeChange(let old, let new, let rotates):
      fields.secret(1, old, countMax: passcodeMax)
      fields.secret(2, new, countMax: passcodeMax)
      fields.flag(3, rotates)
    case .rotate(let passcode), .acceptOlder(let passcode): fields.secret(1, passcode, countMax: passcodeMax)
    case .settings(let graceSeconds, let idleSeconds, let passcode):
      fields.size(1, graceSeconds)
      fields.size(2, idleSeconds)
      fields.secret(3, passcode, countMax: passcodeMax)
    case .evaluate(let evaluation): evaluation.write(to: &fields)
    case .cancelEvaluation(let id): fields.number(1, id)
    case .endSession(let id): fields.bytes(1, id, countMax: VerifiedSession.idCount)
    case .authenticationStatus(let place): fields.group(1) { place.write(to: &$0) }
    case .simulate(let event): fields.number(1, UInt64(event.rawValue))
    }
  }

  /// Reads the body of a request that is no hello.
  init(_ operation: Operation, _ fields: consuming FieldReader, in bytes: Span<UInt8>) throws(FrameError) {
    let passcodeMax = FrameLimits.passcodeCountMax
    switch operation {
    case .hello: throw .unknownKind
    case .add:
      self = .add(
        try NewItem(fields.group(1, in: bytes), in: bytes), try Caller(fields.group(2, in: bytes), in: bytes),
        try fields.evidence(4, in: bytes))
    case .find:
      self = .find(
        try ItemQuery(fields.group(1, in: bytes), in: bytes), try Caller(fields.group(2, in: bytes), in: bytes),
        try fields.evidence(4, in: bytes))
    case .update:
      self = .update(
        try ItemQuery(fields.group(1, in: bytes), in: bytes), try ItemChange(fields.group(2, in: bytes), in: bytes),
        try Caller(fields.group(3, in: bytes), in: bytes), try fields.evidence(4, in: bytes))
    case .delete:
      self = .delete(
        try ItemQuery(fields.group(1, in: bytes), in: bytes), try Caller(fields.group(2, in: bytes), in: bytes))
    case .status: self = .status
    case .unlock: self = .unlock(passcode: try fields.secret(1, countMax: passcodeMax, in: bytes))
    case .lock: self = .lock
    case .passcodeSet: self = .passcodeSet(try fields.secret(1, countMax: passcodeMax, in: bytes))
    case .passcodeChange:
      self = .passcodeChange(
        old: try fields.secret(1, countMax: passcodeMax, in: bytes),
        new: try fields.secret(2, countMax: passcodeMax, in: bytes), rotates: try fields.flag(3, in: bytes))
    case .passcodeRemove:
      self = .passcodeRemove(
        try fields.secret(1, countMax: passcodeMax, in: bytes), rotates: try fields.flag(3, in: bytes))
    case .rotate: self = .rotate(passcode: try fields.optionalSecret(1, countMax: passcodeMax, in: bytes))
    case .accessGroups: self = .accessGroups
    case .settings:
      self = .settings(
        graceSeconds: try fields.size(1, in: bytes), idleSeconds: try fields.size(2, in: bytes),
        passcode: try fields.optionalSecret(3, countMax: passcodeMax, in: bytes))
    case .stop: self = .stop
    case .acceptOlder: self = .acceptOlder(passcode: try fields.optionalSecret(1, countMax: passcodeMax, in: bytes))
    case .evaluate: self = .evaluate(try EvaluationRequest(&fields, in: bytes))
    case .cancelEvaluation: self = .cancelEvaluation(try fields.number(1, in: bytes))
    case .endSession: self = .endSession(try fields.sessionID(1, in: bytes))
    case .authenticationStatus:
      self = .authenticationStatus(try PromptPlace(fields.group(1, in: bytes), in: bytes))
    case .simulate:
      guard let raw = UInt8(exactly: try fields.number(1, in: bytes)), let event = SimulatedEvent(rawValue: raw) else {
        throw .wrongValue
      }
      self = .simulate(event)
    }
    try fields.end()
  }
}

/// The first message of every connection, and its answer.
package struct Hello: Hashable, Sendable {
  /// The version of the protocol.
  package let version: UInt64
  /// The 16 bytes of the vault's UUID.
  package let vaultID: [UInt8]

  package init(version: UInt64 = UInt64(FrameLimits.version), vaultID: [UInt8]) {
    self.version = version
    self.vaultID = vaultID
  }

  func write(to fields: inout FieldWriter) {
    fields.number(1, version)
    fields.bytes(2, vaultID, countMax: FrameLimits.vaultIDCount)
  }

  init(_ fields: consuming FieldReader, in bytes: Span<UInt8>) throws(FrameError) {
    version = try fields.number(1, in: bytes)
    vaultID = try fields.bytes(2, countMax: FrameLimits.vaultIDCount, in: bytes)
    guard vaultID.count == FrameLimits.vaultIDCount else { throw .wrongSize }
    try fields.end()
  }
}
