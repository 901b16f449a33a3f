internal import Foundation
internal import LocalAuthentication
internal import Testing
internal import ThumbturnAuthentication
internal import ThumbturnCrypto

/// SECACCESS.md §5: the other members.
@Suite("Members of a context")
struct MemberTests {
  @Test(
    "the time of reuse is cut at 300 seconds, and never below 0",
    arguments: [
      (0.0, 0.0), (10, 10), (300, 300), (300.1, 300), (.infinity, 300), (-1, 0), (.nan, 0),
    ])
  func reuse(given: TimeInterval, expected: TimeInterval) async {
    let person = Person()
    let context = LAContext(over: person)
    #expect(context.touchIDAuthenticationAllowableReuseDuration == 0)
    context.touchIDAuthenticationAllowableReuseDuration = given
    #expect(context.touchIDAuthenticationAllowableReuseDuration == expected)
    // Nothing is reused: no finger unlocks a machine yet.
    #expect(await context.code() == nil)
    #expect(person.promptCount == 1)
  }

  @Test("a credential is kept in locked memory, replaced, taken back, and gone with the context")
  func credential() {
    let context = LAContext(over: Person())
    #expect(!context.isCredentialSet(.applicationPassword))
    #expect(context.setCredential(Data("one".utf8), type: .applicationPassword))
    #expect(context.isCredentialSet(.applicationPassword))
    #expect(!context.isCredentialSet(.smartCardPIN))
    #expect(text(context) == "one")
    #expect(context.setCredential(Data("two".utf8), type: .applicationPassword))
    #expect(text(context) == "two")
    #expect(context.setCredential(nil, type: .applicationPassword))
    #expect(!context.isCredentialSet(.applicationPassword))
    #expect(context.setCredential(Data("three".utf8), type: .applicationPassword))
    context.invalidate()
    #expect(!context.isCredentialSet(.applicationPassword))
    #expect(!context.setCredential(Data("four".utf8), type: .applicationPassword))
    #expect(!context.isCredentialSet(.applicationPassword))
  }

  @Test("a credential has 1 to 1,024 bytes, and one that is refused leaves the old one")
  func credentialSizes() {
    let context = LAContext(over: Person())
    #expect(context.setCredential(Data(count: 1_024), type: .applicationPassword))
    #expect(context.setCredential(Data("x".utf8), type: .applicationPassword))
    #expect(!context.setCredential(Data(), type: .applicationPassword))
    #expect(!context.setCredential(Data(count: 1_025), type: .applicationPassword))
    #expect(!context.setCredential(Data("1234".utf8), type: .smartCardPIN))
    #expect(text(context) == "x")
    // A part of other data begins elsewhere than at 0.
    #expect(context.setCredential(Data("abcd".utf8).dropFirst(2), type: .applicationPassword))
    #expect(text(context) == "cd")
  }

  private func text(_ context: LAContext) -> String? {
    context.authenticationContext.credential?.withBytes { bytes in
      String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }
  }

  @Test("the state of the enrolled set is there after a success by finger, or a biometric policy that can succeed")
  func evaluatedState() async {
    let first = Data([UInt8](repeating: 1, count: 32))
    let second = Data([UInt8](repeating: 2, count: 32))
    let person = Person()
    let context = LAContext(over: person)
    #expect(context.evaluatedPolicyDomainState == nil)
    context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil)
    #expect(context.evaluatedPolicyDomainState == nil)
    context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)
    #expect(context.evaluatedPolicyDomainState == first)
    person.change { $0.stateHash = [UInt8](repeating: 2, count: 32) }
    #expect(context.evaluatedPolicyDomainState == first)
    #expect(await context.code() == nil)
    #expect(context.evaluatedPolicyDomainState == second)

    let byPasscode = LAContext(over: person)
    person.willAnswer(.success([.passcode]))
    #expect(await byPasscode.code(of: .deviceOwnerAuthentication) == nil)
    #expect(byPasscode.evaluatedPolicyDomainState == nil)
    person.change { $0.fingerFailures = 5 }
    byPasscode.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)
    #expect(byPasscode.evaluatedPolicyDomainState == nil)
  }

  @Test("the state of a success is there when the reply runs")
  func stateInReply() async {
    let context = UncheckedContext(LAContext(over: Person()))
    let state = await withCheckedContinuation { continuation in
      context.value.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "r") { _, _ in
        continuation.resume(returning: context.value.evaluatedPolicyDomainState)
      }
    }
    #expect(state?.count == 32)
  }

  @Test("the domain state is that of now, with no companion in it")
  func domainState() {
    let person = Person()
    let context = LAContext(over: person)
    let state = context.domainState
    #expect(state.biometry.biometryType == .touchID)
    #expect(state.biometry.stateHash == Data([UInt8](repeating: 1, count: 32)))
    #expect(state.stateHash == state.biometry.stateHash)
    #expect(state.companion.availableCompanionTypes.isEmpty)
    #expect(state.companion.stateHash == nil)
    #expect(state.companion.stateHash(for: .watch) == nil)
    person.change { ($0.reader, $0.stateHash) = (.notEnrolled, nil) }
    #expect(context.domainState.biometry.stateHash == nil)
    #expect(context.domainState.biometry.biometryType == .touchID)
    #expect(state.biometry.stateHash != nil)
    person.isGone(AuthenticationFailure(.systemCancel, .agentFailed))
    #expect(context.domainState.biometry.biometryType == .none)
    #expect(context.domainState.stateHash == nil)
  }

  @Test("a context is hashable by identity, and stands in a dictionary of a query")
  func hashing() {
    let context = LAContext(over: Person())
    let other = LAContext(over: Person())
    #expect(context == context)
    #expect(context != other)
    let query: [String: AnyHashable] = [kSecUseAuthenticationContext as String: context]
    #expect((query as NSDictionary)[kSecUseAuthenticationContext] as? LAContext === context)
  }
}
