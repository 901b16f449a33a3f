public import ThumbturnAuthentication
public import ThumbturnKeychain

/// What the agent answers.
public enum AgentReply: Sendable {
  /// It was done, and there is nothing to say.
  case done
  /// The item that was added.
  case item(FoundItem)
  case items([FoundItem])
  case status(AgentStatus)
  case groups([String])
  /// An evaluation that ended; ``failed(_:)`` is for one that could not even begin.
  case evaluated(Result<Evaluated, AuthenticationFailure>)
  case authenticationStatus(AuthenticationStatus)
  /// Nothing was done: this has to be shown first.
  case needsAuthentication(NeededEvidence)
  case failed(AgentFailure)
}

/// A message from the agent.
package enum ReplyMessage: Sendable {
  case hello(Hello)
  case progress(done: Int, total: Int)
  case answer(AgentReply)

  package var kind: ReplyKind {
    switch self {
    case .hello: .done
    case .progress: .progress
    case .answer(.failed): .failed
    case .answer(.needsAuthentication): .needsAuthentication
    case .answer: .done
    }
  }
}

extension ReplyMessage {
  func write(to fields: inout FieldWriter) {
    switch self {
    case .hello(let hello): hello.write(to: &fields)
    case .progress(let done, let total):
      fields.size(1, done)
      fields.size(2, total)
    case .answer(.done): break
    case .answer(.item(let item)): fields.group(1) { item.write(to: &$0) }
    case .answer(.items(let items)):
      fields.list(1, items, countMax: FrameLimits.itemsCountMax) { $1.write(to: &$0) }
    case .answer(.status(let status)): fields.group(1) { status.write(to: &$0) }
    case .answer(.groups(let groups)): fields.list(1, texts: groups, countMax: FrameLimits.groupsCountMax)
    case .answer(.failed(let failure)): failure.write(to: &fields)
    case .answer(.needsAuthentication(let needed)): needed.write(to: &fields)
    case .answer(.evaluated(.success(let evaluated))): fields.group(1) { evaluated.write(to: &$0) }
    case .answer(.evaluated(.failure(let failure))): fields.group(2) { failure.write(to: &$0) }
    case .answer(.authenticationStatus(let status)): fields.group(1) { status.write(to: &$0) }
    }
  }

  /// Reads the body of an answer to `operation`.
  init(
    _ kind: ReplyKind, to operation: Operation, _ fields: consuming FieldReader, in bytes: Span<UInt8>
  ) throws(FrameError) {
    switch kind {
    case .progress:
      let (done, total) = (try fields.size(1, in: bytes), try fields.size(2, in: bytes))
      guard operation.isLong, done <= total else { throw .wrongValue }
      self = .progress(done: done, total: total)
    case .failed:
      self = .answer(.failed(try AgentFailure(fields, in: bytes)))
      return
    case .needsAuthentication:
      guard operation.mayNeedAuthentication else { throw .unknownKind }
      self = .answer(.needsAuthentication(try NeededEvidence(fields, in: bytes)))
      return
    case .done:
      switch operation {
      case .hello:
        self = .hello(try Hello(fields, in: bytes))
        return
      case .add: self = .answer(.item(try FoundItem(fields.group(1, in: bytes), in: bytes)))
      case .find:
        var items: [FoundItem] = []
        try fields.list(1, countMax: FrameLimits.itemsCountMax, in: bytes) { (range) throws(FrameError) in
          items.append(try FoundItem(FieldReader(range), in: bytes))
        }
        self = .answer(.items(items))
      case .status: self = .answer(.status(try AgentStatus(fields.group(1, in: bytes), in: bytes)))
      case .accessGroups: self = .answer(.groups(try fields.texts(1, in: bytes)))
      case .evaluate:
        if let inner = try fields.optionalGroup(1, in: bytes) {
          self = .answer(.evaluated(.success(try Evaluated(inner, in: bytes))))
        } else {
          self = .answer(
            .evaluated(.failure(try AuthenticationFailure(fields.group(2, in: bytes), in: bytes))))
        }
      case .authenticationStatus:
        self = .answer(.authenticationStatus(try AuthenticationStatus(fields.group(1, in: bytes), in: bytes)))
      case .update, .delete, .unlock, .lock, .passcodeSet, .passcodeChange, .passcodeRemove, .rotate, .settings, .stop,
        .acceptOlder, .cancelEvaluation, .endSession, .simulate:
        self = .answer(.done)
      }
    }
    try fields.end()
  }
}
