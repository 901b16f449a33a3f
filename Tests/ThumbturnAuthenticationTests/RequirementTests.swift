internal import Testing
internal import ThumbturnAuthentication

@Suite("Requirements")
struct RequirementTests {
  @Test(
    "are fulfilled by one factor, or by all, as they say",
    arguments: [
      (Requirement.owner, [[], [.finger], [.passcode], [.finger, .passcode]], [false, true, true, true]),
      (.finger, [[], [.finger], [.passcode], [.finger, .passcode]], [false, true, false, true]),
      (.passcode, [[], [.finger], [.passcode], [.finger, .passcode]], [false, false, true, true]),
      (
        Requirement([.finger, .passcode], needsAll: true), [[], [.finger], [.passcode], [.finger, .passcode]],
        [false, false, false, true]
      ),
      (Requirement([]), [[], [.finger], [.passcode], [.finger, .passcode]], [false, false, false, false]),
    ] as [(Requirement, [Set<Factor>], [Bool])])
  func fulfilment(requirement: Requirement, shown: [Set<Factor>], expected: [Bool]) {
    #expect(shown.map { requirement.isFulfilled(by: $0) } == expected)
  }

  @Test("a single factor is one value, whether all or one is needed")
  func oneSpelling() {
    #expect(Requirement([.finger], needsAll: true) == .finger)
  }
}
