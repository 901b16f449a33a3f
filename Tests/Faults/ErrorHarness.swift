import Foundation

/// Lets a system call fail, once or for ever from there, and holds the answer against what is left.
struct ErrorHarness {
  /// What a call fails with, and where.
  private struct Kind {
    let error: String
    /// What strace appends to the number of the occurrence.
    let suffix: String
    let calls: [String]
  }

  let setting: Setting
  private var tried: [String: Int] = [:]
  private var faults: [String] = []

  init(_ setting: Setting) { self.setting = setting }

  /// EINTR for ever is not: no kernel gives it, and SQLite waits for its end. Thirty in a row stand for it.
  private static let kinds = [
    Kind(error: "ENOSPC", suffix: "", calls: Injection.changing),
    Kind(error: "ENOSPC", suffix: "+", calls: Injection.changing),
    Kind(error: "EIO", suffix: "", calls: Injection.changing + Injection.asking),
    Kind(error: "EIO", suffix: "+", calls: Injection.changing + Injection.asking),
    Kind(error: "EINTR", suffix: "", calls: interruptible), Kind(error: "EINTR", suffix: "..", calls: interruptible),
  ]
  private static let interruptible = [
    "write", "pwrite64", "ftruncate", "openat", "read", "pread64", "fcntl", "flock", "fsync", "fdatasync",
  ]

  /// Places of each call that are tried with each error in each step, in full: more take hours and find the same.
  private static let placesMax = 6

  mutating func run() throws {
    try setting.checkInjection()
    let changes = try Steps.make(setting)
    var turn = 0
    for step in changes + Steps.reading(after: changes[changes.count - 1]) + (try Steps.mending(setting)) {
      let injection = try Injection(step, Injection.changing + Injection.asking, setting)
      for (index, kind) in Self.kinds.enumerated() {
        for (place, call) in kind.calls.enumerated() {
          guard let range = injection.occurrences[call] else { continue }
          // In the short run each call gets one kind of error in each step, by turns.
          if setting.isShort, (place + turn) % Self.kinds.count != index { continue }
          for number in Injection.sample(range, countMax: setting.isShort ? 1 : Self.placesMax, turn: turn) {
            try fail(step, call, number, kind)
          }
        }
      }
      turn += 1
      if !setting.isShort { say("errors: \(step.title): \(tried.values.reduce(0, +)) tried, \(faults.count) faults") }
    }
    say("errors: " + tried.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    say("errors tried: \(tried.values.reduce(0, +)), wrong answers or damage: \(faults.count)")
    for error in ["ENOSPC once", "EIO once", "EIO for ever"] where tried[error, default: 0] == 0 {
      faults.append("no \(error) was tried")
    }
    guard faults.isEmpty else { throw Fault(faults.prefix(40).joined(separator: "\n")) }
  }

  private mutating func fail(_ step: Step, _ call: String, _ number: Int, _ kind: Kind) throws {
    let home = setting.scratch + "/error"
    try step.picture.put(at: home)
    let when = kind.suffix == ".." ? "\(number)..\(number + 29)" : "\(number)\(kind.suffix)"
    let title = "\(kind.error) \(kind.suffix.isEmpty ? "once" : kind.suffix == "+" ? "for ever" : "30 times")"
    let place = "\(step.title), \(title) at \(Injection.plain(call)) \(number)"
    let ending: Ending
    do {
      ending = try setting.run(
        [setting.program] + step.arguments, input: step.input, home: home,
        strace: ["-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(call):error=\(kind.error):when=\(when)"])
    } catch let fault as Fault {
      faults.append("\(place): \(fault)")
      return
    }
    tried[title, default: 0] += 1
    if let fault = wrong(ending, step) { faults.append("\(place): \(fault)") }
    if let fault = step.fault(at: home, isDone: ending.exitCode == 0) {
      faults.append("\(place): afterwards: \(fault)")
    }
  }

  private func wrong(_ ending: Ending, _ step: Step) -> String? {
    switch ending.exitCode {
    case nil: "a signal ended it: \(ending.signal)"
    case 0: step.output == ending.output || step.output.isEmpty ? nil : "success with a wrong output"
    case 1: "a failure was told as not found"
    // Standard error may be what fails.
    case 3, 4, 5: ending.errors.isEmpty || ending.errorText.hasPrefix("thumbturn: error: ") ? nil : ending.errorText
    default: "exit code \(ending.exitCode ?? -1): \(ending.errorText)"
    }
  }
}
