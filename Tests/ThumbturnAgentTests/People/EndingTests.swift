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
  @Suite("A prompt that is open")
  struct Endings {
    @Test("ends with the lock, and what is shown afterwards opens nothing")
    func locked() throws {
      let people = try PeopleVault()
      try people.add("a")
      let context = AuthenticationContext()
      let pending = people.seated.begin(.owner, context)
      #expect(people.logs("finger for"))
      let took = try seconds {
        try people.vault.control.lock()
        #expect(pending.wait(seconds: 10)?.failure == AuthenticationFailure(.systemCancel, .lockedMeanwhile))
      }
      #expect(took < 5)
      #expect(people.logs("finger gone") && people.logs("reader off"))
      try people.fingers("match")
      #expect(pending.all.count == 1 && context.sessionIDs.isEmpty)
      // A finger alone opens nothing now; the owner's passcode does.
      #expect(people.seated.answer(.finger)?.failure == AuthenticationFailure(.biometryLockout, .vaultLocked))
      #expect(people.code("a", context) == .interactionNotAllowed)
      try people.answers("passcode type 1234")
      #expect(try people.seated.answer(.owner, context)?.get() == [.passcode])
      #expect(try people.vault.control.status().lockState == .unlocked)
      #expect(try people.read("a", context) == "secret of a")
    }

    @Test("ends when its client is killed, and the next program has its turn")
    func killed() throws {
      let people = try PeopleVault()
      try people.add("a")
      let first = try people.other(["fetch", people.home, "a"])
      #expect(people.logs("finger for TestAgent \(first.process)"))
      let second = try people.other(["fetch", people.home, "a"])
      let third = people.seated.begin(.owner)
      usleep(200_000)
      // One at a time is shown.
      #expect(people.log.count { $0.hasPrefix("finger for") } == 1)
      let took = seconds {
        first.end(SIGKILL)
        #expect(people.logs("finger for TestAgent \(second.process)"))
      }
      #expect(took < 2)
      try people.fingers("match")
      #expect(people.said(second) == "secret secret of a")
      #expect(people.logs("finger for", times: 3))
      try people.fingers("match")
      #expect(try third.wait(seconds: 10)?.get() == [.finger])
      // The second one's finger was not the third one's.
      #expect(people.log.count { $0 == "finger matched" } == 2)
    }

    @Test("ends at once for who invalidates the context, exactly once, and is taken away")
    func invalidated() throws {
      let people = try PeopleVault()
      let pending = people.seated.begin(.finger)
      #expect(people.logs("finger for"))
      let took = seconds {
        pending.context.invalidate()
        #expect(pending.all.first?.failure == AuthenticationFailure(.appCancel))
      }
      #expect(took < 0.5)
      #expect(people.logs("finger gone") && people.logs("reader off"))
      #expect(pending.all.count == 1)
      #expect(people.seated.answer(.finger, pending.context)?.failure == AuthenticationFailure(.invalidContext))
      // Nothing is left of it in the agent.
      try people.fingers("match")
      #expect(try people.seated.answer(.finger)?.get() == [.finger])
      #expect(try people.seated.authenticationStatus().fingerFailures == 0)
    }

    @Test("that never answers and never goes costs its own program its time, and nobody else's")
    func deaf() throws {
      let people = try PeopleVault(reader: nil)
      try people.answers("passcode deaf")
      let pending = people.seated.begin(.owner)
      #expect(people.logs("passcode for"))
      let took = seconds { pending.context.invalidate() }
      #expect(took < 0.5 && pending.all.first?.failure == AuthenticationFailure(.appCancel))
      try people.answers("passcode type 1234")
      let next = try seconds { #expect(try people.seated.answer(.owner)?.get() == [.passcode]) }
      #expect(next < 5)
      // The finger's prompt likewise.
      try people.set("sensor", "ready a")
      try people.answers("finger deaf")
      let finger = people.seated.begin(.finger)
      #expect(people.logs("finger for"))
      try people.fingers("match")
      let last = try seconds { #expect(try finger.wait(seconds: 20)?.get() == [.finger]) }
      #expect(last < 5)
    }

    @Test("that crashes is one failure, whatever it showed")
    func crashed() throws {
      let people = try PeopleVault()
      try people.answers("finger fail")
      #expect(people.seated.answer(.owner)?.failure == AuthenticationFailure(.notInteractive, .prompterFailed))
      #expect(people.logs("reader off"))
      try people.set("sensor", nil)
      try people.answers("passcode fail")
      #expect(people.seated.answer(.owner)?.failure == AuthenticationFailure(.notInteractive, .prompterFailed))
      #expect(try people.seated.authenticationStatus().fingerFailures == 0)
    }

    @Test("ends with the agent")
    func stopped() throws {
      let people = try PeopleVault()
      let pending = people.seated.begin(.owner)
      #expect(people.logs("finger for"))
      let took = try seconds { #expect(try people.vault.terminate() == 0) }
      #expect(took < 5)
      #expect(pending.wait(seconds: 10)?.failure?.code == .systemCancel)
    }

    @Test("two programs have two prompts, and each the answer to its own")
    func two() throws {
      let people = try PeopleVault()
      try people.add("a")
      let first = try people.other(["fetch", people.home, "a"])
      #expect(people.logs("finger for"))
      let second = try people.other(["fetch", people.home, "a"])
      usleep(300_000)
      try people.answers("finger cancel")
      #expect(people.said(first) == "userCanceled")
      try people.fingers("match")
      #expect(people.said(second) == "secret secret of a")
    }
  }
}
