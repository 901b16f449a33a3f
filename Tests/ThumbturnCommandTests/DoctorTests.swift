import Foundation
import Synchronization
import Testing
import ThumbturnAuthentication
import ThumbturnCrypto
import ThumbturnKeychain
import ThumbturnVault

@testable import ThumbturnCommand

@Suite("doctor")
struct DoctorTests {
  /// What surrounds it; at first everything is there.
  private struct Setting {
    var vault = FakeBackend(.withPasscode, isTaken: true)
    var agent: FakeAgent? = FakeAgent()
    var isAnswered = false
    var readers = FakeReaders(fingers: ["left-thumb"])
    var place = PromptPlace()
    var lookMilliseconds: Int64 = 5_000

    init() {
      place.display = ":7"
      agent?.lockState.withLock { $0 = .unlocked }
    }

    func run(_ options: [String] = []) throws -> Outcome {
      let agents = FakeAgents(agent)
      agents.state.withLock { $0.isAnswered = isAnswered }
      return try runCommand(["doctor"] + options, on: vault) {
        $0.findAgents = { _ in agents }
        $0.fingerReaders = readers
        $0.findPlace = { place }
        $0.lookMilliseconds = lookMilliseconds
      }
    }
  }

  /// The line about something, with its remedy.
  private func line(_ name: String, _ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let index = lines.firstIndex(where: { $0.dropFirst(9).hasPrefix(name + " ") }) else { return "" }
    let remedy = index + 1 < lines.count && lines[index + 1].hasPrefix("     ") ? lines[index + 1] : ""
    return ([lines[index], remedy].joined(separator: " ")).split(separator: " ").joined(separator: " ")
  }

