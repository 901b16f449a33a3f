import Foundation
import Glibc
import Testing
import ThumbturnAuthentication

@testable import ThumbturnDevice

@Suite("The terminal that a client names")
struct ClientTerminalTests {
  private static func prompter(_ change: (inout SystemPrompter.Surroundings) -> Void = { _ in }) -> SystemPrompter {
    var surroundings = SystemPrompter.Surroundings()
    surroundings.programs = []
    change(&surroundings)
    return SystemPrompter(surroundings)
  }

  /// What is said of a terminal before and when a prompt is to be shown there.
  private func refusals(_ path: String, anyName: Bool = false) throws -> [Outcome] {
    let prompter = Self.prompter { if anyName { $0.isTerminalName = { _ in true } } }
    let place = PromptPlace.terminal(path)
    return [
      prompter.obstacle(at: place).map { .failed($0) } ?? .fallback,
      try ask(prompter, .sample(.passcode), at: place, limit: .milliseconds(300)),
    ]
  }

  @Test("is used when it is one, and the user's own")
  func own() throws {
    let pty = try Pty()
    #expect(try refusals(pty.path) == [.fallback, .timedOut])
  }

  @Test(
    "is refused by its name",
    arguments: [
      "/dev/null", "/dev/tty", "/dev/pts/", "/dev/pts/ptmx", "/dev/ptmx", "/dev/pts/0/../1", "/dev/tty0x",
      "/etc/passwd", "dev/pts/0", "", "/dev/pts/00000001", "/dev/pts/-1", "/dev/pts/0 ", "/dev/pts/0\n",
    ])
  func names(path: String) throws {
    #expect(try refusals(path) == [.failed(.foreignTerminal), .failed(.foreignTerminal)])
  }

  @Test("is refused when it is none, whatever its name", arguments: ["/dev/null", "/etc/passwd", "/dev", "/dev/zero"])
  func kinds(path: String) throws {
    #expect(try refusals(path, anyName: true) == [.failed(.foreignTerminal), .failed(.foreignTerminal)])
  }

  /// Whatever the rights of a device are: one of the user's own that is no terminal.
  @Test("is refused when it is a device of the user's own, but none that one types at")
  func otherDevice() throws {
    try requireRoot("a device of the user's own")
    let folder = try ScratchPath()
    let path = folder.path + "/device"
    let null = UInt64(1 << 8 | 3)
    guard unsafeMakeDevice(path, null) else { return try leaveOut("no device can be made here") }
    #expect(try refusals(path, anyName: true) == [.failed(.foreignTerminal), .failed(.foreignTerminal)])
  }

  @Test("is refused behind a link")
  func link() throws {
    let pty = try Pty()
    let folder = try ScratchPath()
    let path = folder.path + "/terminal"
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: pty.path)
    #expect(try refusals(path, anyName: true) == [.failed(.foreignTerminal), .failed(.foreignTerminal)])
    #expect(!pty.shows("Thumbturn", within: 50))
  }

  @Test("is never opened through a link, also one that was put there after the first look")
  func lateLink() throws {
    let pty = try Pty()
    let folder = try ScratchPath()
    let path = folder.path + "/terminal"
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: pty.path)
    #expect(system_openTerminal(path) == -ELOOP)
  }

  @Test("is never opened as the terminal that controls this process")
  func notControlling() async {
    await #expect(processExitsWith: .success) {
      let pty = try Pty()
      // A session without a terminal takes the first that it opens, if it may.
      guard setsid() > 0 else { exit(2) }
      let terminal = try ClientTerminal(pty.path)
      let controlling = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC)
      exit(controlling < 0 && terminal.number >= 0 ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  @Test("is refused when it is gone")
  func gone() throws {
    let pty = try Pty()
    pty.hangUp()
    #expect(try refusals(pty.path) == [.failed(.noPlace), .failed(.noPlace)])
  }

  @Test("is refused when others may read what is typed", arguments: [UInt32(0o604), 0o640])
  func readable(mode: UInt32) throws {
    let pty = try Pty()
    try #require(unsafeChangeMode(pty.path, mode))
    #expect(try refusals(pty.path) == [.failed(.foreignTerminal), .failed(.foreignTerminal)])
  }

  @Test("is refused when it is another user's")
  func foreign() throws {
    try requireRoot("the terminal of another user")
    let pty = try Pty()
    try #require(unsafeChangeOwner(pty.path, 1_000))
    #expect(try refusals(pty.path) == [.failed(.foreignTerminal), .failed(.foreignTerminal)])
    #expect(!pty.shows("Thumbturn", within: 50))
  }

  @Test("is left out where there is a display too, when it is refused")
  func displayToo() throws {
    let fake = try FakePinentry(#"say("OK\n")"#)
    var place = PromptPlace.terminal("/dev/null")
    place.display = ":99"
    #expect(fake.prompter().obstacle(at: place) == nil)
    #expect(try ask(fake.prompter(), .sample(.passcode), at: place) == .secret(""))
    #expect(!fake.commands.contains { $0.hasPrefix("OPTION ttyname") })
  }
}

@Suite("What stands in the way of a prompt")
struct ObstacleTests {
  private static func obstacle(_ programs: [FakePinentry], _ place: PromptPlace) -> AuthenticationFailure.Reason? {
    var surroundings = SystemPrompter.Surroundings()
    surroundings.programs = programs.map(\.path)
    surroundings.programsMayBelongToAnyone = true
    return SystemPrompter(surroundings).obstacle(at: place)
  }

  @Test("is told without showing anything or starting a program")
  func obstacles() throws {
    let graphical = try FakePinentry(#"say("OK\n")"#)
    let curses = try FakePinentry(#"say("OK\n")"#, suffix: "-curses")
    let tty = try FakePinentry(#"say("OK\n")"#, suffix: "-tty")
    let pty = try Pty()
    var wayland = PromptPlace()
    wayland.waylandDisplay = "wayland-0"
    var bad = PromptPlace()
    bad.display = "a b"
    #expect(Self.obstacle([graphical], PromptPlace()) == .noPlace)
    #expect(Self.obstacle([graphical], bad) == .noPlace)
    #expect(Self.obstacle([graphical], .onDisplay) == nil)
    #expect(Self.obstacle([graphical], wayland) == nil)
    #expect(Self.obstacle([], .onDisplay) == .noPrompter)
    #expect(Self.obstacle([curses, tty], .onDisplay) == .noPrompter)
    #expect(Self.obstacle([curses, graphical], .onDisplay) == nil)
    #expect(Self.obstacle([], .terminal(pty.path)) == nil)
    #expect(graphical.log + curses.log + tty.log == [])
    #expect(!pty.shows("\n", within: 50))
    #expect(pty.isAsBefore)
  }

  @Test("ends a prompt at once")
  func asked() throws {
    let curses = try FakePinentry(#"say("OK\n")"#, suffix: "-curses")
    #expect(try ask(curses.prompter(), .sample(.passcode), at: PromptPlace()) == .failed(.noPlace))
    #expect(try ask(curses.prompter(), .sample(.passcode), at: .onDisplay) == .failed(.noPrompter))
    #expect(curses.log == [])
  }
}

// Macros take no call that is unsafe.
private func unsafeChangeMode(_ path: String, _ mode: UInt32) -> Bool { unsafe chmod(path, mode) == 0 }
private func unsafeChangeOwner(_ path: String, _ user: UInt32) -> Bool { unsafe chown(path, user, user) == 0 }
private func unsafeMakeDevice(_ path: String, _ number: UInt64) -> Bool {
  unsafe mknod(path, S_IFCHR | 0o600, dev_t(number)) == 0
}
