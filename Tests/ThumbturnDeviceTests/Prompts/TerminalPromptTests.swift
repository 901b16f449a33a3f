import Foundation
import Glibc
import Testing
import ThumbturnAuthentication

@testable import ThumbturnDevice

@Suite("A prompt in lines on the client's terminal")
struct TerminalPromptTests {
  /// One that finds no pinentry.
  private static var prompter: SystemPrompter {
    var surroundings = SystemPrompter.Surroundings()
    surroundings.programs = []
    return SystemPrompter(surroundings)
  }

  /// Each row is what the person types, and the answer.
  @Test(
    "takes one line, without showing it",
    arguments: [
      ("correct horse\r", Outcome.secret("correct horse")), ("line\n", .secret("line")), ("\r", .secret("")),
      ("ax\u{7F}b\r", .secret("ab")), ("aé\u{8}b\r", .secret("ab")), ("\u{7F}\u{7F}x\r", .secret("x")),
      ("wrong\u{15}right\r", .secret("right")), ("a\u{1}\u{1A}\u{1C}\tb\r", .secret("ab")), ("né\r", .secret("né")),
      ("abc\u{3}", .cancelled), ("\u{4}", .cancelled), ("abc\u{4}", .cancelled),
      (String(repeating: "x", count: 1_024) + "\r", .secret(String(repeating: "x", count: 1_024))),
      (String(repeating: "x", count: 1_025) + "\r", .failed(.prompterFailed)),
      (String(repeating: "x", count: 3_000) + "\u{3}", .cancelled),
    ])
  func line(typed: String, expected: Outcome) throws {
    let pty = try Pty()
    let asked = try Asked(Self.prompter, .sample(.passcode), at: .terminal(pty.path))
    #expect(pty.shows("Passcode: "))
    let before = pty.shown
    pty.type(typed)
    #expect(asked.outcome() == expected)
    #expect(pty.isAsBefore)
    _ = pty.shows("\n\n", within: 50)
    #expect(pty.shown.dropFirst(before.count) == "\r\n")
  }

  @Test("fails on what is not UTF-8")
  func notUTF8() throws {
    let pty = try Pty()
    let asked = try Asked(Self.prompter, .sample(.applicationPassword), at: .terminal(pty.path))
    #expect(pty.shows("Password: "))
    pty.type([0x61, 0xFF, 0x0D].span)
    #expect(asked.outcome() == .failed(.prompterFailed))
  }

