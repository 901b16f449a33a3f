import Foundation
import Glibc
import ThumbturnAuthentication

/// What people do at the tests' own agent, written down in files of its home before they are asked.
///
/// Lines of `NAME` are taken one by one; when none is left, those of `NAME-always` count again and again.
package struct Script: Sendable {
  private let home: String
  private let name: String

  /// The script of this name in a home.
  package init(_ home: String, _ name: String) {
    self.home = home
    self.name = name
  }

  /// The next line that begins with one of these words; nil when there is none now.
  package func next(_ words: [String]) -> [Substring]? {
    let lines = Self.lines("\(home)/\(name)")
    if let index = lines.firstIndex(where: { line in words.contains { line.hasPrefix($0) } }) {
      var rest = lines
      let line = rest.remove(at: index)
      try? Self.write(rest, to: "\(home)/\(name)")
      return line.split(separator: " ")
    }
    return Self.lines("\(home)/\(name)-always").first { line in words.contains { line.hasPrefix($0) } }?.split(
      separator: " ")
  }

  private static func lines(_ path: String) -> [String] {
    guard let bytes = FileManager.default.contents(atPath: path) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private static func write(_ lines: [String], to path: String) throws {
    try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
  }

  /// Says what happens next; lines that were not taken are gone.
  package static func write(_ home: String, _ name: String, _ lines: [String]) throws {
    try write(lines, to: "\(home)/\(name)")
  }

  /// One line more in the log of a home.
  static func log(_ home: String, _ line: String) {
    let file = open("\(home)/people.log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    let bytes = Array((line + "\n").utf8)
    _ = unsafe Glibc.write(file, bytes, bytes.count)
    close(file)
  }

  /// What was asked of people so far.
  package static func log(_ home: String) -> [String] { lines("\(home)/people.log") }
}

/// A reader that does what `fingers` of its home says: `match`, `no-match`, `retry`, `cancel`, `unplug`, `busy`; and is what
/// `sensor` says: `none`, `unavailable`, `silent` (unavailable after 3 s) or `ready` and words that tell sets apart. Without a
/// file there is no reader.
package struct ScriptedSensor: FingerSensor {
  private let home: String

  /// The reader of a home.
  package init(_ home: String) { self.home = home }

  package var isSimulated: Bool { false }

  package func state() -> SensorState {
    let text = FileManager.default.contents(atPath: "\(home)/sensor").map { String(decoding: $0, as: UTF8.self) }
    let words = (text ?? "").split { $0 == " " || $0 == "\n" }.map(String.init)
    switch words.first {
    case "none": return .notEnrolled
    case "ready": return .ready(Enrolment(device: "scripted", fingers: Array(words.dropFirst())))
    case "silent":
      usleep(3_000_000)
      return .unavailable(.serviceSilent)
    case "slow":
      usleep(2_500_000)
      return .ready(Enrolment(device: "scripted", fingers: Array(words.dropFirst())))
    default: return .unavailable(.noReader)
    }
  }

  package func verify(limit: Duration, stop: StopSignal, onEvent: (FingerEvent) -> FingerStep) -> FingerEnd {
    Script.log(home, "reader on")
    defer { Script.log(home, "reader off") }
    let end = ContinuousClock.now + limit
    let script = Script(home, "fingers")
    while true {
      let event: FingerEvent
      switch script.next(["match", "no-match", "retry", "cancel", "unplug", "busy"])?.first {
      case "match": event = .matched
      case "no-match": event = .notMatched
      case "retry": event = .retry(.tooShort)
      case "cancel": return .cancelled
      case "unplug": return .failed(AuthenticationFailure(.biometryDisconnected, .readerUnplugged))
      case "busy": return .failed(AuthenticationFailure(.biometryNotAvailable, .readerBusy))
      default:
        if stop.wait(for: .milliseconds(5)) { return .stopped }
        if ContinuousClock.now >= end { return .timedOut }
        continue
      }
      Script.log(home, "finger \(event)")
      if onEvent(event) == .stop { return .enough }
    }
  }
}

/// Prompts that are answered as `answers` of a home says, by lines of a kind (`finger`, `passcode`, `password`) and `cancel`,
/// `fallback`, `type TEXT`, `fail`, or `deaf`, which neither answers nor goes. With a file `no-prompter` there is none.
package struct ScriptedPrompter: Prompter {
  private let home: String

  /// The prompts of a home.
  package init(_ home: String) { self.home = home }

  package func obstacle(at place: PromptPlace) -> AuthenticationFailure.Reason? {
    if place.isNowhere { return .noPlace }
    return FileManager.default.fileExists(atPath: "\(home)/no-prompter") ? .noPrompter : nil
  }

  package func ask(_ prompt: Prompt, at place: PromptPlace, limit: Duration, stop: StopSignal) -> PromptAnswer {
    let kind =
      switch prompt.kind {
      case .finger: "finger"
      case .passcode: "passcode"
      case .applicationPassword: "password"
      }
    var fallback = ""
    if case .finger(let title?) = prompt.kind { fallback = " [\(title)]" }
    Script.log(
      home,
      "\(kind) for \(prompt.program) \(prompt.process): \(prompt.reason)\(fallback) \(prompt.problem ?? "")\(prompt.isSimulated ? "simulated" : "")"
    )
    defer { Script.log(home, "\(kind) gone") }
    let end = ContinuousClock.now + limit
    let script = Script(home, "answers")
    while true {
      if let words = script.next([kind]) {
        switch words.dropFirst().first {
        case "cancel": return .cancelled
        case "fallback": return .fallback
        case "type":
          guard let secret = try? Samples.secret(Array((words.dropFirst(2).first ?? "").utf8)) else { break }
          return .secret(secret)
        case "deaf": while true { sleep(60) }
        default: return .failed(.prompterFailed)
        }
      }
      if stop.wait(for: .milliseconds(5)) { return .stopped }
      if ContinuousClock.now >= end { return .timedOut }
    }
  }
}
