package import ThumbturnAgentClient
package import ThumbturnAuthentication
package import ThumbturnCrypto
package import ThumbturnKeychain
import ThumbturnVault

/// Messages of every kind, with every member set and with none.
package enum Samples {
  /// A UUID for tests.
  package static let vaultID: [UInt8] = (0..<16).map { UInt8(0xA0 + $0) }

  /// A secret with these bytes.
  package static func secret(_ bytes: [UInt8]) throws -> SharedSecret {
    SharedSecret(try SecretBytes(copying: bytes.span))
  }

  /// Values of each of the four kinds, with the odd ones among them.
  package static let attributes: [Attribute: AttributeValue] = [
    .creationDate: .date(-0.0), .modificationDate: .date(.nan), .label: .text("e\u{301}clair \u{1F511}"),
    .account: .data([0, 255, 128]), .service: .text(""), .creator: .number(.min), .type: .number(.max),
    .generic: .data([]), .accessGroup: .text("G1"), Attribute(rawValue: 65_535): .number(0),
  ]

  /// Everything that an item may have.
  package static func fullItem() throws -> NewItem {
    var item = NewItem(
      .internetPassword, attributes, secret: try secret([1, 2, 3]), protectionClass: .afterFirstUnlock)
    item.isSynchronizable = true
    item.accessControl = AccessControl(.whenUnlocked, [.biometryAny, .devicePasscode, .or])
    item.extraSecrets = [.extraNotes: try secret([]), .clientDefined3: try secret([9])]
    return item
  }

  /// Everything that a change may have.
  package static func fullChange() throws -> ItemChange {
    var change = ItemChange(attributes, secret: try secret([4]))
    change.protectionClass = .always
    change.isSynchronizable = false
    change.accessControl = AccessControl(.whenPasscodeSetThisDeviceOnly, .userPresence)
    change.extraSecrets = [.extraHistory: try secret([7, 7])]
    return change
  }

  /// Everything that a query may have.
  package static func fullQuery() -> ItemQuery {
    var query = ItemQuery(.certificate, attributes, limit: .count(-3), wantsSecret: true)
    query.identityKey = [.keyClass: .number(1)]
    query.protectionClass = .alwaysThisDeviceOnly
    query.synchronizable = .any
    query.reference = Array(repeating: 5, count: 16)
    query.filter.host = "example.org"
    query.filter.references = [[1, 2], [1], []]
    query.filter.subjectPart = .init("part", ignoresCase: true)
    query.filter.issuers = [[3], [0, 1]]
    query.wantsExtraSecrets = true
    query.consent = .leaveOut
    return query
  }

  /// Queries that set one thing each.
  package static func queries() -> [ItemQuery] {
    var queries = [fullQuery(), ItemQuery(.genericPassword), ItemQuery(.key, limit: .all)]
    for consent in [ItemQuery.Consent.ask, .refuse, .leaveOut] {
      for synchronizable in [ItemQuery.Synchronizable.no, .yes, .any] {
        var query = ItemQuery(.internetPassword)
        (query.consent, query.synchronizable) = (consent, synchronizable)
        queries.append(query)
      }
    }
    for part in 0..<4 {
      var query = ItemQuery(.certificate, limit: .count(.max))
      switch part {
      case 0: query.filter.host = ""
      case 1: query.filter.references = []
      case 2: query.filter.subjectPart = .init("")
      default: query.filter.issuers = [[]]
      }
      queries.append(query)
    }
    return queries
  }

  /// Everything that an item that was found may have: an identity, with its key.
  package static func fullFound() throws -> FoundItem {
    let key = FoundItem(
      itemClass: .key, attributes: attributes, protectionClass: .whenUnlockedThisDeviceOnly, isSynchronizable: false,
      reference: Array(repeating: 6, count: 16), secret: try secret([8]),
      accessControl: AccessControl(.whenUnlocked, [.privateKeyUsage, .biometryCurrentSet]))
    return FoundItem(
      itemClass: .certificate, attributes: attributes, protectionClass: .always, isSynchronizable: true,
      reference: Array(repeating: 7, count: 16), secret: try secret([]), accessControl: AccessControl(.always),
      extraSecrets: [.extraNotes: try secret([1])], identityKey: key)
  }

  /// The least that an item may have.
  package static func plainFound() -> FoundItem {
    FoundItem(
      itemClass: .genericPassword,
      attributes: [.account: .text("a"), .accessGroup: .text("default")] as ItemAttributes,
      protectionClass: .whenUnlocked, isSynchronizable: false, reference: Array(repeating: 1, count: 16), secret: nil)
  }

  /// Everything that a status may say.
  package static func fullStatus() -> AgentStatus {
    var status = AgentStatus(process: .max, vaultID: vaultID)
    status.hasPasscode = true
    status.lockState = .locking(secondsLeft: 9)
    status.openClasses = [.whenUnlocked, .always, .whenPasscodeSetThisDeviceOnly]
    status.secondsUntilIdleLock = 890
    (status.graceSeconds, status.idleSeconds) = (10, 900)
    (status.failedAttempts, status.secondsToWait) = (6, 300)
    status.deviceKeyPath = "/home/u/.local/state/thumbturn/device/d0"
    (status.isMemoryLocked, status.listensToLogind, status.isSimulated) = (true, true, true)
    (status.itemCount, status.formatMajor, status.formatMinor) = (12, 1, 2)
    return status
  }

  /// A request of every operation, and of some with what may be absent.
  package static func requests() throws -> [AgentRequest] {
    let caller = Caller(accessGroups: ["G1", "e\u{301}", ""], appClipGroup: "clip")
    let passcode = try secret(Array("123456".utf8))
    return [
      .add(try fullItem(), caller), .add(NewItem(.key, [:]), Caller(accessGroups: [])),
      .update(fullQuery(), try fullChange(), caller), .update(ItemQuery(.key), ItemChange(), Caller()),
      .delete(fullQuery(), caller), .status, .unlock(passcode: passcode), .lock, .passcodeSet(passcode),
      .passcodeChange(old: passcode, new: try secret([]), rotates: false), .passcodeRemove(passcode, rotates: true),
      .rotate(passcode: nil),
      .rotate(passcode: passcode), .accessGroups, .settings(graceSeconds: 0, idleSeconds: .max, passcode: nil),
      .settings(graceSeconds: 10, idleSeconds: 900, passcode: passcode), .stop, .acceptOlder(passcode: nil),
      .acceptOlder(passcode: passcode),
    ] + queries().map { .find($0, caller) } + (try authenticationRequests())
  }

  /// Names of sessions, and a password.
  package static func fullEvidence() throws -> Evidence {
    Evidence(sessions: (0..<16).map { Array(repeating: UInt8($0), count: 16) }, credential: try secret([0, 5]))
  }

  /// A place with everything.
  package static func fullPlace() -> PromptPlace {
    var place = PromptPlace()
    (place.display, place.authority, place.waylandDisplay) = (":0", "/run/user/1000/xauth", "wayland-0")
    (place.terminal, place.terminalType) = ("/dev/pts/3", "xterm-256color")
    (place.messagesLocale, place.charactersLocale) = ("de_AT.UTF-8", "C")
    return place
  }

  /// Every requirement that there can be.
  package static let requirements: [Requirement] = {
    let sets: [Set<Factor>] = [[], [.finger], [.passcode], [.finger, .passcode]]
    var requirements: [Requirement] = []
    for factors in sets {
      for (needsAll, needsPassword) in [(false, false), (false, true), (true, false), (true, true)] {
        requirements.append(Requirement(factors, needsAll: needsAll, needsApplicationPassword: needsPassword))
      }
    }
    return requirements
  }()

  /// What is asked about people, with everything and with nothing.
  package static func authenticationRequests() throws -> [AgentRequest] {
    let caller = Caller()
    let texts = AuthenticationTexts(reason: "e\u{301}", fallbackTitle: "", cancelTitle: "No")
    var full = EvaluationRequest(id: .max, .owner, texts, at: fullPlace())
    full.sessions = [Array(repeating: 0, count: 16), Array(repeating: 255, count: 16)]
    full.hasCredential = true
    return [
      .add(try fullItem(), caller, Evidence(credential: try secret([]))),
      .find(ItemQuery(.key), caller, try fullEvidence()),
      .update(ItemQuery(.key), ItemChange(), caller, Evidence(sessions: [Array(repeating: 9, count: 16)])),
      .evaluate(full), .cancelEvaluation(7), .endSession(Array(repeating: 1, count: 16)),
      .authenticationStatus(PromptPlace()), .authenticationStatus(fullPlace()),
    ] + requirements.map { .evaluate(EvaluationRequest(id: 0, $0, AuthenticationTexts(), at: PromptPlace())) }
      + SimulatedEvent.allCases.map { .simulate($0) }
  }

  /// Everything that a status of authentication may say.
  package static func fullAuthenticationStatus() -> AuthenticationStatus {
    var status = AuthenticationStatus()
    (status.hasPasscode, status.isVaultLocked, status.isSimulated) = (true, true, true)
    (status.reader, status.fingerFailures) = (.ready, 4)
    status.stateHash = Array(repeating: 3, count: AuthenticationStatus.stateHashCount)
    status.promptObstacle = .noPlace
    return status
  }

  /// Answers about people, with the operation that each answers.
  package static func authenticationReplies() -> [(operation: ThumbturnAgentClient.Operation, reply: ReplyMessage)] {
    var statuses = [AuthenticationStatus(), fullAuthenticationStatus()]
    for reader in [AuthenticationStatus.Reader.notEnrolled, .unavailable(.noBus)] {
      var status = AuthenticationStatus()
      status.reader = reader
      statuses.append(status)
    }
    let id = Array(repeating: UInt8(4), count: 16)
    let needed = [
      NeededEvidence([.owner]),
      NeededEvidence(
        Set(requirements), isCredentialWrong: true, deadSessions: [id, Array(repeating: 3, count: 16)]),
    ]
    var failures = AuthenticationFailure.Code.allCases.map { AuthenticationFailure($0) }
    failures.append(AuthenticationFailure(.authenticationFailed, .passcodesRefused, secondsToWait: 300))
    return [
      (.evaluate, .answer(.evaluated(.success(Evaluated(session: nil, shown: []))))),
      (
        .evaluate,
        .answer(
          .evaluated(
            .success(
              Evaluated(session: id, shown: [.finger, .passcode], stateHash: Array(repeating: 1, count: 32)))))
      ),
      (.evaluate, .progress(done: 0, total: 1)), (.simulate, .answer(.done)),
    ] + needed.map { (.find, .answer(.needsAuthentication($0))) }
      + failures.map { (.evaluate, .answer(.evaluated(.failure($0)))) }
      + statuses.map { (.authenticationStatus, .answer(.authenticationStatus($0))) }
  }

  /// Answers of every kind, with the operation that each answers.
  package static func replies() throws -> [(operation: ThumbturnAgentClient.Operation, reply: ReplyMessage)] {
    var plain = AgentStatus(process: 1, vaultID: vaultID)
    var statuses = [fullStatus()]
    for state in [AgentStatus.LockState.beforeFirstUnlock, .unlocked, .locked] {
      plain.lockState = state
      statuses.append(plain)
    }
    let failure = KeychainError(.itemNotFound, VaultError(.damagedRecord, "", part: .database))
    return [
      (.hello, .hello(Hello(vaultID: vaultID))), (.add, .answer(.item(try fullFound()))),
      (.find, .answer(.items([]))), (.find, .answer(.items([try fullFound(), plainFound(), plainFound()]))),
      (.update, .answer(.done)), (.passcodeSet, .progress(done: 3, total: 10)), (.stop, .answer(.done)),
      (.accessGroups, .answer(.groups(["a", ""]))), (.accessGroups, .answer(.groups([]))),
      (.add, .answer(.failed(AgentFailure(KeychainError(.duplicateItem))))),
      (.find, .answer(.failed(AgentFailure(failure)))),
      (.unlock, .answer(.failed(AgentFailure(VaultError(.lockedOut, "", secondsToWait: 300))))),
    ] + statuses.map { (.status, .answer(.status($0))) } + authenticationReplies()
  }
}
