import Foundation
import Glibc
import Testing
import ThumbturnAuthentication

@testable import ThumbturnDevice

@Suite("The program that shows prompts")
struct PinentryProgramTests {
  private static let notes = """
    for line in sorted(open("/proc/self/environ").read().split(chr(0))): log("variable " + line)
    for name in sorted(os.listdir("/proc/self/fd"), key=int):
      try: log("descriptor %s %s" % (name, os.readlink("/proc/self/fd/" + name).split(":")[0]))
      except OSError: pass
    log("folder " + os.getcwd())
    log("alone %s" % (os.getpid() == os.getpgid(0) == os.getsid(0)))
    log("arguments %d" % len(sys.argv))
    for line in open("/proc/self/status"):
      if line.startswith(("SigBlk", "SigIgn")): log("signals " + line.split()[1])
    """

  private static func variables(_ place: PromptPlace) throws -> [String] {
    let fake = try FakePinentry(#"say("OK\n")"#, before: notes)
    let own = [
      "HOME": "/home/me", "XDG_RUNTIME_DIR": "/run/user/7", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/user/7/bus",
      "DISPLAY": ":1", "WAYLAND_DISPLAY": "own", "LD_PRELOAD": "/evil.so", "PATH": "/evil", "TERM": "own",
      "LANG": "own",
    ]
    _ = try ask(fake.prompter { $0.variable = { own[$0] } }, .sample(.passcode), at: place)
    return fake.log.filter { $0.hasPrefix("variable ") }.map { String($0.dropFirst(9)) }.filter { !$0.isEmpty }
  }

  @Test("gets these variables and no others on a display")
  func displayVariables() throws {
    var place = PromptPlace()
    place.display = ":99"
    place.waylandDisplay = "wayland-9"
    place.authority = "/home/me/.Xauthority"
    place.messagesLocale = "de_DE.UTF-8"
    place.terminalType = "xterm"
    #expect(
      try Self.variables(place) == [
        "DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/7/bus", "DISPLAY=:99", "HOME=/home/me", "LC_CTYPE=C.UTF-8",
        "LC_MESSAGES=de_DE.UTF-8", "PATH=/usr/bin:/bin", "WAYLAND_DISPLAY=wayland-9",
        "XAUTHORITY=/home/me/.Xauthority", "XDG_RUNTIME_DIR=/run/user/7",
      ])
  }

