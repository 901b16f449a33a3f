internal import Testing
internal import ThumbturnAuthentication

/// A vault with a passcode, unlocked, and a reader with a finger.
private func readyStatus() -> AuthenticationStatus {
  var status = AuthenticationStatus()
  status.hasPasscode = true
  status.reader = .ready
  return status
}

private let both = Requirement([.finger, .passcode], needsAll: true)

/// What a person does.
enum Act: Sendable {
  case finger(FingerOutcome)
  case passcode(SecretOutcome)
  case password(SecretOutcome)
}

extension EvaluationState {
  mutating func take(_ act: Act) -> EvaluationStep {
    switch act {
    case .finger(let outcome): finger(outcome)
    case .passcode(let outcome): passcode(outcome)
    case .password(let outcome): applicationPassword(outcome)
    }
  }
}

/// One evaluation: what is done, and the step after each of it, the first one included.
struct Course: Sendable, CustomTestStringConvertible {
  let name: String
  let requirement: Requirement
  var status = readyStatus()
  var hidesFallback = false
  var hasPassword = false
  let acts: [Act]
  let steps: [EvaluationStep]
  var testDescription: String { name }

  func run() -> [EvaluationStep] {
    var state = EvaluationState(
      requirement, status, hidesFallback: hidesFallback, hasApplicationPassword: hasPassword)
    var steps = [state.begin()]
    for act in acts { steps.append(state.take(act)) }
    return steps
  }
}

private func without(_ change: (inout AuthenticationStatus) -> Void) -> AuthenticationStatus {
  var status = readyStatus()
  change(&status)
  return status
}

private func failed(_ code: AuthenticationFailure.Code, _ reason: AuthenticationFailure.Reason? = nil) -> EvaluationStep {
  .failed(AuthenticationFailure(code, reason))
}

private func ask(_ problem: EvaluationProblem? = nil, fallback: Bool) -> EvaluationStep {
  .askFinger(hasFallback: fallback, problem: problem)
}

private let fingerCourses: [Course] = [
  Course(
    name: "a finger that matches is enough", requirement: .finger, acts: [.finger(.matched)],
    steps: [ask(fallback: false), .succeeded([.finger])]),
  Course(
    name: "the fallback comes after the first wrong finger, and ends it", requirement: .finger,
    acts: [.finger(.notMatched(failures: 1)), .finger(.fallback)],
    steps: [ask(fallback: false), ask(.fingerNotRecognised, fallback: true), failed(.userFallback)]),
  Course(
    name: "an empty title hides the fallback for good", requirement: .finger, hidesFallback: true,
    acts: [.finger(.notMatched(failures: 1))],
    steps: [ask(fallback: false), ask(.fingerNotRecognised, fallback: false)]),
  Course(
    name: "three wrong fingers end it", requirement: .finger,
    acts: [1, 2, 3].map { .finger(.notMatched(failures: $0)) },
    steps: [
      ask(fallback: false), ask(.fingerNotRecognised, fallback: true), ask(.fingerNotRecognised, fallback: true),
      failed(.authenticationFailed),
    ]),
  Course(
    name: "the fifth wrong one of all locks the reader", requirement: .finger,
    acts: [.finger(.notMatched(failures: 4)), .finger(.notMatched(failures: 5))],
    steps: [ask(fallback: false), ask(.fingerNotRecognised, fallback: true), failed(.biometryLockout)]),
  Course(
    name: "a third wrong one that is the fifth of all is the lock-out", requirement: .finger,
    acts: [3, 4, 5].map { .finger(.notMatched(failures: $0)) },
    steps: [
      ask(fallback: false), ask(.fingerNotRecognised, fallback: true), ask(.fingerNotRecognised, fallback: true),
      failed(.biometryLockout),
    ]),
  Course(
    name: "a finger that was not seen is no failure, ten times", requirement: .finger,
    acts: Array(repeating: .finger(.retry(.tooShort)), count: 10) + [.finger(.matched)],
    steps: [ask(fallback: false)]
      + Array(repeating: ask(.fingerNotSeen(.tooShort), fallback: false), count: 10) + [.succeeded([.finger])]),
  Course(
    name: "cancel", requirement: .finger, acts: [.finger(.cancelled)],
    steps: [ask(fallback: false), failed(.userCancel)]),
  Course(
    name: "nobody", requirement: .finger, acts: [.finger(.timedOut)],
    steps: [ask(fallback: false), failed(.systemCancel, .timedOut)]),
  Course(
    name: "unplugged", requirement: .finger,
    acts: [.finger(.failed(AuthenticationFailure(.biometryDisconnected, .readerUnplugged)))],
    steps: [ask(fallback: false), failed(.biometryDisconnected, .readerUnplugged)]),
]

