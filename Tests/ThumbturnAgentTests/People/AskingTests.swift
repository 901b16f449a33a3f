import AgentFixtures
import Foundation
import Glibc
import Synchronization
import Testing
import TestFixtures
import ThumbturnAgentClient
import ThumbturnAuthentication
import ThumbturnCrypto
import ThumbturnKeychain
import ThumbturnVault

extension AgentTests.People {
  @Suite("Asking")
  struct Asking {
    @Test("a finger opens an item; the prompt names the program by its file and process, and goes when the finger came")
    func finger() throws {
      let people = try PeopleVault()
      try people.add("a")
      try people.fingers("match")
      #expect(try people.read("a") == "secret of a")
      let log = people.log
      let name = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe").split(separator: "/").last
      #expect(log.first { $0.hasPrefix("finger for") } == "finger for \(name ?? "") \(getpid()): read it [Enter Passcode…] ")
      #expect(log.contains("finger gone") && log.contains("finger matched"))
      // What was verified for one call is over with it.
      try people.fingers("match")
      #expect(try people.read("a") == "secret of a")
      #expect(people.log.count { $0 == "finger matched" } == 2)
    }

    @Test("a context that has shown a finger is not asked again, in other calls and for other items")
    func context() throws {
      let people = try PeopleVault()
      for account in ["a", "b"] { try people.add(account) }
      let context = AuthenticationContext()
      try people.fingers("match")
      #expect(try people.read("a", context) == "secret of a")
      #expect(try people.read("b", context) == "secret of b")
      #expect(context.shown == [.finger] && context.sessionIDs.count == 1)
      var change = query("b")
      change.context = context
      try people.keychain.update(change, with: ItemChange([.label: .text("l")]), for: Caller())
      // Somebody who may not be asked has enough as well.
      var refusing = query("a")
      (refusing.context, refusing.consent) = (context, .refuse)
      #expect(try people.keychain.find(refusing, for: Caller()).first?.text == "secret of a")
      #expect(people.log.count { $0 == "reader on" } == 1)
      context.invalidate()
      #expect(people.code("a", context) == .authenticationFailed)
    }

    @Test("one context asks for all rows of a call at once, and for what one factor does not fulfil once more")
    func rows() throws {
      let people = try PeopleVault()
      try people.add("a")
      try people.add("b", .biometryAny)
      try people.add("c", .devicePasscode)
      _ = try people.keychain.add(item("open"), for: Caller())
      try people.fingers("match")
      try people.answers("passcode type 1234")
      let found = try people.keychain.find(query(), for: Caller())
      #expect(found.map(\.text) == ["secret of a", "secret of b", "secret of c", "secret of open"])
      #expect(people.log.count { $0 == "reader on" } == 1)
      #expect(people.log.count { $0.hasPrefix("passcode for") } == 1)
    }

    @Test("the passcode opens an item where there is no reader, and a wrong one says so and asks again")
    func passcode() throws {
      let people = try PeopleVault(reader: nil)
      try people.add("a")
      try people.answers("passcode type wrong", "passcode type 1234")
      #expect(try people.read("a") == "secret of a")
      #expect(people.log.count { $0.hasPrefix("passcode for") } == 2)
      #expect(people.log.contains { $0.hasSuffix("Wrong passcode. Try again.") })
      #expect(try people.vault.control.status().failedAttempts == 0)
    }

    @Test("cancelling at the finger or the passcode, and the other way, each end as they must")
    func cancel() throws {
      let people = try PeopleVault()
      try people.add("a")
      try people.add("b", .biometryAny)
      try people.answers("finger cancel")
      #expect(people.code("a") == .userCanceled)
      try people.answers("finger fallback", "passcode cancel")
      #expect(people.code("a") == .userCanceled)
      try people.answers("finger fallback", "passcode type 1234")
      #expect(try people.read("a") == "secret of a")
      // A finger and nothing else: the button comes after a wrong one, and ends it.
      try people.fingers("no-match")
      let pending = people.seated.begin(.finger)
      #expect(people.logs("finger for", times: 5))
      try people.answers("finger fallback")
      #expect(pending.wait(seconds: 10)?.failure == AuthenticationFailure(.userFallback))
      #expect(people.log.contains { $0.contains("[Enter Password…] Not recognised.") })
      try people.fingers("cancel")
      #expect(people.code("b") == .userCanceled)
    }

    @Test("a finger that was not seen is no failure, and a reader that is unplugged leaves the passcode")
    func reader() throws {
      let people = try PeopleVault()
      try people.fingers("retry", "retry", "retry", "retry", "match")
      #expect(try people.seated.answer(.finger)?.get() == [.finger])
      try people.fingers("unplug")
      #expect(people.seated.answer(.finger)?.failure == AuthenticationFailure(.biometryDisconnected, .readerUnplugged))
      try people.fingers("unplug")
      try people.answers("passcode type 1234")
      #expect(try people.seated.answer(.owner)?.get() == [.passcode])
      try people.fingers("busy")
      #expect(people.seated.answer(.finger)?.failure == AuthenticationFailure(.biometryNotAvailable, .readerBusy))
      #expect(try people.seated.authenticationStatus().fingerFailures == 0)
    }

