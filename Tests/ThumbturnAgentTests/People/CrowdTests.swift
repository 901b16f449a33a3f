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
  @Suite("Many")
  struct Crowds {
    /// The slowest of a hundred finds, and of a hundred adds, in milliseconds.
    private func slowest(_ keychain: RemoteBackend, _ prefix: String) throws -> (find: Double, add: Double) {
      var (finds, adds): ([Double], [Double]) = ([], [])
      for number in 0..<200 {
        finds.append(try seconds { _ = try keychain.find(query("open"), for: Caller()) } * 1_000)
        if number < 100 {
          adds.append(try seconds { _ = try keychain.add(item("\(prefix) \(number)"), for: Caller()) } * 1_000)
        }
      }
      return (finds.sorted()[197], adds.sorted()[98])
    }

    @Test("1,000 equal evaluations of a process are one prompt, and another client's calls are not delayed by it")
    func coalesced() throws {
      let people = try PeopleVault()
      _ = try people.keychain.add(item("open"), for: Caller())
      let other = RemoteBackend(people.vault.link)
      _ = try slowest(other, "warm")
      let before = try slowest(other, "before")
      let seated = people.seated
      let pending = (0..<1_000).map { _ in seated.begin(.owner) }
      #expect(people.logs("finger for"))
      let meanwhile = try slowest(other, "meanwhile")
      print(
        """
        p99 of a find: \(before.find) ms before, \(meanwhile.find) ms with 1,000 evaluations waiting; \
        of an add: \(before.add) ms, \(meanwhile.add) ms
        """)
      #expect(meanwhile.find < 250 && meanwhile.add < 1_000)
      #expect(people.log.count { $0.hasPrefix("finger for") } == 1)
      // Who leaves is answered, the others stay.
      pending[500].context.invalidate()
      #expect(pending[500].all.first?.failure == AuthenticationFailure(.appCancel))
      #expect(pending[501].all.isEmpty)
      try people.fingers("match")
      for (number, one) in pending.enumerated() where number != 500 {
        #expect(try one.wait(seconds: 20)?.get() == [.finger])
      }
      #expect(pending.allSatisfy { $0.all.count == 1 })
      #expect(people.log.count { $0 == "finger matched" } == 1)
      // One session for all of them, which ends with the last.
      #expect(Set(pending.flatMap(\.context.sessionIDs)).count == 1)
    }

    @Test("different evaluations of one process wait here, and none is refused for it")
    func different() throws {
      let people = try PeopleVault()
      try people.set("fingers-always", "match")
      let seated = people.seated
      let contexts = (0..<20).map { _ in AuthenticationContext() }
      let pending = contexts.enumerated().map { index, context in
        let pending = PendingAnswer(context)
        seated.evaluate(.owner, AuthenticationTexts(reason: "\(index)"), in: context, anew: true) { pending.put($0) }
        return pending
      }
      for one in pending { #expect(try one.wait(seconds: 60)?.get() == [.finger]) }
      #expect(people.log.count { $0 == "finger matched" } == 20)
    }

    @Test("a slow reader delays who asks about it, and nobody else: finds, adds and locks go on")
    func slowReader() throws {
      let people = try PeopleVault(reader: "slow a")
      _ = try people.keychain.add(item("open"), for: Caller())
      let (seated, other) = (people.seated, RemoteBackend(people.vault.link))
      let ended = DispatchSemaphore(value: 0)
      let added = Mutex<Double>(0)
      let began = ContinuousClock.now
      Thread.detachNewThread {
        try? people.add("set", .biometryCurrentSet)
        added.withLock { $0 = (ContinuousClock.now - began) / .seconds(1) }
        ended.signal()
      }
      Thread.detachNewThread {
        _ = try? seated.authenticationStatus()
        ended.signal()
      }
      usleep(100_000)
      var worst = 0.0
      for number in 0..<30 {
        worst = max(worst, try seconds { _ = try other.find(query("open"), for: Caller()) })
        worst = max(worst, try seconds { _ = try other.add(item("n \(number)"), for: Caller()) })
      }
      #expect(ContinuousClock.now - began < .seconds(2.4), "it was not slow meanwhile")
      for _ in 0..<2 { #expect(ended.wait(timeout: .now() + 20) == .success) }
      let asking = added.withLock { $0 }
      print("a reader of 2.5 s under way: a find or add at most \(worst * 1_000) ms; the add that asked it \(asking) s")
      #expect(worst < 1)
      #expect(added.withLock { $0 } > 2.4)
    }
  }

  @Suite("Fingers that are not enrolled")
  struct WrongFingers {
    @Test("three end one evaluation, five lock fingers until the passcode, over restarts and kills")
    func lockOut() throws {
      let people = try PeopleVault()
      try people.fingers("no-match", "no-match", "no-match")
      #expect(people.seated.answer(.finger)?.failure == AuthenticationFailure(.authenticationFailed))
      #expect(try people.seated.authenticationStatus().fingerFailures == 3)
      try people.vault.kill()
      try people.vault.start()
      #expect(try people.seated.authenticationStatus().fingerFailures == 3)
    }

    @Test("five of them lock fingers, also for the right one, until the passcode was given in a prompt or to unlock")
    func five() throws {
      for way in ["prompt", "unlock"] {
        let people = try PeopleVault()
        try people.fingers("no-match", "no-match", "no-match")
        #expect(people.seated.answer(.finger)?.failure?.code == .authenticationFailed)
        try people.fingers("no-match", "no-match")
        #expect(people.seated.answer(.finger)?.failure == AuthenticationFailure(.biometryLockout))
        try people.fingers("match")
        #expect(people.seated.answer(.finger)?.failure == AuthenticationFailure(.biometryLockout))
        // A restart takes nothing back, however it comes.
        #expect(try people.vault.terminate() == 0)
        try people.vault.start()
        #expect(try people.seated.authenticationStatus().fingerFailures == 5)
        if way == "prompt" {
          // The owner is asked for the passcode at once.
          try people.answers("passcode type 1234")
          #expect(try people.seated.answer(.owner)?.get() == [.passcode])
        } else {
          try people.vault.control.unlock(text("1234"))
        }
        #expect(try people.seated.authenticationStatus().fingerFailures == 0)
        #expect(try people.seated.answer(.finger)?.get() == [.finger])
      }
    }

    @Test("one is counted before it is looked at: kill -9 makes it no fewer, and the fifth locks")
    func killed() throws {
      let people = try PeopleVault()
      try people.fingers("no-match", "no-match", "no-match")
      #expect(people.seated.answer(.finger)?.failure?.code == .authenticationFailed)
      try people.fingers("no-match")
      let pending = people.seated.begin(.finger)
      #expect(people.logs("finger notMatched", times: 4) && people.says("Not recognised. Try again."))
      // The reader is on for the next one, of which nothing is known.
      #expect(try people.seated.authenticationStatus().fingerFailures == 4)
      try people.vault.kill()
      #expect(pending.wait(seconds: 40)?.failure?.code == .systemCancel)
      try people.vault.start()
      let status = try people.seated.authenticationStatus()
      #expect(status.fingerFailures == 5 && status.fingerObstacle == AuthenticationFailure(.biometryLockout))
      try people.answers("passcode type 1234")
      #expect(try people.seated.answer(.owner)?.get() == [.passcode])
      #expect(try people.seated.authenticationStatus().fingerFailures == 0)
    }

    @Test("the owner goes on to the passcode after three, in the same evaluation")
    func owner() throws {
      let people = try PeopleVault()
      try people.add("a")
      try people.fingers("no-match", "no-match", "no-match")
      try people.answers("passcode type 1234")
      #expect(try people.read("a") == "secret of a")
      #expect(people.log.contains { $0.hasSuffix("Too many fingers were not recognised.") })
      #expect(try people.seated.authenticationStatus().fingerFailures == 0)
    }

    @Test("wrong passcodes in prompts are the vault's own count, and lock it out for all")
    func passcodes() throws {
      let people = try PeopleVault(reader: nil)
      try people.answers("passcode type a", "passcode type b", "passcode type c")
      #expect(people.seated.answer(.owner)?.failure == AuthenticationFailure(.authenticationFailed))
      #expect(try people.vault.control.status().failedAttempts == 3)
      try people.answers("passcode type d", "passcode type e", "passcode type 1234")
      let failure = people.seated.answer(.owner)?.failure
      #expect(failure?.code == .authenticationFailed && failure?.reason == .passcodesRefused)
      #expect((50...60).contains(failure?.secondsToWait ?? 0))
      #expect(cause { try people.vault.control.unlock(text("1234")) } == .lockedOut)
      // Nobody is asked what is not looked at.
      let asked = people.log.count { $0.hasPrefix("passcode for") }
      #expect(people.seated.answer(.owner)?.failure?.reason == .passcodesRefused)
      #expect(people.log.count { $0.hasPrefix("passcode for") } == asked)
    }
  }

  @Suite("What is enrolled")
  struct Enrolments {
    @Test("an item of the current set dies with it, and is alive for who deletes it")
    func currentSet() throws {
      let people = try PeopleVault()
      try people.add("set", .biometryCurrentSet)
      try people.add("any", .biometryAny)
      let context = AuthenticationContext()
      try people.fingers("match")
      #expect(try people.read("set", context) == "secret of set")
      try people.set("sensor", "ready right-index left-thumb")
      // A session of the old set is worth nothing for it, and nobody is asked for what is dead.
      #expect(people.code("set", context) == .itemNotFound)
      #expect(try people.read("any", context) == "secret of any")
      #expect(people.log.count { $0 == "reader on" } == 1)
      try people.add("new", .biometryCurrentSet)
      // The old session is no finger of the new set.
      try people.fingers("match")
      #expect(try people.read("new", context) == "secret of new")
      #expect(people.log.count { $0 == "reader on" } == 2)
      #expect(people.code("set", context) == .itemNotFound)
      try people.keychain.delete(query("set"), for: Caller())
    }

    @Test("a dead item is replaced by an add, unless the reader cannot tell or nothing is dead, and nobody is asked")
    func replaced() throws {
      let people = try PeopleVault()
      try people.add("set", .biometryCurrentSet)
      try people.add("or", [.biometryCurrentSet, .devicePasscode, .or])
      #expect(failure { try people.add("set", .devicePasscode) }?.code == .duplicateItem)
      try people.set("sensor", "unavailable")
      #expect(failure { try people.add("set", .devicePasscode) }?.code == .duplicateItem)
      try people.set("sensor", "ready left-thumb")
      let everything = ItemQuery(.genericPassword, limit: .all)
      #expect(try people.keychain.find(everything, for: Caller()).count == 2)
      #expect(failure { try people.add("or", .devicePasscode) }?.code == .duplicateItem)
      try people.add("set", .biometryCurrentSet)
      #expect(failure { try people.add("set", .devicePasscode) }?.code == .duplicateItem)
      #expect(people.log.allSatisfy { $0 != "reader on" && !$0.contains(" for") })
      try people.fingers("match")
      #expect(try people.read("set") == "secret of set")
    }

    @Test("a reader that cannot tell releases nothing of a set, and declares nothing dead")
    func unknown() throws {
      let people = try PeopleVault()
      try people.add("set", .biometryCurrentSet)
      try people.add("or", [.biometryCurrentSet, .devicePasscode, .or])
      let context = AuthenticationContext()
      try people.fingers("match")
      #expect(try people.read("set", context) == "secret of set")
      try people.set("sensor", "unavailable")
      #expect(people.code("set", context) == .authenticationFailed)
      // Another way may be enough; the finger that was shown is none.
      try people.answers("passcode type 1234")
      #expect(try people.read("or", context) == "secret of or")
      try people.set("sensor", "ready right-index")
      #expect(try people.read("set", context) == "secret of set")
    }

    @Test("a finger of a set that changed while it was looked at is none")
    func meanwhile() throws {
      let people = try PeopleVault()
      let pending = people.seated.begin(.finger)
      #expect(people.logs("reader on"))
      try people.set("sensor", "ready another")
      try people.fingers("match")
      #expect(pending.wait(seconds: 10)?.failure == AuthenticationFailure(.authenticationFailed))
      #expect(pending.context.sessionIDs.isEmpty)
    }

    @Test("an item that no finger could open is not stored where none is enrolled")
    func none() throws {
      let people = try PeopleVault(reader: "none")
      for conditions: AccessControl.Conditions in [.biometryAny, .biometryCurrentSet] {
        #expect(failure { try people.add("a", conditions) }?.code == .authenticationFailed)
      }
      try people.add("b", .userPresence)
      try people.add("c", [.biometryAny, .devicePasscode, .or])
      #expect(people.seated.answer(.finger)?.failure == AuthenticationFailure(.biometryNotEnrolled))
      try people.set("sensor", nil)
      #expect(people.seated.answer(.finger)?.failure == AuthenticationFailure(.biometryNotAvailable, .noReader))
    }

    @Test("is a number that is another for each set, and for each program")
    func stateHash() throws {
      let people = try PeopleVault()
      let first = try people.seated.authenticationStatus().stateHash
      #expect(first?.count == 32)
      #expect(try people.seated.authenticationStatus().stateHash == first)
      try people.set("sensor", "ready another")
      #expect(try people.seated.authenticationStatus().stateHash != first)
      try people.set("sensor", "none")
      #expect(try people.seated.authenticationStatus().stateHash == nil)
    }
  }
}
