import Foundation
import Glibc
import Testing
import TestFixtures
import ThumbturnAuthentication

@testable import ThumbturnDevice

@Suite("The place of a client")
struct PromptPlaceTests {
  @Test("is what its environment says, as far as that can be")
  func environment() {
    let variables = [
      "DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0", "XAUTHORITY": "/home/me/my files/x", "TERM": "xterm",
      "LANG": "de_DE.UTF-8", "LC_MESSAGES": "fr_FR.UTF-8", "LC_CTYPE": "",
    ]
    let place = PromptPlace.make(variable: { variables[$0] }, terminal: "/dev/pts/3")
    var expected = PromptPlace()
    expected.display = ":0"
    expected.waylandDisplay = "wayland-0"
    expected.terminal = "/dev/pts/3"
    expected.terminalType = "xterm"
    expected.messagesLocale = "fr_FR.UTF-8"
    expected.charactersLocale = "de_DE.UTF-8"
    #expect(place == expected)
    let all = PromptPlace.make(variable: { $0 == "LC_ALL" ? "C" : variables[$0] }, terminal: nil)
    #expect(all.messagesLocale == "C")
    #expect(all.charactersLocale == "C")
    #expect(all.terminalType == nil)
    #expect(PromptPlace.make(variable: { _ in nil }, terminal: nil).isNowhere)
  }

  /// Each row is the device of a terminal, as the kernel says it, and the path.
  @Test(
    "has the terminal that the kernel says controls it",
    arguments: [
      (34_816, "/dev/pts/0" as String?), (34_816 + 255, "/dev/pts/255"), (34_816 + 1 << 20, "/dev/pts/256"),
      (1_025, "/dev/tty1"), (1_087, "/dev/tty63"), (1_024, nil), (1_088, nil), (0, nil), (-1, nil), (1_280, nil),
    ])
  func controlling(device: Int, path: String?) {
    for name in ["swift", "a) S 1 2 3 1025 (b", ") ("] {
      let line = Array("4711 (\(name)) S 1 4711 4711 \(device) 4711 4194560 0\n".utf8)
      #expect(PromptPlace.controllingTerminal(line: line)?.path == path)
    }
    #expect(PromptPlace.controllingTerminal(line: []) == nil)
    #expect(PromptPlace.controllingTerminal(line: Array("1 (x) S 1 2".utf8)) == nil)
  }

  @Test("is found without standard input, output and error on the terminal")
  func withoutStandardDescriptors() async {
    await #expect(processExitsWith: .success) {
      let pty = try Pty()
      guard setsid() > 0, PromptPlace.current().terminal == nil else { exit(2) }
      // The first terminal that a session opens is its own.
      guard unsafe open(pty.path, O_RDWR | O_CLOEXEC) >= 0 else { exit(3) }
      exit(PromptPlace.current().terminal == pty.path ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  @Test("is that of standard error when input and output are elsewhere")
  func standardError() async {
    await #expect(processExitsWith: .success) {
      let pty = try Pty()
      guard setsid() > 0 else { exit(2) }
      let null = unsafe open("/dev/null", O_RDWR)
      let terminal = unsafe open(pty.path, O_RDWR | O_NOCTTY)
      guard null >= 0, terminal >= 0, dup2(null, 0) == 0, dup2(null, 1) == 1, dup2(terminal, 2) == 2 else { exit(3) }
      exit(PromptPlace.current().terminal == pty.path ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  @Test("has the display of the environment")
  func display() async {
    await #expect(processExitsWith: .success) {
      guard unsafe setenv("DISPLAY", ":77", 1) == 0, unsafe setenv("WAYLAND_DISPLAY", "a b", 1) == 0 else { exit(2) }
      let place = PromptPlace.current()
      exit(place.display == ":77" && place.waylandDisplay == nil ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }
}
