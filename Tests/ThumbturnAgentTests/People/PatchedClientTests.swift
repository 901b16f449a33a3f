import AgentFixtures
import Foundation
import Glibc
import Testing
import TestFixtures
import ThumbturnAgentClient
import ThumbturnAuthentication
import ThumbturnCrypto
import ThumbturnKeychain
import ThumbturnVault

extension AgentTests.People {
  @Suite("A client that says that it has authenticated")
  struct PatchedClients {
    private func reach(_ people: PeopleVault, _ sessions: [[UInt8]]) throws -> String {
      try PersonSession.reach(people.home, "a", sessions: sessions)
    }

    @Test("gets nothing for names that it made up, or for asking again")
    func madeUp() throws {
      let people = try PeopleVault()
      try people.add("a")
      #expect(try reach(people, []) == "needs")
      #expect(try reach(people, [Array(repeating: 0, count: 16)]) == "needs")
      #expect(try reach(people, (0..<16).map { _ in (0..<16).map { _ in UInt8.random(in: 0...255) } }) == "needs")
      let client = try RawClient(people.vault.place)
      #expect(try client.sayHello(people.vault.vaultID))
      for _ in 0..<100 {
        let again = try PersonSession.reach(client, people.vault.vaultID, "a", sessions: [], saysHello: false)
        #expect(again == "needs")
      }
      #expect(people.log.isEmpty)
      // A context that claims more than the agent said.
      let context = AuthenticationContext()
      context.keep(VerifiedSession(id: Array(repeating: 7, count: 16), shown: [.finger, .passcode]) { _ in })
      context.forbidsPrompts = true
      #expect(people.code("a", context) == .interactionNotAllowed)
      // It is told that the name is worth nothing.
      #expect(context.sessionIDs.isEmpty == false || context.shown.isEmpty)
    }

    @Test("gets nothing for another process's session, and its own process everything")
    func foreign() throws {
      let people = try PeopleVault()
      try people.add("a")
      let context = AuthenticationContext()
      try people.fingers("match")
      #expect(try people.read("a", context) == "secret of a")
      #expect(try reach(people, context.sessionIDs) == "secret secret of a")
      let other = try people.other(["reach", people.home, "a"] + names(context.sessionIDs))
      #expect(people.said(other) == "needs")
      // And it cannot end it either.
      #expect(try reach(people, context.sessionIDs) == "secret secret of a")
    }

    @Test("gets nothing for a session of before a lock, a restart or another passcode, or one that was ended")
    func ended() throws {
      let people = try PeopleVault()
      try people.add("a")
      let context = AuthenticationContext()
      for step in ["lock", "kill", "passcode", "end"] {
        try people.fingers("match")
        #expect(try people.seated.answer(.owner, context)?.get() == [.finger])
        let ids = context.sessionIDs.suffix(1)
        // A connection of its own keeps the process known.
        let client = try RawClient(people.vault.place)
        #expect(try client.sayHello(people.vault.vaultID))
        #expect(try reach(people, Array(ids)) == "secret secret of a")
        switch step {
        case "lock":
          try people.vault.control.lock()
          #expect(try reach(people, Array(ids)) == "interactionNotAllowed")
          try people.vault.control.unlock(text("1234"))
        case "kill":
          try people.vault.kill()
          try people.vault.start()
          try people.vault.control.unlock(text("1234"))
        case "passcode":
          // The same words: it is the change that counts.
          try people.vault.control.changePasscode(text("1234"), to: text("1234"))
        default:
          context.invalidate()
          #expect(try becomes { try reach(people, Array(ids)) == "needs" })
        }
        #expect(try reach(people, Array(ids)) == "needs", "\(step)")
        withExtendedLifetime(client) {}
      }
    }

    @Test("gets nothing once the last connection of its process is gone, and nothing before that was lost")
    func left() throws {
      let people = try PeopleVault()
      try people.add("a")
      // Another process, of which the connections can be counted: it evaluates, leaves, and comes back with the name.
      let came = try people.other(["return", people.home, "a"])
      #expect(people.logs("finger for TestAgent"))
      try people.fingers("match")
      #expect(people.said(came) == "success secret secret of a, secret secret of a, needs")
    }

    @Test("is refused a simulated finger where the reader is none")
    func simulated() throws {
      let people = try PeopleVault()
      let client = try RawClient(people.vault.place)
      #expect(try client.sayHello(people.vault.vaultID))
      for event in SimulatedEvent.allCases {
        client.send(try Encoding.packet(.simulate(event)).bytes)
        let answer = try #require(client.receive())
        guard case .answer(.failed(let failure)) = try Encoding.reply(answer, to: .simulate) else {
          Issue.record("it was done")
          return
        }
        #expect(failure.error.code == .parameter)
      }
      let status = try people.seated.authenticationStatus()
      #expect(!status.isSimulated && status.fingerFailures == 0)
    }

    @Test("1,000 evaluations by clients without manners: few wait, the others are refused, and finds go on")
    func hostile() throws {
      let people = try PeopleVault()
      _ = try people.keychain.add(item("open"), for: Caller())
      var refused = 0
      var clients: [RawClient] = []
      let residentBefore = MemoryUse.residentBytes(of: try people.vault.agent.process)
      for number in 0..<100 {
        let client = try RawClient(people.vault.place)
        #expect(try client.sayHello(people.vault.vaultID))
        clients.append(client)
        for round in 0..<10 {
          let request = EvaluationRequest(
            id: UInt64(number * 10 + round), .owner, AuthenticationTexts(reason: "\(number)"),
            at: PersonSession.place())
          client.send(try Encoding.packet(.evaluate(request), serial: UInt32(round + 8)).bytes)
        }
        while let answer = client.receive(seconds: 0.05), !answer.isEmpty {
          if case .answer(.evaluated(.failure(let failure))) = try Encoding.reply(answer, to: .evaluate) {
            #expect(failure == AuthenticationFailure(.systemCancel, .tooManyPrompts))
            refused += 1
          }
        }
      }
      // One is shown, and two of one process wait.
      #expect(refused == 997)
      var found = 0
      let took = try seconds { found = try people.keychain.find(query("open"), for: Caller()).count }
      #expect(found == 1)
      #expect(took < 1)
      let more = MemoryUse.residentBytes(of: try people.vault.agent.process) - residentBefore
      print("1,000 evaluations: \(refused) refused, \(more >> 10) KiB more, a find meanwhile \(took * 1_000) ms")
      #expect(more < 64 << 20)
      clients = []
      #expect(people.logs("finger gone", times: 1))
      try people.fingers("match")
      #expect(try people.seated.answer(.owner)?.get() == [.finger])
    }
  }
}
