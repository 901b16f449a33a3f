import Foundation

/// Kills the program at every call that changes a disk and holds what is left against what was acknowledged.
struct KillHarness {
  let setting: Setting
  private var tried: [String: Int] = [:]
  private var faults: [String] = []

  init(_ setting: Setting) { self.setting = setting }

  mutating func run() throws {
    try setting.checkInjection()
    for step in try Steps.make(setting) {
      let injection = try Injection(step, Injection.changing, setting)
      for call in Injection.changing {
        guard let range = injection.occurrences[call] else { continue }
        for number in Injection.sample(range, countMax: setting.isShort ? 4 : nil) {
          try kill(step, call, number)
        }
        // One further than the last: there must be nothing left to kill.
        guard try !attempt(step, call, range.upperBound + 1).wasKilled else {
          faults.append("\(step.title): more calls of \(call) than were counted")
          continue
        }
      }
    }
    let names = Injection.changing.map(Injection.plain)
    say("kill points: " + names.map { "\($0) \(tried[$0] ?? 0)" }.joined(separator: ", "))
    say("kill points tried: \(tried.values.reduce(0, +)), acknowledged changes lost or half done: \(faults.count)")
    for call in ["pwrite64", "fdatasync"] where tried[call, default: 0] == 0 { faults.append("no \(call) was killed") }
    guard faults.isEmpty else { throw Fault(faults.prefix(20).joined(separator: "\n")) }
  }

  private func attempt(_ step: Step, _ call: String, _ number: Int) throws -> Ending {
    let home = setting.scratch + "/kill"
    try step.picture.put(at: home)
    return try setting.run(
      [setting.program] + step.arguments, input: step.input, home: home,
      strace: ["-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(call):signal=KILL:when=\(number)"])
  }

  private mutating func kill(_ step: Step, _ call: String, _ number: Int) throws {
    let ending = try attempt(step, call, number)
    let place = "\(step.title), \(Injection.plain(call)) \(number)"
    if ending.wasKilled {
      tried[Injection.plain(call), default: 0] += 1
    } else if ending.exitCode != 0 {
      faults.append("\(place): ended by itself with \(ending.exitCode ?? -1): \(ending.errorText)")
      return
    }
    let allowed = ending.wasKilled ? [step.before, step.after] : [step.after]
    if let fault = Verdict.fault(at: setting.scratch + "/kill", allowed: allowed) {
      faults.append("\(place): \(fault)")
    }
  }
}
