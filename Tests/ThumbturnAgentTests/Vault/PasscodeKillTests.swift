import AgentFixtures
import Foundation
import Testing
import TestFixtures
import ThumbturnAgentClient
import ThumbturnCrypto
@_spi(Benchmarks) import ThumbturnKeychain
import ThumbturnVault

extension AgentTests {
  /// With `THUMBTURN_KILLS` so many kills of each change; 8 without it.
  @Suite("An agent killed while the passcode is changed")
  struct Kills {
    private static let count = ProcessInfo.processInfo.environment["THUMBTURN_KILLS"].flatMap { Int($0) } ?? 8
    private static let itemCount = 120

    /// One change of a passcode.
    enum Change: String, CaseIterable, Sendable {
      case set
      case change
      case changeAndRotate
      case remove
      case removeAndRotate
      case rotate

      var old: String? { self == .set ? nil : "old" }
      var new: String? {
        switch self {
        case .set, .change, .changeAndRotate: "new"
        case .remove, .removeAndRotate: nil
        case .rotate: "old"
        }
      }

      func make(_ control: AgentControl) throws {
        switch self {
        case .set: try control.setPasscode(text("new"))
        case .change: try control.changePasscode(text("old"), to: text("new"))
        case .changeAndRotate: try control.changePasscode(text("old"), to: text("new"), rotates: true)
        case .remove: try control.removePasscode(text("old"))
        case .removeAndRotate: try control.removePasscode(text("old"), rotates: true)
        case .rotate: try control.rotate(text("old"))
        }
      }
    }

    /// What a kill left: whether the old or the new state, and whether the client had been told that it is done.
    private struct Outcome {
      var isNew: Bool
      var wasTold: Bool
    }

    private let classes: [ProtectionClass] = [.whenUnlocked, .afterFirstUnlock, .always]

    /// A vault in the state before a change, with its items.
    private func make(_ change: Change) throws -> VaultAgent {
      let vault = try VaultAgent(passcode: change.old, classes: [], isStarted: false)
      let local = vault.local
      if let old = change.old {
        try local.unlock(Passcode(text(old)))
        _ = try local.add(item("akpu", .whenPasscodeSetThisDeviceOnly), for: Caller())
      }
      let items = try (0..<Self.itemCount).map { try item("a\($0)", classes[$0 % classes.count]) }
      try local.addTogether(items, for: Caller())
      local.close()
      return vault
    }

    /// From when on the time until a kill is counted.
    private enum Mark: Int, CaseIterable {
      case request
      case firstFile
      case newKeybag
    }

    /// Lets the agent make the change and kills it so long after the mark; whether the client was told that it is done.
    private func kill(_ vault: VaultAgent, _ change: Change, _ mark: Mark, milliseconds: Double) throws -> Bool {
      try vault.start()
      let before = try Set(vault.files().keys)
      let keybag = inode("\(vault.path)/vault/keybag")
      let (link, told, ended) = (vault.link, Counter(), DispatchSemaphore(value: 0))
      DispatchQueue.global().async {
        if (try? change.make(AgentControl(link))) != nil { told.add() }
        ended.signal()
      }
      switch mark {
      case .request: break
      case .firstFile: _ = becomes(within: 20) { told.count > 0 || hasNewFile(vault.path, before) }
      case .newKeybag: _ = becomes(within: 20) { told.count > 0 || inode("\(vault.path)/vault/keybag") != keybag }
      }
      usleep(UInt32(milliseconds * 1_000))
      try vault.kill()
      #expect(ended.wait(timeout: .now() + 20) == .success)
      return told.count > 0
    }

    private func inode(_ path: String) -> Int? {
      (try? FileManager.default.attributesOfItem(atPath: path))?[.systemFileNumber] as? Int
    }