  @Test("says of each thing that it is there, and ends with 0")
  func allThere() throws {
    let outcome = try Setting().run()
    #expect(
      outcome
        == Outcome(
          exitCode: 0,
          output: Array(
            """
            ok       vault          /nonexistent/vault
            ok       passcode       set
            ok       agent          process 4711, of this vault
            ok       lock           unlocked
            ok       wrong tries    0
            ok       memory         keys are kept out of the swap
            ok       system bus     answers
            ok       fprintd        answers
            ok       reader         Reader One
            ok       fingers        left-thumb
            ok       wrong fingers  0
            ok       place          display :7
            ok       prompt         can be shown there

            a prompt for a finger would come

            """.utf8), errors: ""))
  }

  @Test("says what is amiss with the vault and its agent, what to do, and ends with 1")
  func vault() throws {
    var setting = Setting()
    setting.vault = FakeBackend(VaultStatus(isPresent: false))
    setting.agent = nil
    var text = try setting.run().text
    #expect(line("vault", text) == "not ok vault there is none at /nonexistent/vault the first thumbturn set makes one")
    #expect(line("agent", text) == "not ok agent none runs, because there is no vault")
    #expect(text.hasSuffix("\nno prompt for a finger would come: no agent of this vault runs\n"))
    setting.isAnswered = true
    text = try setting.run().text
    #expect(
      line("agent", text).hasPrefix("not ok agent one runs whose vault is not here (any more) put the vault folder"))

    setting = Setting()
    setting.vault = FakeBackend(.withoutPasscode)
    setting.agent = nil
    let outcome = try setting.run()
    #expect(outcome.exitCode == 1)
    #expect(line("passcode", outcome.text).hasSuffix("thumbturn passcode set"))
    #expect(outcome.text.hasSuffix("would come: no passcode is set\n"))

    setting.vault = FakeBackend(.lockedOut)
    text = try setting.run().text
    #expect(line("agent", text) == "not ok agent none runs start it: thumbturn unlock")
    #expect(line("wrong tries", text).contains("no passcode is tried for the next 5 minutes (299 seconds)"))
    #expect(line("memory", text).hasPrefix("not ok memory no memory could be locked"))
    #expect(line("wrong fingers", text) == "unknown wrong fingers only the agent counts them")
    setting.isAnswered = true
    #expect(line("agent", try setting.run().text).hasPrefix("not ok agent the one that runs has another vault"))

    setting.vault.state.withLock { $0.statusError = KeychainError(VaultError(.damaged, "r", part: .keybag)) }
    text = try setting.run().text
    #expect(line("vault", text).hasPrefix("not ok vault the keybag /nonexistent/vault/keybag is damaged: r put the"))
    #expect(line("passcode", text) == "unknown passcode the vault cannot be asked")
  }

  /// What the agent says of fingers, and what follows from it.
  private static let peopleRows: [(AuthenticationStatus, String)] = [
    (with { $0.isVaultLocked = true }, "the vault is locked, and a finger alone cannot open it"),
    (with { $0.fingerFailures = 5 }, "too many fingers were not recognised"),
    (with { $0.reader = .notEnrolled }, "no finger is enrolled"),
    (with { $0.reader = .unavailable(.readerBusy) }, "another program uses the fingerprint reader"),
    (with { $0.promptObstacle = .noPlace }, "there is neither a display nor a terminal for a prompt"),
    (with { $0.promptObstacle = .noPrompter }, "no program that shows prompts is installed"),
  ]

  private static func with(_ change: (inout AuthenticationStatus) -> Void) -> AuthenticationStatus {
    var status = AuthenticationStatus.readyForFingers
    change(&status)
    return status
  }

  @Test("says what the agent says of fingers", arguments: peopleRows)
  func people(changed: AuthenticationStatus, obstacle: String) throws {
    let setting = Setting()
    setting.agent?.person.state.withLock { $0.status = .success(changed) }
    let outcome = try setting.run()
    #expect(outcome.exitCode == 1)
    #expect(outcome.text.hasSuffix("\nno prompt for a finger would come: \(obstacle)\n"), "\(outcome.text)")
    if changed.fingerFailures == 5 { #expect(line("wrong fingers", outcome.text).hasPrefix("not ok wrong fingers 5:")) }
  }

  @Test(
    "follows the way to the reader as far as it goes",
    arguments: [
      (.noBus, "not ok system bus", "unknown fprintd", "unknown reader"),
      (.noService, "ok system bus", "not ok fprintd", "unknown reader"),
      (.serviceSilent, "ok system bus", "not ok fprintd", "unknown reader"),
      (.noReader, "ok system bus", "ok fprintd", "not ok reader"),
      (.permissionDenied, "ok system bus", "ok fprintd", "not ok reader"),
    ] as [(AuthenticationFailure.Reason, String, String, String)])
  func readers(reason: AuthenticationFailure.Reason, bus: String, service: String, reader: String) throws {
    var setting = Setting()
    setting.readers = FakeReaders(FingerLook(obstacle: reason))
    let text = try setting.run().text
    #expect(line("system bus", text).hasPrefix(bus))
    #expect(line("fprintd", text).hasPrefix(service))
    #expect(line("reader", text).hasPrefix(reader))
    #expect(line("fingers", text).hasPrefix("unknown fingers"))
    for checked in [bus, service, reader] where checked.hasPrefix("not ok") && reason != .noReader {
      #expect(text.contains("      "), "a remedy stands below")
    }
  }

  @Test("needs neither bus nor display where the finger is simulated")
  func simulated() throws {
    var setting = Setting()
    setting.vault = FakeBackend(.simulated, isTaken: true)
    setting.agent = FakeAgent(status: .simulated)
    setting.agent?.lockState.withLock { $0 = .unlocked }
    setting.readers = FakeReaders(FingerLook(obstacle: .noBus))
    setting.place = PromptPlace()
    var status = AuthenticationStatus.readyForFingers
    status.isSimulated = true
    status.promptObstacle = .noPlace
    let there = status
    setting.agent?.person.state.withLock { $0.status = .success(there) }
    let outcome = try setting.run()
    #expect(outcome.exitCode == 0, "\(outcome.text)")
    #expect(line("reader", outcome.text) == "ok reader simulated: no bus and no fprintd is needed")
    #expect(line("vault", outcome.text).hasSuffix("(its fingers are simulated)"))
    status.reader = .notEnrolled
    let none = status
    setting.agent?.person.state.withLock { $0.status = .success(none) }
    #expect(line("fingers", try setting.run().text).hasSuffix("thumbturn finger simulate enrolled"))
  }

  @Test("ends in bounded time, whatever does not answer")
  func bounded() throws {
    var setting = Setting()
    setting.lookMilliseconds = 200
    setting.readers.state.withLock { $0.delaySeconds = 3 }
    setting.agent?.person.state.withLock { $0.delayMicroseconds = 3_000_000 }
    let begun = ContinuousClock.now
    let outcome = try setting.run()
    #expect(ContinuousClock.now - begun < .seconds(2))
    #expect(outcome.exitCode == 1)
    #expect(line("system bus", outcome.text).hasPrefix("unknown system bus nothing came back in time"))
    #expect(outcome.text.hasSuffix("would come: the agent did not answer in time\n"))
  }

  @Test("gives the same as JSON")
  func json() throws {
    var setting = Setting()
    let there = try #require(
      try JSONSerialization.jsonObject(with: Data(try setting.run(["--json"]).output)) as? [String: Any])
    #expect(there["fingerPrompt"] as? Bool == true)
    #expect((there["checks"] as? [[String: String]])?.count == 13)
    setting.agent = nil
    setting.vault = FakeBackend(.withPasscode)
    let outcome = try setting.run(["--json"])
    #expect(outcome.exitCode == 1)
    let missing = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    #expect(missing["fingerPrompt"] as? Bool == false)
    #expect(missing["obstacle"] as? String == "no agent of this vault runs")
    let checks = try #require(missing["checks"] as? [[String: String]])
    #expect(
      checks.first { $0["name"] == "agent" }
        == ["name": "agent", "verdict": "notOK", "text": "none runs", "remedy": "start it: thumbturn unlock"])
  }

  @Test("changes nothing and asks nobody")
  func touchesNothing() throws {
    let setting = Setting()
    _ = try setting.run()
    #expect(setting.vault.state.withLock { $0.calls.isEmpty })
    #expect(setting.agent?.calls.withLock { $0.isEmpty } == true)
    #expect(setting.agent?.vault.state.withLock { $0.calls.isEmpty } == true)
    #expect(setting.agent?.person.state.withLock { $0.asked.isEmpty } == true)
    #expect(setting.readers.calls.isEmpty)
  }
}
