public import ThumbturnAuthentication
public import ThumbturnCrypto

/// What a client has at hand for a call that may need a person. The agent believes none of it: it looks at what it knows
/// itself of these sessions, and at what the password opens.
public struct Evidence: Sendable {
  /// The agent's names of what this process has shown, at most ``AuthenticationContext/sessionsCountMax``.
  public var sessions: [[UInt8]]
  /// The program's password, at most 1,024 bytes.
  public var credential: SharedSecret?

  /// Nothing, or this.
  public init(sessions: [[UInt8]] = [], credential: SharedSecret? = nil) {
    self.sessions = sessions
    self.credential = credential
  }

  /// What a context has.
  package init(_ context: AuthenticationContext) {
    self.init(sessions: context.sessionIDs, credential: context.credential)
  }

  /// Whether there is nothing.
  package var isEmpty: Bool { sessions.isEmpty && credential == nil }
}

/// What has to be shown before a call is made again.
public struct NeededEvidence: Hashable, Sendable {
  /// Each has to be fulfilled; none twice.
  public var requirements: Set<Requirement>
  /// Whether the password that came with the call is not the one of an item.
  public var isCredentialWrong: Bool
  /// Sessions of the call that are worth nothing, because they are not known here, or their password is wrong.
  public var deadSessions: Set<[UInt8]>

  /// At least one requirement.
  public init(
    _ requirements: Set<Requirement>, isCredentialWrong: Bool = false, deadSessions: Set<[UInt8]> = []
  ) {
    self.requirements = requirements
    self.isCredentialWrong = isCredentialWrong
    self.deadSessions = deadSessions
  }
}

/// What a person is to be asked for.
public struct EvaluationRequest: Sendable {
  /// The client's name for it, by which it can be ended; no other of this process that runs has it.
  public let id: UInt64
  /// What has to be shown.
  public let requirement: Requirement
  /// What the prompt says.
  public let texts: AuthenticationTexts
  /// Where it can be shown.
  public let place: PromptPlace
  /// What may be enough already, so that nobody has to be asked; at most ``AuthenticationContext/sessionsCountMax``.
  public var sessions: [[UInt8]] = []
  /// Whether the program gives its password with the call itself, so that nobody is asked for it.
  public var hasCredential = false

  /// A request.
  public init(id: UInt64, _ requirement: Requirement, _ texts: AuthenticationTexts, at place: PromptPlace) {
    self.id = id
    self.requirement = requirement
    self.texts = texts
    self.place = place
  }
}

/// An evaluation that succeeded.
public struct Evaluated: Hashable, Sendable {
  /// The agent's name for it; nil when earlier sessions were enough.
  public var session: [UInt8]?
  /// What was shown.
  public var shown: Set<Factor>
  /// What is enrolled, as a number of the program's own; nil when no finger was shown.
  public var stateHash: [UInt8]?

  /// One that succeeded.
  public init(session: [UInt8]?, shown: Set<Factor>, stateHash: [UInt8]? = nil) {
    self.session = session
    self.shown = shown
    self.stateHash = stateHash
  }
}
