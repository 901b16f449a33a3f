import Foundation
import ThumbturnKeychain
import ThumbturnVault

/// Several programs that change one vault at the same time, on a real disk; then one that is stopped while it holds it.
struct ContentionHarness {
  private static let processCount = 8
  /// The longest transaction may take this many times the median one.
  private static let longestInMedians = 1_000.0

  let setting: Setting
  /// Transactions of each, by turns on the counter and on an item of its own.
  private var turnCount: Int { setting.isShort ? 60 : 500 }

  init(_ setting: Setting) { self.setting = setting }

  func run() throws {
    try selfTest()
    let times = try count(processes: Self.processCount, turns: turnCount, isCareless: false)
    let median = times[times.count / 2]
    let longest = times[times.count - 1]
    say(
      "contention: \(Self.processCount) processes, \(times.count) transactions, none lost, none failed; median "
        + "\(Self.milliseconds(median)) ms, longest \(Self.milliseconds(longest)) ms, \(Int(longest / median)) medians")
    guard longest <= median * Self.longestInMedians else {
      throw Fault("the longest transaction took more than \(Int(Self.longestInMedians)) times the median one")
    }
    try StoppedHolder(setting).run()
  }

  /// Programs that overwrite each other's numbers must be noticed.
  private func selfTest() throws {
    do { _ = try count(processes: 4, turns: 30, isCareless: true) } catch let fault as Fault
      where fault.description.hasPrefix("transactions were lost")
    {
      return say("contention, self-test: \(fault)")
    }
    throw Fault("self-test: programs overwrote each other's numbers and nothing was noticed")
  }

  /// Nanoseconds of each transaction, in ascending order.
  private func count(processes: Int, turns: Int, isCareless: Bool) throws -> [Double] {
    let home = setting.diskScratch + "/contention"
    defer { for path in [home, home + ".go"] { Files.remove(path) } }
    try Contender.make(in: home, count: processes)
    let children = try (0..<processes).map { number in
      try setting.start(
        [setting.harness, "contend", home, "\(number)", "\(turns)"] + (isCareless ? ["careless"] : []), home: home)
    }
    try Files.write([], to: home + ".go")
    var times: [Double] = []
    var overtakenCount = 0
    for (number, child) in children.enumerated() {
      let ending = try child.wait(seconds: 600)
      guard ending.exitCode == 0 else { throw Fault("contender \(number) failed: \(ending.errorText)") }
      for line in String(decoding: ending.output, as: UTF8.self).split(separator: "\n") {
        let words = line.split(separator: " ")
        if words[0] == "took", let time = Double(words[1]) { times.append(time) }
        if words[0] == "overtaken", let count = Int(words[1]) { overtakenCount += count }
      }
    }
    try judge(home, processes: processes, turns: turns)
    guard times.count == processes * turns else { throw Fault("not every transaction was told") }
    say("contention: \(overtakenCount) times another was quicker, and the transaction read anew")
    return times.sorted()
  }

  private func judge(_ home: String, processes: Int, turns: Int) throws {
    let backend = LocalBackend(location: VaultLocation(home: home))
    defer { backend.close() }
    for number in 0..<processes {
      let value = try Contender.value(of: Contender.own(number), in: backend)
      guard value == turns / 2 else {
        throw Fault("transactions were lost: contender \(number) has \(value) of \(turns / 2)")
      }
    }
    let value = try Contender.value(of: Contender.counter, in: backend)
    guard value == turns / 2 * processes else {
      throw Fault("transactions were lost: the counter says \(value) of \(turns / 2 * processes)")
    }
    let report = try backend.check()
    guard report.isClean, report.recordCount == processes + 1 else { throw Fault("afterwards check finds damage") }
  }

  private static func milliseconds(_ nanoseconds: Double) -> String { String(format: "%.2f", nanoseconds / 1e6) }
}