    /// Files that come with the change itself, not those of every call.
    private func hasNewFile(_ path: String, _ before: Set<String>) -> Bool {
      for folder in ["vault", "device"] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")) ?? []
        for name in names where !before.contains("\(folder)/\(name)") {
          if !name.hasSuffix("-wal"), !name.hasSuffix("-shm"), !name.contains("lock"), !name.contains("attempts") {
            return true
          }
        }
      }
      return false
    }

    /// Opens the vault in process and looks at everything.
    private func look(_ vault: VaultAgent, _ change: Change) throws -> Bool {
      let local = vault.local
      defer { local.close() }
      let isNew = try open(local, change)
      let found = try local.find(query(), for: Caller())
      let accounts = Set(found.compactMap(\.account))
      for index in 0..<Self.itemCount { #expect(accounts.contains("a\(index)")) }
      #expect(found.allSatisfy { $0.text == $0.account.map { "secret of \($0)" } })
      let hasAkpu = change.old != nil && !(isNew && change.new == nil)
      #expect(accounts.contains("akpu") == hasAkpu)
      #expect(found.count == Self.itemCount + (hasAkpu ? 1 : 0))
      try expectClean(local)
      // It can be written, which also finishes what the kill left of the old state.
      _ = try local.add(item("after"), for: Caller())
      try local.delete(query("after"), for: Caller())
      try expectClean(local)
      if change == .rotate { return isNew }
      if isNew {
        let names = try vault.files().keys.filter { $0.hasSuffix(".db") || $0.contains("/d0-") }
        #expect(names.count == 2, "\(names)")
      } else {
        // Made once more: nothing that was left is in its way.
        try local.changePasscode(
          from: change.old.map { try Passcode(text($0)) }, to: change.new.map { try Passcode(text($0)) })
        let hasAkpuThen = change.old != nil && change.new != nil
        #expect(try local.find(query(), for: Caller()).count == Self.itemCount + (hasAkpuThen ? 1 : 0))
        try expectClean(local)
      }
      return isNew
    }

    /// Nothing but files that were never in use.
    private func expectClean(_ local: LocalBackend) throws {
      let findings = try local.check().findings
      let others = findings.filter { if case .strayFile = $0 { false } else { true } }
      #expect(others.isEmpty, "\(others)")
    }

    /// Opens it with the old passcode or the new one; whether it is in the new state.
    private func open(_ local: LocalBackend, _ change: Change) throws -> Bool {
      let hasPasscode = try local.status().hasPasscode
      guard hasPasscode else {
        #expect(change.old == nil || change.new == nil)
        return change.old != nil
      }
      // No more than one wrong one, however often it was killed inside.
      if let old = change.old, cause({ try local.unlock(Passcode(text(old))) }) == nil { return false }
      let new = try #require(change.new)
      try local.unlock(Passcode(text(new)))
      return true
    }

    @Test("opens with the old or the new passcode, with every item, and is clean", arguments: Change.allCases)
    func killed(change: Change) throws {
      // How long it takes when nobody kills it.
      let whole = try make(change)
      try whole.start()
      let took = try seconds { try change.make(whole.control) } * 1_000
      try whole.kill()
      #expect(try look(whole, change) == (change != .rotate))
      var outcomes: [Outcome] = []
      var random = SystemRandomNumberGenerator()
      for number in 0..<Self.count {
        let vault = try make(change)
        let mark = Mark.allCases[number % Mark.allCases.count]
        let longest =
          switch mark {
          case .request: took * 1.05
          case .firstFile: took * 0.5
          case .newKeybag: 10.0
          }
        let wasTold = try kill(vault, change, mark, milliseconds: Double.random(in: 0...longest, using: &random))
        let isNew = try look(vault, change)
        // What it said was done is.
        #expect(!wasTold || isNew || change == .rotate)
        outcomes.append(Outcome(isNew: isNew, wasTold: wasTold))
      }
      let (new, told) = (outcomes.count(where: \.isNew), outcomes.count(where: \.wasTold))
      print("\(change.rawValue): \(Int(took)) ms, \(outcomes.count) kills: \(new) new state, \(told) told so")
    }
  }
}
