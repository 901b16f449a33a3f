internal import ThumbturnShims

extension PromptPlace {
  /// Where this process can be shown a prompt.
  ///
  /// The displays and the language are those of the environment, unless the program was started with raised rights
  /// (AT_SECURE): then only the terminal counts, because the kernel says what it is. The terminal is that of standard
  /// input, output or error, else the controlling one. What cannot be a value (``isValid(_:)``) is left out. From any
  /// thread; nothing is opened but `/proc/self/stat`.
  public static func current() -> PromptPlace {
    make(
      variable: isSecureExecution() ? { _ in nil } : system_environment,
      terminal: terminalOfThisProcess())
  }

  /// The parts of ``current()``, for tests.
  ///
  /// - Parameters:
  ///   - variable: A variable of the environment.
  ///   - terminal: The path of the terminal.
  package static func make(variable: (String) -> String?, terminal: String?) -> PromptPlace {
    func value(_ name: String) -> String? {
      guard let value = variable(name), isValid(value) else { return nil }
      return value
    }
    // The order of setlocale(3); what is set but empty counts as not set.
    func locale(_ name: String) -> String? { value("LC_ALL") ?? value(name) ?? value("LANG") }
    var place = PromptPlace()
    place.display = value("DISPLAY")
    place.waylandDisplay = value("WAYLAND_DISPLAY")
    place.authority = value("XAUTHORITY")
    place.messagesLocale = locale("LC_MESSAGES")
    place.charactersLocale = locale("LC_CTYPE")
    place.terminal = terminal
    place.terminalType = terminal == nil ? nil : value("TERM")
    return place
  }

  /// Whether a path names a terminal as the kernel does: `/dev/pts/` or `/dev/tty`, and a number.
  package static func isTerminalName(_ path: String) -> Bool {
    for folder in ["/dev/pts/", "/dev/tty"] where path.hasPrefix(folder) {
      let number = path.utf8.dropFirst(folder.utf8.count)
      return (1...7).contains(number.count) && number.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }
    return false
  }

  private static func terminalOfThisProcess() -> String? {
    for descriptor in Int32(0)...2 {
      if let name = system_terminalName(descriptor), isTerminalName(name) { return name }
    }
    guard let terminal = controllingTerminal(line: system_processLine()),
      system_isDevice(terminal.path, number: terminal.number)
    else { return nil }
    return terminal.path
  }

  /// The controlling terminal that a line of `/proc/PID/stat` names, and the number of its device.
  package static func controllingTerminal(line: [UInt8]) -> (path: String, number: UInt64)? {
    // The program's name stands in brackets and may hold anything, brackets too.
    guard let bracket = line.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = line[(bracket + 1)...].split(separator: UInt8(ascii: " "))
    guard fields.count > 4, let number = Int32(String(decoding: fields[4], as: UTF8.self)), number > 0 else {
      return nil
    }
    let device = UInt64(number)
    let minor = device & 0xFF | device >> 12 & 0xF_FF00
    switch device >> 8 & 0xFFF {
    case 136: return ("/dev/pts/\(minor)", device)
    case 4 where (1...63).contains(minor): return ("/dev/tty\(minor)", device)
    default: return nil
    }
  }
}
