internal import LocalAuthentication
internal import Testing
internal import ThumbturnAuthentication

/// SECACCESS.md §3.
@Suite("Policies")
struct PolicyTests {
  /// What the surroundings are like.
  enum Surroundings: CaseIterable {
    case good, noPasscode, noReader, denied, nothingEnrolled, fiveFailures, vaultLocked, noPlace, noAgent, noVault,
      agentWithoutAnswer

    func make() -> Person {
      let person = Person()
      switch self {
      case .good: break
      case .noPasscode: person.change { $0.hasPasscode = false }
      case .noReader: person.change { $0.reader = .unavailable(.noReader) }
      case .denied: person.change { $0.reader = .unavailable(.permissionDenied) }
      case .nothingEnrolled: person.change { ($0.reader, $0.stateHash) = (.notEnrolled, nil) }
      case .fiveFailures: person.change { $0.fingerFailures = AuthenticationStatus.fingerFailuresMax }
      case .vaultLocked: person.change { $0.isVaultLocked = true }
      case .noPlace: person.change { $0.promptObstacle = .noPlace }
      case .noAgent:
        person.change {
          $0 = AuthenticationStatus()
          ($0.hasPasscode, $0.reader, $0.promptObstacle) = (true, .unavailable(.noAgent), .noAgent)
        }
      case .noVault: person.isGone(AuthenticationFailure(.passcodeNotSet, .noVault))
      case .agentWithoutAnswer: person.isGone(AuthenticationFailure(.systemCancel, .agentFailed))
      }
      return person
    }
  }

  struct Row: CustomTestStringConvertible, Sendable {
    let surroundings: Surroundings
    /// By the raw values 1 to 5 of the policy.
    let codes: [LAError.Code?]
    let biometryType: LABiometryType
    var testDescription: String { "\(surroundings)" }

    init(_ surroundings: Surroundings, _ codes: [LAError.Code?], _ biometryType: LABiometryType = .touchID) {
      self.surroundings = surroundings
      self.codes = codes
      self.biometryType = biometryType
    }
  }
  static let none = LAError.Code.companionNotAvailable
  static let rows: [Row] = [
    Row(.good, [nil, nil, none, nil, none]),
    Row(.noPasscode, [.passcodeNotSet, .passcodeNotSet, none, .passcodeNotSet, none]),
    Row(.noReader, [.biometryNotAvailable, nil, none, .biometryNotAvailable, none], .none),
    Row(.denied, [.biometryNotAvailable, nil, none, .biometryNotAvailable, none], .none),
    Row(.nothingEnrolled, [.biometryNotEnrolled, nil, none, .biometryNotEnrolled, none]),
    Row(.fiveFailures, [.biometryLockout, nil, none, .biometryLockout, none]),
    Row(.vaultLocked, [.biometryLockout, nil, none, .biometryLockout, none]),
    Row(.noPlace, [.notInteractive, .notInteractive, none, .notInteractive, none]),
    Row(.noAgent, [.biometryNotAvailable, .notInteractive, none, .biometryNotAvailable, none], .none),
    Row(.noVault, [.biometryNotAvailable, .passcodeNotSet, none, .biometryNotAvailable, none], .none),
    Row(.agentWithoutAnswer, [.biometryNotAvailable, .systemCancel, none, .biometryNotAvailable, none], .none),
  ]

  @Test("can succeed or not as Apple's table says, and nobody is asked", arguments: rows)
  func table(row: Row) {
    let person = row.surroundings.make()
    let context = LAContext(over: person)
    #expect((1...5).map { context.obstacle(to: policy($0)) } == row.codes)
    #expect(person.promptCount == 0)
    #expect(person.requests.isEmpty)
  }

  @Test("say what kind of reader there is, also when they cannot succeed, and nothing before", arguments: rows)
  func biometryType(row: Row) {
    for raw in [1, 2, 4] {
      let context = LAContext(over: row.surroundings.make())
      #expect(context.biometryType == .none)
      context.canEvaluatePolicy(policy(raw), error: nil)
      #expect(context.biometryType == row.biometryType)
    }
  }

  @Test("every surrounding is in the table")
  func complete() { #expect(Set(Self.rows.map(\.surroundings)) == Set(Surroundings.allCases)) }

  @Test("a success leaves the error as it is")
  func errorUntouched() {
    let before = NSError(domain: "before", code: 1)
    var error: NSError? = before
    let can = LAContext(over: Person()).canEvaluatePolicy(.deviceOwnerAuthentication, error: &error)
    #expect(can)
    #expect(error === before)
  }

  @Test("a simulated reader needs no place for a prompt, as long as a finger can be used")
  func simulated() {
    let person = Person()
    person.change { ($0.isSimulated, $0.promptObstacle) = (true, .noPlace) }
    let context = LAContext(over: person)
    #expect(context.obstacle(to: .deviceOwnerAuthenticationWithBiometrics) == nil)
    #expect(context.obstacle(to: .deviceOwnerAuthentication) == nil)
    person.change { $0.fingerFailures = 5 }
    #expect(context.obstacle(to: .deviceOwnerAuthentication) == .notInteractive)
  }

  @Test(
    "a policy that no system has can neither be asked about nor evaluated", arguments: [0, 6, 99, -1, 257, Int.max])
  func unknown(raw: Int) async {
    let person = Person()
    let context = LAContext(over: person)
    #expect(context.obstacle(to: policy(raw)) == .companionNotAvailable)
    #expect(await context.code(of: policy(raw)) == .companionNotAvailable)
    #expect(person.requests.isEmpty)
  }

  @Test(
    "ask for what they stand for",
    arguments: [(1, Requirement.finger), (2, .owner), (3, Requirement([])), (4, .finger)])
  func requirements(raw: Int, requirement: Requirement) async {
    let person = Person()
    #expect(await LAContext(over: person).code(of: policy(raw)) == nil)
    #expect(person.requests.map(\.requirement) == [requirement])
  }

  @Test("have Apple's numbers and names")
  func numbers() {
    let policies: [LAPolicy] = [
      .deviceOwnerAuthenticationWithBiometrics, .deviceOwnerAuthentication, .deviceOwnerAuthenticationWithCompanion,
      .deviceOwnerAuthenticationWithBiometricsOrCompanion, .deviceOwnerAuthenticationWithWristDetection,
    ]
    #expect(policies.map(\.rawValue) == [1, 2, 3, 4, 5])
    #expect(LAPolicy.deviceOwnerAuthenticationWithWatch == .deviceOwnerAuthenticationWithCompanion)
    #expect(
      LAPolicy.deviceOwnerAuthenticationWithBiometricsOrWatch == .deviceOwnerAuthenticationWithBiometricsOrCompanion)
    #expect([LABiometryType.none, .touchID, .faceID, .opticID].map(\.rawValue) == [0, 1, 2, 4])
    #expect([LACredentialType.applicationPassword, .smartCardPIN].map(\.rawValue) == [0, -3])
    let operations: [LAAccessControlOperation] = [
      .createItem, .useItem, .createKey, .useKeySign, .useKeyDecrypt, .useKeyKeyExchange,
    ]
    #expect(operations.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
    #expect([LACompanionType.watch, .mac, .vision].map(\.rawValue) == [1, 2, 4])
    #expect(LATouchIDAuthenticationMaximumAllowableReuseDuration == 300)
  }

  private func policy(_ raw: Int) -> LAPolicy {
    // An open enum takes every number.
    LAPolicy(rawValue: raw) ?? .deviceOwnerAuthentication
  }
}
