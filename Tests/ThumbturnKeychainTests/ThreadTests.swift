internal import Foundation
internal import Synchronization
internal import Testing
internal import ThumbturnVault

@testable internal import ThumbturnKeychain

/// Many threads on one vault, against a model (VAULT.md §11).
@Suite("Threads")
struct ThreadTests {
  /// What the threads tell; a thread cannot throw.
  private final class Report: Sendable {
    let wrong = Mutex<[String]>([])
    /// How often the item that all of them fight for was added, less how often it was deleted.
    let shared = Atomic<Int>(0)
    let ended = Atomic<Int>(0)
    func say(_ text: String) { wrong.withLock { $0.append(text) } }
  }

  /// One thread's calls: on its own items, which only it changes, and on one that all of them add and delete.
  private struct Player {
    let number: Int
    let backend: LocalBackend
    let report: Report
    var model: [String: String] = [:]
    var generator: SplitMix

    private var mine: ItemQuery { query([.service: .text("thread \(number)")]) }

    mutating func play() {
      for step in 0..<40 {
        do { try turn(step) } catch { report.say("thread \(number), step \(step): \(error)") }
      }
    }

    private mutating func turn(_ step: Int) throws {
      let account = "account \(Int.random(in: 0..<4, using: &generator))"
      let text = "secret \(number) \(step)"
      let one = query([.service: .text("thread \(number)"), .account: .text(account)])
      switch Int.random(in: 0..<6, using: &generator) {
      case 0:
        let isNew = try succeeds(but: .duplicateItem) {
          _ = try backend.add(try password("thread \(number)", account, text), for: me)
        }
        expect(isNew == (model[account] == nil), "add of \(account)")
        if isNew { model[account] = text }
      case 1:
        let isThere = try succeeds(but: .itemNotFound) {
          try backend.update(one, with: ItemChange(secret: try secret(text)), for: me)
        }
        expect(isThere == (model[account] != nil), "update of \(account)")
        if isThere { model[account] = text }
      case 2:
        let isThere = try succeeds(but: .itemNotFound) { try backend.delete(one, for: me) }
        expect(isThere == (model[account] != nil), "delete of \(account)")
        model[account] = nil
      case 3:
        let both = query([.service: .text("all"), .account: .text("one")])
        if try succeeds(but: .duplicateItem, { _ = try backend.add(try password("all", "one", text), for: me) }) {
          report.shared.add(1, ordering: .relaxed)
        } else if try succeeds(but: .itemNotFound, { try backend.delete(both, for: me) }) {
          report.shared.subtract(1, ordering: .relaxed)
        }
      case 4:
        var found: [FoundItem] = []
        _ = try succeeds(but: .itemNotFound) { found = try backend.find(one, for: me) }
        expect(found.map(\.text) == model[account].map { [$0] } ?? [], "find of \(account)")
      default:
        var found: [FoundItem] = []
        _ = try succeeds(but: .itemNotFound) { found = try backend.find(mine, for: me) }
        expect(Set(found.compactMap(\.text)) == Set(model.values) && found.count == model.count, "find of all")
      }
    }

    private func expect(_ isRight: Bool, _ what: String) {
      if !isRight { report.say("thread \(number): \(what) is not as in the model") }
    }

    private func succeeds(but code: KeychainError.Code, _ body: () throws -> Void) throws -> Bool {
      do {
        try body()
        return true
      } catch let error as KeychainError {
        guard error.code == code else { throw error }
        return false
      }
    }
  }

  private struct SplitMix: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  @Test("16 threads add, find, change and delete at once, over two openings of one vault, and each sees its own model")
  func model() throws {
    let scratch = try Scratch()
    let backends = [scratch.backend, scratch.another()]
    let report = Report()
    let models = Mutex<[Int: [String: String]]>([:])
    for number in 0..<16 {
      Thread.detachNewThread {
        var player = Player(
          number: number, backend: backends[number % 2], report: report,
          generator: SplitMix(state: UInt64(number) &+ 7))
        player.play()
        let model = player.model
        models.withLock { $0[number] = model }
        report.ended.add(1, ordering: .sequentiallyConsistent)
      }
    }
    let end = Date(timeIntervalSinceNow: 120)
    while report.ended.load(ordering: .sequentiallyConsistent) < 16, Date() < end { usleep(10_000) }
    #expect(report.ended.load(ordering: .sequentiallyConsistent) == 16)
    #expect(report.wrong.withLock { $0 } == [])
    for (number, model) in models.withLock({ $0 }) {
      let found = (try? scratch.another().find(query([.service: .text("thread \(number)")]), for: me)) ?? []
      #expect(Set(found.compactMap(\.text)) == Set(model.values), "thread \(number)")
      #expect(found.count == model.count)
    }
    let shared = (try? scratch.another().find(query([.service: .text("all")]), for: me).count) ?? 0
    #expect(shared == report.shared.load(ordering: .relaxed))
    #expect(try scratch.check().isClean)
  }
}
