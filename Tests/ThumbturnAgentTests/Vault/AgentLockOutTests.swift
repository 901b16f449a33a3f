import AgentFixtures
import Foundation
import Synchronization
import Testing
import TestFixtures
import ThumbturnAgentClient
import ThumbturnCrypto
import ThumbturnKeychain
import ThumbturnVault

extension AgentTests {
  @Suite("Lock-out with an agent")
  struct LockOuts {
    /// A clock in the home's file, from a moment that has nothing to do with this machine's.
    private final class Clock {
      private let home: String
      var moment: BootMoment

      init(_ home: String) throws {
        self.home = home
        moment = BootMoment(bootID: newBootID(), nanoseconds: 50_000_000_000_000)
        try write()
      }

      func write() throws { try VaultSeams.setClock(home, moment) }

      func advance(seconds: Int64) throws {
        moment.nanoseconds += seconds * 1_000_000_000
        try write()
      }
    }

    private func make() throws -> (VaultAgent, Clock) {
      let vault = try VaultAgent(classes: [.whenUnlocked], isStarted: false)
      let clock = try Clock(vault.path)
      try vault.start()
      return (vault, clock)
    }

    private func tryOne(_ control: AgentControl, _ passcode: String) -> VaultError? {
      failure { try control.unlock(text(passcode)) }?.cause
    }

    /// Five different wrong ones.
    private func lockOut(_ vault: VaultAgent) throws {
      let control = vault.control
      for number in 1...5 { #expect(tryOne(control, "wrong \(number)")?.code == .wrongPasscode) }
      #expect(try control.status().secondsToWait == 60)
    }

    @Test("twelve wrong ones in parallel, by two clients and the library, are one count: five are tried")
    func parallel() throws {
      let (vault, _) = try make()
      let (controls, local) = ([vault.control, vault.control], vault.local)
      let codes = Mutex<[VaultError.Code?]>([])
      DispatchQueue.concurrentPerform(iterations: 18) { index in
        let wrong = "wrong \(index)"
        let found =
          index % 3 == 2
          ? cause { try local.unlock(Passcode(text(wrong))) } : tryOne(controls[index % 3], wrong)?.code
        codes.withLock { $0.append(found) }
      }
      let found = codes.withLock { $0 }
      #expect(found.count { $0 == .wrongPasscode } == 5)
      #expect(found.count { $0 == .lockedOut } == 7)
      // While an agent runs only it checks passcodes.
      #expect(found.count { $0 == .seatTaken } == 6)
      #expect(try vault.control.status().failedAttempts == 5)
      // The same count in process afterwards.
      #expect(try vault.terminate() == 0)
      let after = vault.local
      #expect(cause { try after.unlock(Passcode(text("1234"))) } == .lockedOut)
      #expect(try after.status().failedAttempts == 5)
    }

    @Test("and so are those of the command line: four doors at once, one count")
    func commandLine() throws {
      let (vault, _) = try make()
      let (control, local) = (vault.control, vault.local)
      let said = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 12) { index in
        let answer: String
        if index % 3 == 0 {
          answer = (try? Self.command(vault.path, "wrong \(index)")) ?? "failed"
        } else if index % 3 == 1 {
          answer =
            tryOne(control, "wrong \(index)")?.code == .wrongPasscode ? "the passcode is wrong" : "too many wrong"
        } else {
          answer = "\(String(describing: cause { try local.unlock(Passcode(text("wrong \(index)"))) }))"
        }
        said.withLock { $0.append(answer) }
      }
      let found = said.withLock { $0 }
      #expect(found.count { $0.contains("the passcode is wrong") } == 5, "\(found)")
      #expect(found.count { $0.contains("too many wrong") } == 3, "\(found)")
      #expect(found.count { $0.contains("seatTaken") } == 4, "\(found)")
      #expect(try control.status().failedAttempts == 5)
    }

    /// What `thumbturn unlock` says on standard error.
    private static func command(_ home: String, _ passcode: String) throws -> String {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: SpawnedAgent.buildFolder + "/thumbturn")
      process.arguments = ["unlock", "--fd", "0"]
      process.environment = ProcessInfo.processInfo.environment.merging(["THUMBTURN_HOME": home]) { $1 }
      let (input, errors) = (Pipe(), Pipe())
      process.standardInput = input
      process.standardError = errors
      try process.run()
      try input.fileHandleForWriting.write(contentsOf: Data("\(passcode)\n".utf8))
      try input.fileHandleForWriting.close()
      let text = errors.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return String(decoding: text, as: UTF8.self)
    }

