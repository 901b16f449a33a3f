import AgentFixtures
import Foundation
import Testing
import TestFixtures
import ThumbturnAgentClient
import ThumbturnAuthentication
import ThumbturnCrypto
import ThumbturnKeychain
import ThumbturnVault

extension AgentTests.People {
  @Suite("A program's password")
  struct Passwords {
    private func add(
      _ people: PeopleVault, _ account: String, _ conditions: AccessControl.Conditions,
      _ context: AuthenticationContext?
    ) throws {
      var new = try item(account)
      new.accessControl = AccessControl(.whenUnlocked, conditions)
      new.context = context
      _ = try people.keychain.add(new, for: Caller())
    }

    @Test("is asked for when an item gets it, and to read it; a wrong one is asked for again")
    func typed() throws {
      let people = try PeopleVault()
      try people.answers("password type right")
      try add(people, "a", .applicationPassword, nil)
      #expect(people.log.count { $0.hasPrefix("password for") } == 1)
      try people.answers("password type wrong", "password type right")
      #expect(try people.read("a") == "secret of a")
      #expect(people.log.count { $0.hasPrefix("password for") } == 3)
      try people.answers("password cancel")
      #expect(people.code("a") == .userCanceled)
    }

    @Test("comes from the context without asking; a wrong one is dropped from it, and asked for")
    func given() throws {
      let people = try PeopleVault()
      let context = AuthenticationContext()
      context.credential = try text("right")
      try add(people, "a", .applicationPassword, context)
      #expect(try people.read("a", context) == "secret of a")
      #expect(people.log.isEmpty)
      context.credential = try text("wrong")
      try people.answers("password type right")
      #expect(try people.read("a", context) == "secret of a")
      #expect(context.credential == nil)
      #expect(people.log.count { $0.hasPrefix("password for") } == 1)
      // What was typed in it holds in it.
      #expect(try people.read("a", context) == "secret of a")
      #expect(people.log.count { $0.hasPrefix("password for") } == 1)
      context.forbidsPrompts = true
      #expect(try people.read("a", context) == "secret of a")
      let other = AuthenticationContext()
      other.forbidsPrompts = true
      #expect(people.code("a", other) == .interactionNotAllowed)
    }

    @Test("is asked for after the finger, in one evaluation, and neither is enough alone")
    func beside() throws {
      let people = try PeopleVault()
      let context = AuthenticationContext()
      context.credential = try text("right")
      try add(people, "a", [.biometryAny, .applicationPassword], context)
      context.forbidsPrompts = true
      #expect(people.code("a", context) == .interactionNotAllowed)
      try people.fingers("match")
      try people.answers("password type right")
      #expect(try people.read("a") == "secret of a")
      let finger = AuthenticationContext()
      try people.fingers("match")
      #expect(try people.seated.answer(.finger, finger)?.get() == [.finger])
      finger.forbidsPrompts = true
      #expect(people.code("a", finger) == .interactionNotAllowed)
    }
  }

  @Suite("A simulated reader")
  struct SimulatedReaders {
    @Test("of a vault that was made for it needs no place, and does what it is told; the real one is never asked")
    func simulated() throws {
      let people = try PeopleVault(isSimulated: true)
      let control = people.vault.control
      let nowhere = SeatedBackend(people.vault.local, agentAt: people.vault.place) { PromptPlace() }
      #expect(
        nowhere.answer(.finger)?.failure == AuthenticationFailure(.biometryNotEnrolled, .nothingSimulated))
      #expect(try nowhere.authenticationStatus().isSimulated)
      try control.simulate(.enrolled)
      try control.simulate(.match)
      #expect(try nowhere.answer(.finger)?.get() == [.finger])
      try people.add("a", .biometryCurrentSet)
      #expect(try people.read("a") == "secret of a")
      #expect(people.log.contains { $0.hasPrefix("finger for") && $0.hasSuffix("simulated") })
      #expect(!people.log.contains("reader on"))
      let hash = try nowhere.authenticationStatus().stateHash
      try control.simulate(.none)
      try control.simulate(.enrolled)
      #expect(try nowhere.authenticationStatus().stateHash != hash)
      #expect(people.code("a") == .itemNotFound)
      try control.simulate(.noMatch)
      #expect(nowhere.answer(.finger)?.failure == AuthenticationFailure(.authenticationFailed))
      try control.simulate(.cancel)
      #expect(nowhere.answer(.finger)?.failure == AuthenticationFailure(.userCancel))
      try control.simulate(.lockout)
      #expect(nowhere.answer(.finger)?.failure == AuthenticationFailure(.biometryLockout))
      // The passcode needs a place all the same.
      #expect(nowhere.answer(.passcode)?.failure == AuthenticationFailure(.notInteractive, .noPlace))
      try control.unlock(text("1234"))
      try control.simulate(.match)
      #expect(try nowhere.answer(.finger)?.get() == [.finger])
    }

    @Test("is locked out while a finger is asked for, too: that ends, and all five stay counted")
    func lockedOutMeanwhile() throws {
      let people = try PeopleVault(isSimulated: true)
      let control = people.vault.control
      try control.simulate(.enrolled)
      let asked = people.seated.begin(.finger)
      #expect(people.logs("finger for"))
      try control.simulate(.lockout)
      #expect(asked.wait(seconds: 10)?.failure == AuthenticationFailure(.biometryLockout))
      #expect(try people.seated.authenticationStatus().fingerFailures == AuthenticationStatus.fingerFailuresMax)
      try control.simulate(.lockout)
      #expect(try people.seated.authenticationStatus().fingerFailures == AuthenticationStatus.fingerFailuresMax)
    }
  }
}
