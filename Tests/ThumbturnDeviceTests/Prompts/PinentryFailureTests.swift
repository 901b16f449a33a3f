import Foundation
import Glibc
import Testing
import ThumbturnAuthentication

@testable import ThumbturnDevice

/// Each ends in bounded time with one answer, and with no process left.
@Suite("A pinentry that misbehaves")
struct PinentryFailureTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let question: String
    let before: String
    let serve: String
    let expected: Outcome
    init(
      _ name: String, question: String = #"say("D typed\nOK\n")"#, before: String = "pass", serve: String = "serve()",
      _ expected: Outcome
    ) {
      testDescription = name
      self.question = question
      self.before = before
      self.serve = serve
      self.expected = expected
    }
  }

  private static let failed = Outcome.failed(.prompterFailed)
  private static let deaf = "for number in (15, 1, 2, 13): signal.signal(number, signal.SIG_IGN)"
  private static let sleep = "time.sleep(60)"

  static let rows = [
    Row("that is none", before: "sys.exit(3)", failed),
    Row("that never greets", before: sleep, .timedOut),
    Row("that greets with an error", serve: #"say("ERR 83886165 no\n"); time.sleep(60)"#, failed),
    Row("that greets with nonsense", serve: #"say("HTTP/1.1 200\n"); time.sleep(60)"#, failed),
    Row("that dies after its greeting", serve: #"say("OK\n")"#, failed),
    Row("that never answers a command", serve: #"say("OK\n"); time.sleep(60)"#, .timedOut),
    Row("that refuses the text", serve: #"serve("ERR 83886165 no\n")"#, failed),
    Row("that gives data before the question", serve: #"serve("D typed\nOK\n")"#, failed),
    Row("that never answers the question", question: sleep, .timedOut),
    Row("that answers twice", question: #"say("D typed\nOK\nD other\nOK\n")"#, .secret("typed")),
    Row("that takes it back", question: #"say("D typed\nOK\nERR 83886179\n")"#, .secret("typed")),
    Row("that dies at the question", question: "os.abort()", failed),
    Row("that dies within a line", question: #"say("D typ"); os._exit(0)"#, failed),
    Row("that dies after the data", question: #"say("D typed\n"); os._exit(0)"#, failed),
    Row("that says nonsense", question: #"say(bytes(range(256)) + b"\n"); time.sleep(60)"#, failed),
    Row("that asks back", question: #"say("INQUIRE QUALITY typed\n"); time.sleep(60)"#, failed),
    Row("that says an empty line", question: #"say("\nOK\n")"#, failed),
    Row("that says a number that is none", question: #"say("ERR 99x\n"); time.sleep(60)"#, failed),
    Row("that has a line of 1,001 bytes", question: #"say("D " + 999 * "x" + "\nOK\n"); time.sleep(60)"#, failed),
    Row("that never ends a line", question: #"os.write(1, 10485760 * b"x"); time.sleep(60)"#, failed),
    Row("that has no end of data", question: #"while True: say("D " + 900 * "x" + "\n")"#, failed),
    Row("that has no end of comments", question: ##"while True: say("# well\n")"##, failed),
    Row("that has no end of status lines", question: #"while True: say("S PROGRESS\n")"#, failed),
    Row(
      "that says a byte now and then", question: #"while True: say("x"); time.sleep(0.2)"#, .timedOut),
    Row("that hangs at the end", serve: "serve(); time.sleep(60)", .secret("typed")),
    Row("that hangs at the end and does not hear", before: deaf, serve: "serve(); time.sleep(60)", .secret("typed")),
    Row("that does not hear and never answers", question: sleep, before: deaf, .timedOut),
    Row("that closes its output", question: #"os.close(1); time.sleep(60)"#, failed),
    Row("that closes its input and output", question: #"os.close(0); os.close(1); time.sleep(60)"#, failed),
    Row(
      "whose child keeps its output open",
      question: """
        if os.fork() == 0:
          log("pid %d" % os.getpid())
          time.sleep(60)
        time.sleep(0.2)
        say("D typed\\nOK\\n")
        """, .secret("typed")),
    Row(
      "whose child outlives it and does not hear",
      question: """
        if os.fork() == 0:
          \(deaf.replacingOccurrences(of: "\n", with: " "))
          log("pid %d" % os.getpid())
          time.sleep(60)
        time.sleep(0.2)
        os._exit(0)
        """, .timedOut),
    Row("that stops itself", question: "os.kill(os.getpid(), signal.SIGSTOP)", .timedOut),
  ]

  @Test("costs no more than the limit and 1 s, and leaves no process", arguments: rows)
  func bounded(row: Row) throws {
    let fake = try FakePinentry(row.question, before: row.before, serve: row.serve)
    let asked = try Asked(fake.prompter(), .sample(.passcode), at: .onDisplay, limit: .milliseconds(1_500))
    let (outcome, duration) = try #require(asked.wait())
    #expect(outcome == row.expected)
    #expect(duration < .milliseconds(2_500), "\(duration)")
    #expect(!fake.log.isEmpty)
    #expect(fake.processesLeft == [])
  }

  @Test(
    "is given up when it is silent where no person takes part",
    arguments: ["time.sleep(60)", #"say("OK\n"); time.sleep(60)"#])
  func silent(serve: String) throws {
    let fake = try FakePinentry("pass", serve: serve)
    let prompter = fake.prompter {
      $0.limits.greeting = .milliseconds(500)
      $0.limits.command = .milliseconds(300)
    }
    let (outcome, duration) = try #require(try Asked(prompter, .sample(.passcode), at: .onDisplay).wait())
    #expect(outcome == .failed(.prompterFailed))
    #expect(duration < .milliseconds(1_500), "\(duration)")
    #expect(fake.processesLeft == [])
  }

  /// Each row is where it is when the prompt is taken away.
  @Test(
    "is gone within 1 s when the prompt is taken away",
    arguments: [
      Row("at the question", question: sleep, .stopped),
      Row("before its greeting", before: "log('here'); time.sleep(60)", .stopped),
      Row("that does not hear", question: sleep, before: deaf, .stopped),
      Row("at the end of its line", question: #"say("D typ"); time.sleep(60)"#, .stopped),
      Row("in a stream of lines", question: #"while True: say("S x\n"); time.sleep(0.05)"#, .stopped),
    ])
  func stopped(row: Row) throws {
    let fake = try FakePinentry(row.question, before: row.before, serve: row.serve)
    let asked = try Asked(fake.prompter(), .sample(.finger(fallbackTitle: "Other")), at: .onDisplay)
    for _ in 0..<1_000 where !fake.log.contains(where: { $0.hasPrefix("> CONFIRM") || $0 == "here" }) {
      usleep(5_000)
    }
    usleep(100_000)
    #expect(fake.processesLeft.count == 1)
    let clock = ContinuousClock()
    let start = clock.now
    asked.stop.set()
    #expect(asked.outcome() == .stopped)
    #expect(clock.now - start < .seconds(1))
    #expect(fake.processesLeft == [])
  }

  @Test("is not started when the prompt was taken away before, or has no time")
  func neverStarted() throws {
    let fake = try FakePinentry(#"say("OK\n")"#)
    let stop = try #require(StopSignal())
    stop.set()
    #expect(
      Outcome(fake.prompter().ask(.sample(.passcode), at: .onDisplay, limit: .seconds(5), stop: stop)) == .stopped)
    #expect(try ask(fake.prompter(), .sample(.passcode), limit: .zero) == .timedOut)
    #expect(try ask(fake.prompter(), .sample(.passcode), limit: .seconds(-5)) == .timedOut)
    #expect(fake.log == [])
  }
}