  /// Each row is the button, what is typed, and the answer.
  @Test(
    "for a finger waits for f, where there is another way, or a cancel",
    arguments: [
      ("Enter Password…" as String?, "f\r", Outcome.fallback), ("Other", "F\n", .fallback),
      ("Other", "ff\r\rx\rf\r", .fallback), ("Other", "\u{3}", .cancelled), ("Other", "f\u{4}", .cancelled),
      (nil, "f\r\u{3}", .cancelled),
    ])
  func finger(title: String?, typed: String, expected: Outcome) throws {
    let pty = try Pty()
    var prompt = Prompt.sample(.finger(fallbackTitle: title))
    prompt.isSimulated = true
    prompt.problem = "Try again."
    let asked = try Asked(Self.prompter, prompt, at: .terminal(pty.path))
    #expect(pty.shows("Ctrl-C cancels.\r\n"))
    let hint = title.map { "Type f and Enter for: \($0)\r\n" } ?? ""
    #expect(
      pty.shown == "\r\nThumbturn: \"/usr/bin/notes\" (process 4711) wants to know that it is you.\r\n"
        + "It says: \"open the notes\"\r\nSimulated fingerprint reader\r\nTouch the fingerprint reader.\r\nTry again.\r\n"
        + hint + "Ctrl-C cancels.\r\n")
    pty.type(typed)
    #expect(asked.outcome() == expected)
    #expect(pty.isAsBefore)
  }

  @Test("writes nothing but printable characters, whatever the program says")
  func escapes() throws {
    let pty = try Pty()
    let evil = "\u{1B}]0;x\u{7}\u{1B}[6n\u{9B}31m\u{85}\n\u{202E}\u{8}\u{0}ok"
    var prompt = Prompt(.finger(fallbackTitle: evil), program: "/tmp/" + evil, process: 1, reason: evil)
    prompt.problem = evil
    let asked = try Asked(Self.prompter, prompt, at: .terminal(pty.path))
    #expect(pty.shows("Ctrl-C cancels.\r\n"))
    pty.type("\u{3}")
    #expect(asked.outcome() == .cancelled)
    let strange = pty.shown.replacingOccurrences(of: "\r\n", with: "").unicodeScalars.filter {
      $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || $0.properties.generalCategory == .format
    }
    #expect(strange.isEmpty)
    #expect(pty.shown.contains("ok"))
  }

  @Test("writes ASCII alone where the locale has no UTF-8")
  func ascii() throws {
    let pty = try Pty()
    var place = PromptPlace.terminal(pty.path)
    place.charactersLocale = "POSIX"
    let asked = try Asked(Self.prompter, .sample(.passcode, reason: "é\u{9B}"), at: place)
    #expect(pty.shows("It says: \"?\""))
    #expect(pty.shows("Passcode: "))
    pty.type("x\r")
    #expect(asked.outcome() == .secret("x"))
  }

  @Test("forgets what was typed before it, and what was typed after it")
  func typeAhead() throws {
    let pty = try Pty()
    let terminal = unsafe open(pty.path, O_RDWR | O_NOCTTY | O_NONBLOCK)
    defer { close(terminal) }
    pty.type("early\n")
    usleep(50_000)
    let asked = try Asked(Self.prompter, .sample(.passcode), at: .terminal(pty.path))
    #expect(pty.shows("Passcode: "))
    pty.type("right\rlate\n")
    #expect(asked.outcome() == .secret("right"))
    var rest = [UInt8](repeating: 0, count: 64)
    #expect(unsafeRead(terminal, &rest) < 0)
  }

  @Test("is taken away within 1 s, and the terminal is as before", arguments: [true, false])
  func stopped(isForFinger: Bool) throws {
    let pty = try Pty()
    let kind: Prompt.Kind = isForFinger ? .finger(fallbackTitle: nil) : .passcode
    let asked = try Asked(Self.prompter, .sample(kind), at: .terminal(pty.path))
    #expect(pty.shows(isForFinger ? "cancels." : "Passcode: "))
    #expect(pty.isRaw)
    pty.type("half")
    let clock = ContinuousClock()
    let start = clock.now
    asked.stop.set()
    #expect(asked.outcome() == .stopped)
    #expect(clock.now - start < .seconds(1))
    #expect(pty.isAsBefore)
  }

  @Test("ends at its limit, and the terminal is as before")
  func timedOut() throws {
    let pty = try Pty()
    let asked = try Asked(Self.prompter, .sample(.passcode), at: .terminal(pty.path), limit: .milliseconds(700))
    let (outcome, duration) = try #require(asked.wait())
    #expect(outcome == .timedOut)
    #expect(duration >= .milliseconds(700) && duration < .milliseconds(1_700))
    #expect(pty.isAsBefore)
  }

  @Test("ends at its limit where nothing can be written")
  func blocked() throws {
    let pty = try Pty()
    let terminal = unsafe open(pty.path, O_RDWR | O_NOCTTY | O_NONBLOCK)
    defer { close(terminal) }
    // Until the other side, which nobody reads, takes no more.
    let much = [UInt8](repeating: 0x78, count: 4_096)
    while unsafeWrite(terminal, much) > 0 {}
    let asked = try Asked(Self.prompter, .sample(.passcode), at: .terminal(pty.path), limit: .milliseconds(500))
    let (outcome, duration) = try #require(asked.wait())
    #expect(outcome == .timedOut)
    #expect(duration < .milliseconds(1_500))
  }

  @Test("is cancelled when its window is closed")
  func hangUp() throws {
    let pty = try Pty()
    let asked = try Asked(Self.prompter, .sample(.passcode), at: .terminal(pty.path))
    #expect(pty.shows("Passcode: "))
    pty.hangUp()
    let (outcome, duration) = try #require(asked.wait())
    #expect(outcome == .cancelled)
    #expect(duration < .seconds(5))
  }

  /// Each row is what pinentry does.
  @Test(
    "comes where pinentry fails",
    arguments: [
      #"say("ERR 83918950 no tty\n")"#, #"say("ERR 83886381 small\n")"#, "os.abort()", #"say("nonsense\n")"#,
      "os.kill(os.getpid(), 9)",
    ])
  func afterPinentry(question: String) throws {
    let fake = try FakePinentry(question)
    let pty = try Pty()
    var place = PromptPlace.terminal(pty.path)
    place.display = ":99"
    let asked = try Asked(fake.prompter(), .sample(.passcode), at: place)
    #expect(pty.shows("Passcode: "))
    pty.type("typed\r")
    #expect(asked.outcome() == .secret("typed"))
    #expect(fake.commands.contains("GETPIN"))
  }

  @Test("does not come after an answer, also a cancel and a limit", arguments: ["ERR 83886179", "ERR 83886142", "OK"])
  func notAfterAnswer(line: String) throws {
    let fake = try FakePinentry(#"say("\#(line)\n")"#)
    let pty = try Pty()
    let outcome = try ask(fake.prompter(), .sample(.passcode), at: .terminal(pty.path))
    #expect(outcome == (line == "OK" ? .secret("") : line.hasSuffix("42") ? .timedOut : .cancelled))
    #expect(!pty.shows("Thumbturn", within: 50))
  }

  @Test("gets back from a killed pinentry a terminal as it was")
  func afterKilled() throws {
    let pty = try Pty()
    let fake = try FakePinentry(
      "time.sleep(60)",
      before: """
        import tty
        signal.signal(15, signal.SIG_IGN)
        tty.setraw(os.open("\(pty.path)", os.O_RDWR | os.O_NOCTTY))
        """)
    let asked = try Asked(fake.prompter(), .sample(.passcode), at: .terminal(pty.path))
    #expect(pty.becomesRaw())
    asked.stop.set()
    #expect(asked.outcome() == .stopped)
    #expect(pty.isAsBefore)
  }
}

/// Macros take no call that is unsafe.
private func unsafeRead(_ descriptor: Int32, _ bytes: inout [UInt8]) -> Int {
  unsafe read(descriptor, &bytes, bytes.count)
}
private func unsafeWrite(_ descriptor: Int32, _ bytes: [UInt8]) -> Int {
  unsafe write(descriptor, bytes, bytes.count)
}
