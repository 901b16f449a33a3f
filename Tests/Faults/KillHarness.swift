import Foundation

/// Kills the program at every call that changes a disk and holds what is left against what was acknowledged.
struct KillHarness {
  let setting: Setting
  private var tried: [String: Int] = [:]
  private var faults: [String] = []
  private var home: String { setting.scratch + "/kill" }

  init(_ setting: Setting) { self.setting = setting }

  mutating func run() throws {
    try setting.checkInjection()
    let steps = try Steps.make(setting)
    try selfTest(steps[2])
    for (turn, step) in try (steps + Steps.mending(setting)).enumerated() {
      let injection = try Injection(step, Injection.changing, setting)
      for call in Injection.changing {
        guard let range = injection.occurrences[call] else { continue }
        for number in Injection.sample(range, countMax: setting.isShort ? 1 : nil, turn: turn) {
          try kill(step, call, number)
        }
        if setting.isShort { continue }
        // One further than the last: there must be nothing left to kill.
        guard try !attempt(step, call, range.upperBound + 1).wasKilled else {
          faults.append("\(step.title): more calls of \(call) than were counted")
          continue
        }
      }
    }
    try killSessions()
    let names = Injection.changing.map(Injection.plain)
    say("kill points: " + names.map { "\($0) \(tried[$0] ?? 0)" }.joined(separator: ", "))
    say("kill points tried: \(tried.values.reduce(0, +)), acknowledged changes lost or half done: \(faults.count)")
    for call in ["pwrite64", "fdatasync"] where tried[call, default: 0] == 0 { faults.append("no \(call) was killed") }
    guard faults.isEmpty else { throw Fault(faults.prefix(20).joined(separator: "\n")) }
  }

  /// A lost change and a file too many must be seen.
  private func selfTest(_ step: Step) throws {
    try step.picture.put(at: home)
    guard step.before != step.after, let fault = step.fault(at: home, isDone: true) else {
      throw Fault("self-test: a change was not made, and nothing was noticed")
    }
    say("kill, self-test: \(fault)")
    try step.picture.put(at: home)
    try Files.write([1], to: home + "/vault/keybag.stray")
    guard step.fault(at: home, isDone: false) != nil else { throw Fault("self-test: a stray file was not noticed") }
  }

  /// One program that makes many changes and says after each that it is done: what it has said must be there.
  private mutating func killSessions() throws {
    let contents = PowerHarness.contents()
    let session = Step(
      title: "session", arguments: ["script"], input: [], picture: Picture(), before: [:],
      after: contents[contents.count - 1], program: setting.harness)
    let injection = try Injection(session, Injection.changing, setting)
    for call in setting.isShort ? ["pwrite64", "fdatasync"] : Injection.changing {
      guard let range = injection.occurrences[call] else { continue }
      for number in Injection.sample(range, countMax: setting.isShort ? 6 : 40) {
        let ending = try attempt(session, call, number)
        let doneCount = String(decoding: ending.output, as: UTF8.self).split(separator: "\n").count
        tried[Injection.plain(call), default: 0] += ending.wasKilled ? 1 : 0
        let allowed = Array(contents[doneCount..<min(doneCount + 2, contents.count)])
        if let fault = Verdict.fault(at: home, allowed: allowed) {
          faults.append("session, \(Injection.plain(call)) \(number), \(doneCount) changes acknowledged: \(fault)")
        }
      }
    }
  }

  private func attempt(_ step: Step, _ call: String, _ number: Int) throws -> Ending {
    try step.picture.put(at: home)
    return try setting.run(
      [step.program ?? setting.program] + step.arguments, input: step.input, home: home,
      strace: ["-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(call):signal=KILL:when=\(number)"])
  }

  private mutating func kill(_ step: Step, _ call: String, _ number: Int) throws {
    let ending = try attempt(step, call, number)
    let place = "\(step.title), \(Injection.plain(call)) \(number)"
    if ending.wasKilled {
      tried[Injection.plain(call), default: 0] += 1
    } else if ending.exitCode != step.exitCode {
      faults.append("\(place): ended by itself with \(ending.exitCode ?? -1): \(ending.errorText)")
      return
    }
    if let fault = step.fault(at: home, isDone: !ending.wasKilled) {
      faults.append("\(place): \(fault)")
    }
  }
}