private let ownerCourses: [Course] = [
  Course(
    name: "the owner's finger", requirement: .owner, acts: [.finger(.matched)],
    steps: [ask(fallback: true), .succeeded([.finger])]),
  Course(
    name: "the owner's fallback is the passcode", requirement: .owner, acts: [.finger(.fallback), .passcode(.right)],
    steps: [ask(fallback: true), .askPasscode(problem: nil), .succeeded([.passcode])]),
  Course(
    name: "three wrong fingers of the owner lead to the passcode", requirement: .owner,
    acts: [1, 2, 3].map { .finger(.notMatched(failures: $0)) } + [.passcode(.right)],
    steps: [
      ask(fallback: true), ask(.fingerNotRecognised, fallback: true), ask(.fingerNotRecognised, fallback: true),
      .askPasscode(problem: .tooManyFingers), .succeeded([.passcode]),
    ]),
  Course(
    name: "so does the fifth of all", requirement: .owner, acts: [.finger(.notMatched(failures: 5))],
    steps: [ask(fallback: true), .askPasscode(problem: .tooManyFingers)]),
  Course(
    name: "and a reader that fails", requirement: .owner,
    acts: [.finger(.failed(AuthenticationFailure(.biometryDisconnected)))],
    steps: [ask(fallback: true), .askPasscode(problem: .readerFailed)]),
  Course(
    name: "but not a prompt that fails", requirement: .owner,
    acts: [.finger(.failed(AuthenticationFailure(.notInteractive, .prompterFailed)))],
    steps: [ask(fallback: true), failed(.notInteractive, .prompterFailed)]),
  Course(
    name: "without a reader the owner gives the passcode", requirement: .owner,
    status: without { $0.reader = .unavailable(.noReader) }, acts: [],
    steps: [.askPasscode(problem: nil)]),
  Course(
    name: "so does a locked vault's", requirement: .owner, status: without { $0.isVaultLocked = true }, acts: [],
    steps: [.askPasscode(problem: nil)]),
  Course(
    name: "and one whose fingers are locked", requirement: .owner, status: without { $0.fingerFailures = 5 },
    acts: [], steps: [.askPasscode(problem: nil)]),
  Course(
    name: "cancel at the passcode", requirement: .passcode, acts: [.passcode(.cancelled)],
    steps: [.askPasscode(problem: nil), failed(.userCancel)]),
  Course(
    name: "three wrong passcodes end it", requirement: .passcode,
    acts: Array(repeating: .passcode(.wrong), count: 3),
    steps: [
      .askPasscode(problem: nil), .askPasscode(problem: .passcodeWrong), .askPasscode(problem: .passcodeWrong),
      failed(.authenticationFailed),
    ]),
  Course(
    name: "refused passcodes say how long", requirement: .passcode, acts: [.passcode(.refused(secondsToWait: 60))],
    steps: [
      .askPasscode(problem: nil),
      .failed(AuthenticationFailure(.authenticationFailed, .passcodesRefused, secondsToWait: 60)),
    ]),
  Course(
    name: "nobody at the passcode", requirement: .passcode, acts: [.passcode(.timedOut)],
    steps: [.askPasscode(problem: nil), failed(.systemCancel, .timedOut)]),
]

private let otherCourses: [Course] = [
  Course(
    name: "both: the finger, then the passcode", requirement: both, acts: [.finger(.matched), .passcode(.right)],
    steps: [ask(fallback: false), .askPasscode(problem: nil), .succeeded([.finger, .passcode])]),
  Course(
    name: "both: three wrong fingers end it", requirement: both,
    acts: [1, 2, 3].map { .finger(.notMatched(failures: $0)) },
    steps: [
      ask(fallback: false), ask(.fingerNotRecognised, fallback: true), ask(.fingerNotRecognised, fallback: true),
      failed(.authenticationFailed),
    ]),
  Course(
    name: "no passcode, no finger", requirement: .finger, status: without { $0.hasPasscode = false }, acts: [],
    steps: [failed(.passcodeNotSet)]),
  Course(
    name: "no passcode, no owner", requirement: .owner, status: without { $0.hasPasscode = false }, acts: [],
    steps: [failed(.passcodeNotSet)]),
  Course(
    name: "no companion", requirement: Requirement([]), acts: [], steps: [failed(.companionNotAvailable)]),
  Course(
    name: "no reader", requirement: .finger, status: without { $0.reader = .unavailable(.permissionDenied) }, acts: [],
    steps: [failed(.biometryNotAvailable, .permissionDenied)]),
  Course(
    name: "no finger enrolled", requirement: both, status: without { $0.reader = .notEnrolled }, acts: [],
    steps: [failed(.biometryNotEnrolled)]),
  Course(
    name: "a locked vault's finger", requirement: .finger, status: without { $0.isVaultLocked = true }, acts: [],
    steps: [failed(.biometryLockout, .vaultLocked)]),
  Course(
    name: "a locked finger", requirement: .finger, status: without { $0.fingerFailures = 5 }, acts: [],
    steps: [failed(.biometryLockout)]),
  Course(
    name: "the program's password comes last",
    requirement: Requirement([.finger], needsApplicationPassword: true), acts: [.finger(.matched), .password(.right)],
    steps: [ask(fallback: false), .askApplicationPassword, .succeeded([.finger])]),
  Course(
    name: "and not when the program gave it", requirement: Requirement([.finger], needsApplicationPassword: true),
    hasPassword: true, acts: [.finger(.matched)], steps: [ask(fallback: false), .succeeded([.finger])]),
  Course(
    name: "the password alone needs no passcode", requirement: Requirement([], needsApplicationPassword: true),
    status: without { $0.hasPasscode = false }, acts: [.password(.right)],
    steps: [.askApplicationPassword, .succeeded([])]),
  Course(
    name: "and can be cancelled", requirement: Requirement([], needsApplicationPassword: true),
    acts: [.password(.cancelled)], steps: [.askApplicationPassword, failed(.userCancel)]),
]

