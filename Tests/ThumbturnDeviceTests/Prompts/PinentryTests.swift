import Foundation
import Glibc
import Testing
import ThumbturnAuthentication

@testable import ThumbturnDevice

@Suite("A prompt by pinentry")
struct PinentryTests {
  /// Each row is what the program says, and the answer.
  @Test(
    "gives what was typed, as UTF-8 of at most 1,024 bytes",
    arguments: [
      (#"say("D correct horse\nOK\n")"#, Outcome.secret("correct horse")),
      (#"say("OK\n")"#, .secret("")),
      (#"say("D \nOK\n")"#, .secret("")),
      (#"say("D 100%25%0A%c3%A9\nOK\n")"#, .secret("100%\né")),
      (#"say("S PASSWORD_FROM_CACHE\n# well\nD a b\nS PIN_REPEATED\nD c\nOK\n")"#, .secret("a bc")),
      (
        #"say("D " + 990 * "x" + "\nD " + 34 * "x" + "\nOK\n")"#, .secret(String(repeating: "x", count: 1_024))
      ),
      (#"say("D " + 990 * "x" + "\nD " + 35 * "y" + "\nOK\n")"#, .failed(.prompterFailed)),
      (#"say(b"D \xff\xfe\nOK\n")"#, .failed(.prompterFailed)),
      (#"say("D abc%4\nOK\n")"#, .failed(.prompterFailed)),
      (#"say("D abc%zz\nOK\n")"#, .failed(.prompterFailed)),
    ])
  func typed(question: String, expected: Outcome) throws {
    let fake = try FakePinentry(question)
    for kind in [Prompt.Kind.passcode, .applicationPassword] {
      #expect(try ask(fake.prompter(), .sample(kind)) == expected)
    }
    #expect(fake.processesLeft == [])
  }

  @Test("reads what comes byte by byte")
  func slowly() throws {
    let fake = try FakePinentry(#"for byte in b"S x\nD ab%41\nOK\n": say(bytes([byte])); time.sleep(0.005)"#)
    #expect(try ask(fake.prompter(), .sample(.passcode)) == .secret("abA"))
  }

  /// Each row is a number of libgpg-error, with the source that pinentry gives it, and the answer.
  @Test(
    "knows a cancel from a failure by the number of the error",
    arguments: [
      (83_886_179, Outcome.cancelled), (83_886_278, .cancelled), (83_886_194, .cancelled), (83_886_142, .timedOut),
      (83_918_950, .failed(.noPrompter)), (83_886_165, .failed(.prompterFailed)), (99, .cancelled),
      (0, .failed(.prompterFailed)), (4_294_967_295, .failed(.prompterFailed)),
    ])
  func errors(number: Int, expected: Outcome) throws {
    let fake = try FakePinentry(#"say("ERR \#(number) words <Pinentry>\n")"#)
    #expect(try ask(fake.prompter(), .sample(.passcode)) == expected)
    #expect(try ask(fake.prompter(), .sample(.finger(fallbackTitle: "Other"))) == expected)
  }

  /// Each row is the fallback's title, what the program says, the command it got, and the answer.
  @Test(
    "for a finger has a button for another way, or one button that cancels",
    arguments: [
      ("Enter Password…" as String?, #"say("OK\n")"#, "CONFIRM", Outcome.fallback),
      ("Enter Password…", #"say("ERR 83886179\n")"#, "CONFIRM", .cancelled),
      ("Enter Password…", #"say("ERR 83886194\n")"#, "CONFIRM", .cancelled),
      (nil, #"say("OK\n")"#, "CONFIRM --one-button", .cancelled),
      ("\u{202E}\n", #"say("OK\n")"#, "CONFIRM --one-button", .cancelled),
      ("Other", #"say("D secret\nOK\n")"#, "CONFIRM", .failed(.prompterFailed)),
    ])
  func finger(title: String?, question: String, command: String, expected: Outcome) throws {
    let fake = try FakePinentry(question)
    #expect(try ask(fake.prompter(), .sample(.finger(fallbackTitle: title))) == expected)
    #expect(fake.commands.contains(command))
  }

  @Test("tells the program where it is to show what, and nothing of caches")
  func commands() throws {
    let fake = try FakePinentry(#"say("OK\n")"#)
    let pty = try Pty()
    var place = PromptPlace.terminal(pty.path)
    place.messagesLocale = "de_DE.UTF-8"
    place.charactersLocale = "de_DE.UTF-8"
    var prompt = Prompt.sample(.passcode)
    prompt.problem = "That was not the passcode."
    prompt.cancelTitle = "Not_now & never"
    #expect(try ask(fake.prompter(), prompt, at: place, limit: .seconds(30)) == .secret(""))
    #expect(
      fake.commands == [
        "OPTION no-grab", "OPTION ttyname=\(pty.path)", "OPTION ttytype=xterm", "OPTION lc-ctype=de_DE.UTF-8",
        "OPTION lc-messages=de_DE.UTF-8", "OPTION default-ok=OK", "OPTION default-cancel=Cancel", "SETTIMEOUT 31",
        "SETTITLE Thumbturn", "SETPROMPT Passcode:",
        #"SETDESC "/usr/bin/notes" (process 4711) asks for the passcode of your vault.%0AIt says: "open the notes""#,
        "SETERROR That was not the passcode.", "SETCANCEL Not__now & never", "GETPIN", "BYE",
      ])
  }

  @Test("for a finger says what to do, what was wrong, and that the reader is simulated")
  func fingerCommands() throws {
    let fake = try FakePinentry(#"say("OK\n")"#)
    var prompt = Prompt.sample(.finger(fallbackTitle: "Use_it"))
    prompt.problem = "Try again."
    prompt.isSimulated = true
    prompt.cancelTitle = "Leave"
    #expect(try ask(fake.prompter(), prompt) == .fallback)
    let rest = fake.commands.drop { !$0.hasPrefix("SETPROMPT") }
    #expect(
      Array(rest) == [
        "SETPROMPT Fingerprint:",
        #"SETDESC "/usr/bin/notes" (process 4711) wants to know that it is you.%0AIt says: "open the notes""#
          + "%0ASimulated fingerprint reader%0ATouch the fingerprint reader.%0ATry again.",
        "SETOK Use__it", "SETCANCEL Leave", "CONFIRM", "BYE",
      ])
    #expect(fake.commands.contains("OPTION lc-ctype=C.UTF-8"))
    prompt.kind = .finger(fallbackTitle: nil)
    #expect(try ask(fake.prompter(), prompt) == .cancelled)
    #expect(fake.commands.suffix(3) == ["SETOK Leave", "CONFIRM --one-button", "BYE"])
  }

  @Test("says of a simulated reader also where the passcode is asked for")
  func simulatedPasscode() throws {
    let fake = try FakePinentry(#"say("OK\n")"#)
    var prompt = Prompt.sample(.passcode)
    prompt.isSimulated = true
    #expect(try ask(fake.prompter(), prompt) == .secret(""))
    #expect(fake.commands.contains { $0.hasPrefix("SETDESC") && $0.contains("Simulated fingerprint reader") })
  }

  /// Each row is a program's words, and the one line of the prompt that they become.
  @Test(
    "shows a program's words as one line in quotes",
    arguments: [
      ("a\nSETOK Yes\r\nGETPIN", #"It says: "a SETOK Yes GETPIN""#),
      ("50%0AThumbturn says", #"It says: "50%250AThumbturn says""#),
      (#"done" (process 1) asks"#, #"It says: "done' (process 1) asks""#),
      ("a\u{202E}b\u{2066}c\u{200F}d\u{1B}[31m\u{9B}e\u{7}\u{0}", #"It says: "abcd[31me""#),
      ("<b>bold</b> &amp;", #"It says: "‹b›bold‹/b› &amp;""#),
      ("a" + String(repeating: " \t\u{2028}\u{3000}", count: 60) + "b", #"It says: "a b""#),
      (String(repeating: "x", count: 501), #"It says: ""# + String(repeating: "x", count: 500) + #"...""#),
    ])
  func words(words: String, expected: String) throws {
    let fake = try FakePinentry(#"say("OK\n")"#)
    #expect(try ask(fake.prompter(), .sample(.passcode, reason: words)) == .secret(""))
    let lines = fake.commands.first { $0.hasPrefix("SETDESC") }?.components(separatedBy: "%0A") ?? []
    #expect(lines.count == 2)
    #expect(lines.last == expected)
    #expect(fake.commands.filter { $0.hasPrefix("GETPIN") || $0.hasPrefix("SETOK") } == ["GETPIN"])
  }

  @Test(
    "never sends a line that is longer than the protocol allows",
    arguments: ["%", "\u{1F469}\u{200D}\u{1F469}", "é", "a\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}"])
  func longWords(character: String) throws {
    let fake = try FakePinentry(#"say("OK\n")"#)
    let long = String(repeating: character, count: 5_000)
    var prompt = Prompt(.finger(fallbackTitle: long), program: "/" + long, process: 1, reason: long)
    prompt.problem = long
    prompt.cancelTitle = long
    #expect(try ask(fake.prompter(), prompt) == .fallback)
    #expect(fake.commands.allSatisfy { $0.utf8.count <= 1_000 })
    let description = fake.commands.first { $0.hasPrefix("SETDESC") } ?? ""
    #expect(description.contains("Touch the fingerprint reader."))
  }

  @Test("shows ASCII alone where the locale has no UTF-8")
  func ascii() throws {
    let fake = try FakePinentry(#"say("OK\n")"#)
    var place = PromptPlace.onDisplay
    place.charactersLocale = "de_DE.ISO-8859-1"
    #expect(try ask(fake.prompter(), .sample(.passcode, reason: "<é>"), at: place) == .secret(""))
    #expect(fake.commands.contains { $0.hasSuffix(#"It says: "(?)""#) })
  }
}
