internal import Foundation
internal import LocalAuthentication
internal import Testing
internal import ThumbturnAuthentication

/// SECACCESS.md §4.
@Suite("Errors")
struct ErrorTests {
  static let rows: [(AuthenticationFailure.Code, Int, Int32)] = [
    (.authenticationFailed, -1, kLAErrorAuthenticationFailed), (.userCancel, -2, kLAErrorUserCancel),
    (.userFallback, -3, kLAErrorUserFallback), (.systemCancel, -4, kLAErrorSystemCancel),
    (.passcodeNotSet, -5, kLAErrorPasscodeNotSet), (.biometryNotAvailable, -6, kLAErrorBiometryNotAvailable),
    (.biometryNotEnrolled, -7, kLAErrorBiometryNotEnrolled), (.biometryLockout, -8, kLAErrorBiometryLockout),
    (.appCancel, -9, kLAErrorAppCancel), (.invalidContext, -10, kLAErrorInvalidContext),
    (.companionNotAvailable, -11, kLAErrorCompanionNotAvailable),
    (.biometryDisconnected, -13, kLAErrorBiometryDisconnected), (.notInteractive, -1004, kLAErrorNotInteractive),
  ]

  @Test("of every failure have Apple's number, and its text and remedy", arguments: rows)
  func mapping(code: AuthenticationFailure.Code, number: Int, constant: Int32) async {
    let failure = AuthenticationFailure(code)
    let error = await Self.error(of: failure)
    #expect(error.domain == "com.apple.LocalAuthentication")
    #expect(error.code == number)
    #expect(Int(constant) == number)
    #expect(error.localizedDescription == failure.text)
    #expect(error.localizedFailureReason == failure.message)
    #expect(error.localizedRecoverySuggestion == failure.remedy)
  }

  @Test("the table has every failure")
  func complete() { #expect(Self.rows.map(\.0) == AuthenticationFailure.Code.allCases) }

  @Test("say what stands in the way and what to do about it", arguments: AuthenticationFailure.Reason.allCases)
  func reasons(reason: AuthenticationFailure.Reason) async {
    for code in [AuthenticationFailure.Code.notInteractive, .biometryNotAvailable, .systemCancel] {
      let error = await Self.error(of: AuthenticationFailure(code, reason))
      // An agent that is not there is told in the words of the policy.
      #expect(error.localizedDescription.hasPrefix(reason.message), "\(code)")
      #expect(error.localizedRecoverySuggestion == reason.remedy, "\(code)")
    }
  }

  @Test("say how long to wait after too many passcodes")
  func waiting() async {
    let failure = AuthenticationFailure(.authenticationFailed, .passcodesRefused, secondsToWait: 61)
    #expect(
      await Self.error(of: failure).localizedDescription == "Too many wrong passcodes. Try again in 61 seconds.")
  }

  private static func error(of failure: AuthenticationFailure) async -> NSError {
    do {
      _ = try await LAContext(over: Person(.failure(failure))).evaluatePolicy(
        .deviceOwnerAuthenticationWithBiometrics, localizedReason: "r")
      return NSError(domain: "none", code: 0)
    } catch { return error as NSError }
  }

  @Test("have the number of each name")
  func codes() {
    let codes: [LAError.Code] = [
      LAError.authenticationFailed, LAError.userCancel, LAError.userFallback, LAError.systemCancel,
      LAError.passcodeNotSet, LAError.biometryNotAvailable, LAError.biometryNotEnrolled, LAError.biometryLockout,
      LAError.appCancel, LAError.invalidContext, LAError.companionNotAvailable, LAError.biometryNotPaired,
      LAError.biometryDisconnected, LAError.invalidDimensions, LAError.notInteractive,
    ]
    #expect(codes.map(\.rawValue) == (1...14).map { -$0 } + [-1004])
    #expect(LAError.watchNotAvailable.rawValue == -11)
    #expect(LAError.Code.watchNotAvailable == .companionNotAvailable)
    #expect([kLAErrorTouchIDNotAvailable, kLAErrorTouchIDNotEnrolled, kLAErrorTouchIDLockout] == [-6, -7, -8])
    #expect([kLAErrorWatchNotAvailable, kLAErrorBiometryNotPaired, kLAErrorInvalidDimensions] == [-11, -12, -14])
  }

  @Test("are caught in every way that programs use")
  func catching() {
    func thrown() throws { throw LAError(.userCancel) }
    func asObject() throws { throw NSError(domain: LAErrorDomain, code: Int(kLAErrorUserCancel)) }
    for body in [thrown, asObject] {
      #expect(way(body) { if case LAError.userCancel = $0 { true } else { false } })
      #expect(way(body) { ($0 as? LAError)?.code == .userCancel })
      #expect(way(body) { ($0 as NSError).code == -2 && ($0 as NSError).domain == LAErrorDomain })
      #expect(way(body) { LAError(_nsError: $0 as NSError).code == .userCancel })
      #expect(way(body) { ($0 as? LAError)?.errorCode == -2 })
      #expect(
        way(body) {
          switch $0 {
          case LAError.authenticationFailed: false
          case LAError.userCancel: true
          default: false
          }
        })
      #expect(
        way(body) {
          switch ($0 as? LAError)?.code {
          case .authenticationFailed?: false
          case .userCancel?: true
          default: false
          }
        })
      #expect(caughtByPattern(body) == "userCancel")
      #expect(caughtByType(body) == -2)
      #expect(caughtAsObject(body) == -2)
    }
  }

  private func way(_ body: () throws -> Void, _ check: (any Error) -> Bool) -> Bool {
    do { try body() } catch { return check(error) }
    return false
  }
  private func caughtByPattern(_ body: () throws -> Void) -> String {
    do { try body() } catch LAError.userFallback { return "userFallback" } catch LAError.userCancel {
      return "userCancel"
    } catch { return "another" }
    return "nothing"
  }
  private func caughtByType(_ body: () throws -> Void) -> Int {
    do { try body() } catch let error as LAError { return error.code.rawValue } catch { return 0 }
    return 0
  }
  private func caughtAsObject(_ body: () throws -> Void) -> Int {
    do { try body() } catch let error as NSError { return error.code }
    return 0
  }

  @Test("of other domains are none of ours")
  func otherDomains() {
    let error: any Error = NSError(domain: "com.example", code: -2)
    #expect(error as? LAError == nil)
    #expect(!way({ throw error }) { if case LAError.userCancel = $0 { true } else { false } })
    #expect(LAError.errorDomain == LAErrorDomain)
  }

  @Test("that tests make have texts, and what is given stands over them")
  func made() {
    #expect(
      LAError(.biometryNotEnrolled).localizedDescription == "No finger is enrolled. Enrol one: thumbturn finger enrol.")
    #expect(LAError(.userCancel, userInfo: [NSLocalizedDescriptionKey: "own"]).localizedDescription == "own")
    #expect(LAError(.userCancel) == LAError(.userCancel))
    #expect(LAError(.userCancel) != LAError(.userFallback))
    #expect(LAError(.userCancel).errorUserInfo[NSLocalizedDescriptionKey] as? String == "Cancelled.")
    #expect(LAError.Code(rawValue: -77)?.rawValue == -77)
  }
}