    @Test("the settings', the change's and the removal's passcode count as well")
    func everyDoor() throws {
      let (vault, clock) = try make()
      let control = vault.control
      #expect(cause { try control.unlock(text("a")) } == .wrongPasscode)
      #expect(cause { try control.changePasscode(text("b"), to: text("x")) } == .wrongPasscode)
      #expect(cause { try control.removePasscode(text("c")) } == .wrongPasscode)
      #expect(cause { try control.rotate(text("d")) } == .wrongPasscode)
      #expect(
        cause { try control.changeSettings(graceSeconds: 1, idleSeconds: 1, passcode: text("e")) } == .wrongPasscode)
      #expect(cause { try control.acceptOlder(text("1234")) } == .lockedOut)
      #expect(try control.status().failedAttempts == 5)
      try clock.advance(seconds: 60)
      try control.unlock(text("1234"))
      #expect(try control.status().failedAttempts == 0)
    }

    @Test("a try that kill -9 ends between the count and the check is counted, and its delay holds")
    func killedInside() throws {
      let (vault, clock) = try make()
      let file = "\(vault.path)/device/attempts"
      for number in 1...5 {
        let before = try Data(contentsOf: URL(fileURLWithPath: file))
        let (link, ended) = (vault.link, DispatchSemaphore(value: 0))
        DispatchQueue.global().async {
          // Also the right one: what was not checked opened nothing.
          try? AgentControl(link).unlock(text(number == 3 ? "1234" : "wrong \(number)"))
          ended.signal()
        }
        #expect(try becomes { try Data(contentsOf: URL(fileURLWithPath: file)) != before })
        try vault.kill()
        #expect(ended.wait(timeout: .now() + 10) == .success)
        try vault.start()
        let status = try vault.control.status()
        #expect(status.failedAttempts == number)
        #expect(status.lockState == .beforeFirstUnlock)
        #expect(status.secondsToWait == (number == 5 ? 60 : 0))
      }
      #expect(tryOne(vault.control, "1234")?.secondsToWait == 60)
      try clock.advance(seconds: 60)
      try vault.control.unlock(text("1234"))
    }

    @Test("no clock that goes back, restart of agent or machine, or vault folder put back makes a delay shorter")
    func delaysHold() throws {
      let (vault, clock) = try make()
      let kept = try vault.files().filter { $0.key.hasPrefix("vault/") }
      try lockOut(vault)
      #expect(tryOne(vault.control, "1234")?.secondsToWait == 60)
      // The clock goes back.
      let start = clock.moment
      try clock.advance(seconds: -1_000)
      #expect(tryOne(vault.control, "1234")?.secondsToWait == 60)
      clock.moment = start
      try clock.advance(seconds: 59)
      #expect(tryOne(vault.control, "1234")?.secondsToWait == 1)
      // Another agent.
      try vault.kill()
      try vault.start()
      #expect(tryOne(vault.control, "1234")?.secondsToWait == 1)
      // The vault folder as it was before the tries.
      #expect(try vault.terminate() == 0)
      for (name, bytes) in kept {
        let file = "\(vault.path)/\(name)"
        try bytes.write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      }
      try vault.start()
      #expect(tryOne(vault.control, "1234")?.secondsToWait == 1)
      // Another start of the machine, two seconds ago: the delay runs anew.
      clock.moment = BootMoment(bootID: newBootID(), nanoseconds: 2_000_000_000)
      try clock.write()
      #expect(tryOne(vault.control, "1234")?.secondsToWait == 58)
      try clock.advance(seconds: 58)
      try vault.control.unlock(text("1234"))
      #expect(try vault.control.status().failedAttempts == 0)
    }

    @Test("the same wrong one again counts once, but not for an agent that was started anew")
    func repeated() throws {
      let (vault, _) = try make()
      for _ in 1...6 { #expect(tryOne(vault.control, "wrong")?.code == .wrongPasscode) }
      #expect(try vault.control.status().failedAttempts == 1)
      try vault.kill()
      try vault.start()
      #expect(tryOne(vault.control, "wrong")?.code == .wrongPasscode)
      #expect(try vault.control.status().failedAttempts == 2)
    }
  }
}