    @Test("both means both, and one of them alone is worth nothing")
    func both() throws {
      let people = try PeopleVault()
      try people.add("a", [.biometryAny, .devicePasscode])
      try people.fingers("match")
      try people.answers("passcode type 1234")
      #expect(try people.read("a") == "secret of a")
      let context = AuthenticationContext()
      try people.fingers("match")
      #expect(try people.seated.answer(.finger, context)?.get() == [.finger])
      context.forbidsPrompts = true
      #expect(people.code("a", context) == .interactionNotAllowed)
      context.forbidsPrompts = false
      try people.answers("passcode type 1234")
      #expect(try people.seated.answer(.passcode, context)?.get() == [.passcode])
      context.forbidsPrompts = true
      #expect(try people.read("a", context) == "secret of a")
    }

    @Test("no display and no terminal, or no prompter: it ends at once, for each requirement, whoever waits")
    func nowhere() throws {
      let people = try PeopleVault()
      try people.add("a")
      let nowhere = AgentLink(people.vault.place, vaultID: people.vault.vaultID) { PromptPlace() }
      let backend = SeatedBackend(people.vault.local, agentAt: people.vault.place) { PromptPlace() }
      // Also while another program's prompt is open.
      let open = people.seated.begin(.owner)
      #expect(people.logs("finger for"))
      for requirement in [Requirement.owner, .finger, .passcode] {
        let took = seconds {
          #expect(backend.answer(requirement)?.failure == AuthenticationFailure(.notInteractive, .noPlace))
        }
        #expect(took < 1)
      }
      let took = seconds {
        #expect(failure { _ = try RemoteBackend(nowhere).find(query("a"), for: Caller()) }?.code == .interactionNotAllowed)
      }
      #expect(took < 1)
      #expect(try backend.authenticationStatus().promptObstacle == .noPlace)
      try people.set("no-prompter", "")
      #expect(people.seated.answer(.passcode)?.failure == AuthenticationFailure(.notInteractive, .noPrompter))
      open.context.invalidate()
    }

    @Test("who forbids prompts, or refuses or leaves out what needs one, is asked nothing")
    func forbidden() throws {
      let people = try PeopleVault()
      try people.add("a")
      let context = AuthenticationContext()
      context.forbidsPrompts = true
      #expect(people.code("a", context) == .interactionNotAllowed)
      #expect(
        people.seated.answer(.owner, context)?.failure == AuthenticationFailure(.notInteractive, .promptsForbidden))
      for (consent, code) in [(ItemQuery.Consent.refuse, KeychainError.Code.interactionNotAllowed), (.leaveOut, .itemNotFound)] {
        var asked = query("a")
        asked.consent = consent
        #expect(failure { _ = try people.keychain.find(asked, for: Caller()) }?.code == code)
      }
      #expect(people.log.isEmpty)
    }

    @Test("without an agent nobody is asked, and the answers say why")
    func noAgent() throws {
      let people = try PeopleVault()
      try people.add("a")
      _ = try people.vault.terminate()
      let seated = people.seated
      let status = try seated.authenticationStatus()
      #expect(status.hasPasscode && status.isVaultLocked && status.reader == .unavailable(.noAgent))
      #expect(status.promptObstacle == .noAgent)
      #expect(seated.answer(.finger)?.failure == AuthenticationFailure(.biometryNotAvailable, .noAgent))
      #expect(seated.answer(.owner)?.failure == AuthenticationFailure(.notInteractive, .noAgent))
      let none = try VaultAgent(passcode: nil, classes: [], isStarted: false)
      let open = SeatedBackend(none.local, agentAt: none.place) { PersonSession.place() }
      #expect(open.answer(.owner)?.failure == AuthenticationFailure(.passcodeNotSet))
      let home = try TemporaryHome()
      let nothing = SeatedBackend(
        LocalBackend(location: home.location), agentAt: SocketPlace(folder: home.path)) { PersonSession.place() }
      #expect(throws: AuthenticationFailure(.passcodeNotSet, .noVault)) { try nothing.authenticationStatus() }
      #expect(nothing.answer(.owner)?.failure == AuthenticationFailure(.passcodeNotSet, .noVault))
    }

    @Test("an item in process is refused, whatever the process says")
    func inProcess() throws {
      let people = try PeopleVault()
      try people.add("a")
      _ = try people.vault.terminate()
      let local = people.vault.local
      try local.unlock(Passcode(text("1234")))
      #expect(failure { _ = try local.find(query("a"), for: Caller()) }?.code == .interactionNotAllowed)
    }
  }
}