@Suite("An evaluation")
struct EvaluationStateTests {
  @Test("goes step by step, whatever is done", arguments: fingerCourses + ownerCourses + otherCourses)
  func course(course: Course) { #expect(course.run() == course.steps) }

  @Test("that needs all never succeeds with one, in whatever order things happen")
  func neverHalf() {
    let acts: [Act] = [
      .finger(.matched), .finger(.notMatched(failures: 1)), .finger(.retry(.again)), .finger(.fallback),
      .finger(.cancelled), .finger(.timedOut), .passcode(.right), .passcode(.wrong), .passcode(.cancelled),
      .password(.right),
    ]
    var count = 0
    // A shell asks only for what the last step said; the machine is held to it by the acts that fit.
    func walk(_ state: EvaluationState, _ step: EvaluationStep, depth: Int) {
      count += 1
      if case .succeeded(let shown) = step {
        #expect(shown == [.finger, .passcode])
        return
      }
      guard depth > 0 else { return }
      for act in acts {
        switch (step, act) {
        case (.askFinger, .finger), (.askPasscode, .passcode), (.askApplicationPassword, .password): break
        default: continue
        }
        var next = state
        walk(next, next.take(act), depth: depth - 1)
      }
    }
    var state = EvaluationState(Requirement([.finger, .passcode], needsAll: true, needsApplicationPassword: true), readyStatus())
    walk(state, state.begin(), depth: 6)
    #expect(count > 500)
  }
}

@Suite("What can be asked for")
struct AuthenticationStatusTests {
  @Test("stands in this order: passcode, reader, finger, lock-out, lock")
  func order() {
    var status = AuthenticationStatus()
    status.fingerFailures = 5
    status.isVaultLocked = true
    var seen = [status.fingerObstacle]
    status.hasPasscode = true
    seen.append(status.fingerObstacle)
    status.reader = .notEnrolled
    seen.append(status.fingerObstacle)
    status.isSimulated = true
    seen.append(status.fingerObstacle)
    status.reader = .ready
    seen.append(status.fingerObstacle)
    status.fingerFailures = 4
    seen.append(status.fingerObstacle)
    status.isVaultLocked = false
    seen.append(status.fingerObstacle)
    #expect(
      seen == [
        AuthenticationFailure(.passcodeNotSet), AuthenticationFailure(.biometryNotAvailable, .noReader),
        AuthenticationFailure(.biometryNotEnrolled),
        AuthenticationFailure(.biometryNotEnrolled, .nothingSimulated), AuthenticationFailure(.biometryLockout),
        AuthenticationFailure(.biometryLockout, .vaultLocked), nil,
      ])
  }

  @Test("says of a reader whether there is one")
  func reader() {
    var status = AuthenticationStatus()
    #expect(!status.hasReader)
    status.reader = .notEnrolled
    #expect(status.hasReader)
  }

  @Test("lets the owner through wherever a passcode is, and nobody where nothing counts")
  func owner() {
    var status = AuthenticationStatus()
    #expect(status.obstacle(to: .owner) == AuthenticationFailure(.passcodeNotSet))
    status.hasPasscode = true
    #expect(status.obstacle(to: .owner) == nil)
    #expect(status.obstacle(to: .passcode) == nil)
    #expect(status.obstacle(to: .finger) == AuthenticationFailure(.biometryNotAvailable, .noReader))
    #expect(status.obstacle(to: both) == AuthenticationFailure(.biometryNotAvailable, .noReader))
    #expect(status.obstacle(to: Requirement([])) == AuthenticationFailure(.companionNotAvailable))
  }
}