  @Test("gets nothing of this process's screen where there is a terminal alone")
  func terminalVariables() throws {
    let pty = try Pty()
    #expect(
      try Self.variables(.terminal(pty.path)) == [
        "HOME=/home/me", "LC_CTYPE=C.UTF-8", "PATH=/usr/bin:/bin", "TERM=xterm",
      ])
  }

  @Test("gets no value that cannot be one")
  func badVariables() throws {
    var place = PromptPlace.onDisplay
    place.waylandDisplay = "a b"
    place.authority = String(repeating: "x", count: 257)
    place.messagesLocale = "../../tmp/evil"
    place.charactersLocale = "C\nSETOK x"
    #expect(
      try Self.variables(place) == [
        "DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/7/bus", "DISPLAY=:99", "HOME=/home/me", "LC_CTYPE=C.UTF-8",
        "PATH=/usr/bin:/bin", "XDG_RUNTIME_DIR=/run/user/7",
      ])
  }

  @Test("gets no descriptor, signal, folder, terminal or session of this process")
  func surroundings() throws {
    let fake = try FakePinentry(#"say("OK\n")"#, before: Self.notes)
    // One that a careless library leaves open for every program.
    let open = unsafe Glibc.open("/etc/passwd", O_RDONLY)
    defer { close(open) }
    var blocked = sigset_t()
    unsafe sigemptyset(&blocked)
    unsafe sigaddset(&blocked, SIGTERM)
    unsafe pthread_sigmask(SIG_BLOCK, &blocked, nil)
    defer { unsafe pthread_sigmask(SIG_UNBLOCK, &blocked, nil) }
    signal(SIGUSR2, SIG_IGN)
    _ = try ask(fake.prompter(), .sample(.passcode))
    let descriptors = fake.log.filter { $0.hasPrefix("descriptor ") }
    #expect(descriptors == ["descriptor 0 socket", "descriptor 1 socket", "descriptor 2 /dev/null"])
    #expect(fake.noted("folder") == "/")
    #expect(fake.noted("alone") == "True")
    #expect(fake.noted("arguments") == "1")
    // Python ignores SIGPIPE and SIGXFSZ by itself, and the C library the two that are its own.
    let signals = fake.log.filter { $0.hasPrefix("signals ") }.map { UInt64($0.dropFirst(8), radix: 16) }
    #expect(signals == [0, 0x1_8100_1000])
  }

  /// Each row is a path, who owns it, its rights, and whether a program below is trusted.
  @Test(
    "is trusted when root alone can write it and every folder above it",
    arguments: [
      ("", UInt32(0), UInt32(0o755), true), ("/usr/bin/pinentry", 1_000, 0o755, false),
      ("/usr/bin/pinentry", 0, 0o775, false), ("/usr/bin/pinentry", 0, 0o757, false), ("/usr/bin", 1_000, 0o755, false),
      ("/usr/bin", 0, 0o777, false), ("/usr", 0, 0o775, false), ("/usr", 1, 0o755, false), ("/", 1, 0o755, false),
      ("/", 0, 0o757, false),
    ])
  func trusted(path: String, owner: UInt32, mode: UInt32, expected: Bool) {
    let isTrusted = PinentryProgram.belongsToRoot("/usr/bin/pinentry") {
      $0 == path ? FileFacts(mode: mode, owner: owner) : FileFacts(mode: 0o755, owner: 0)
    }
    #expect(isTrusted == expected)
  }

  @Test("is never one in a folder that others can write, and none that is missing, a folder or not executable")
  func untrusted() throws {
    let fake = try FakePinentry(#"say("OK\n")"#)
    #expect(PinentryProgram(fake.path, mayBelongToAnyone: true) != nil)
    #expect(PinentryProgram(fake.path) == nil)
    #expect(try ask(fake.prompter { $0.programsMayBelongToAnyone = false }, .sample(.passcode)) == .failed(.noPrompter))
    #expect(fake.log == [])
    #expect(PinentryProgram("/usr/bin/no-such-pinentry") == nil)
    #expect(PinentryProgram("/usr/bin") == nil)
    #expect(PinentryProgram("/etc/passwd") == nil)
    #expect(PinentryProgram("/bin/sh") != nil)
  }

  @Test("is a link's target, and graphical unless its name says other")
  func links() throws {
    let folder = try ScratchPath()
    let curses = try FakePinentry(#"say("OK\n")"#, suffix: "-curses")
    let graphical = try FakePinentry(#"say("OK\n")"#, suffix: "-gnome3")
    let link = folder.path + "/pinentry"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: curses.path)
    #expect(PinentryProgram(link, mayBelongToAnyone: true)?.isGraphical == false)
    #expect(PinentryProgram(link, mayBelongToAnyone: true)?.path == curses.path)
    // The first that fits: on a display alone one that can use it.
    let prompter = curses.prompter { $0.programs = [folder.path + "/none", link, graphical.path] }
    #expect(try ask(prompter, .sample(.passcode)) == .secret(""))
    #expect(curses.log == [])
    #expect(!graphical.log.isEmpty)
    let pty = try Pty()
    #expect(try ask(prompter, .sample(.passcode), at: .terminal(pty.path)) == .secret(""))
    #expect(!curses.log.isEmpty)
  }

  @Test("is looked for at fixed places alone")
  func paths() {
    #expect(
      PinentryProgram.paths == [
        "/usr/bin/pinentry", "/usr/bin/pinentry-gnome3", "/usr/bin/pinentry-qt", "/usr/bin/pinentry-qt5",
        "/usr/bin/pinentry-gtk-2", "/usr/bin/pinentry-curses", "/usr/bin/pinentry-tty",
      ])
  }
}
