internal import ThumbturnAuthentication
internal import ThumbturnCrypto

/// A prompt in lines on a terminal, where no pinentry can show one.
///
/// Nothing but printable characters of ``PromptWords`` and line ends is written there.
struct TerminalPrompt {
  let words: PromptWords
  let isForFinger: Bool
  let deadline: BusDeadline
  let stop: StopSignal

  private static let interrupt: UInt8 = 3
  private static let endOfInput: UInt8 = 4
  private static let eraseLine: UInt8 = 21
  private static let backspace: UInt8 = 8
  private static let delete: UInt8 = 127

  /// Shows it until it is answered. The terminal is as before when this returns.
  func ask(at terminal: borrowing ClientTerminal) -> PromptAnswer {
    guard terminal.makeRaw() else { return .failed(.prompterFailed) }
    defer { terminal.restore() }
    let answer = write(text, to: terminal.number) ?? read(from: terminal.number)
    // The line where nothing was shown of what was typed. It does not matter whether there is room for it.
    _ = system_write(terminal.number, Array("\r\n".utf8)[...])
    return answer
  }

  /// What is shown.
  var text: String {
    var lines = words.lines(withProblem: true)
    if isForFinger {
      if let title = words.fallbackTitle { lines.append("Type f and Enter for: \(title)") }
      lines.append("Ctrl-C cancels.")
      return "\r\nThumbturn: " + lines.joined(separator: "\r\n") + "\r\n"
    }
    return "\r\nThumbturn: " + lines.joined(separator: "\r\n") + "\r\n\(words.label) "
  }

  /// Nil when all of it is written.
  private func write(_ text: String, to terminal: Int32) -> PromptAnswer? {
    let bytes = Array(text.utf8)
    var rest = bytes[...]
    while !rest.isEmpty {
      if let end = end { return end }
      switch system_write(terminal, rest) {
      case .count(let count): rest = rest.dropFirst(count)
      case .later: wait(terminal, events: 4)
      case .ended: return .cancelled
      }
    }
    return nil
  }

  private func read(from terminal: Int32) -> PromptAnswer {
    do {
      var typed = try TypedSecret()
      var input = try SecretBytes(count: 64) { (_: inout MutableSpan<UInt8>) throws(CryptoError) in }
      while true {
        if let end = end { return end }
        var room = input.mutableBytes
        switch system_read(terminal, into: &room, from: 0) {
        case .later: wait(terminal, events: 1)
        // The window was closed.
        case .ended: return .cancelled
        case .count(let count):
          for index in 0..<count {
            let byte = input.bytes[index]
            if byte == Self.interrupt || byte == Self.endOfInput { return .cancelled }
            if byte != UInt8(ascii: "\r") && byte != UInt8(ascii: "\n") {
              Self.take(byte, &typed)
            } else if !isForFinger {
              return typed.finished().map { .secret($0) } ?? .failed(.prompterFailed)
            } else {
              let isFallback = typed.count == 1 && typed.bytes[0] | 0x20 == UInt8(ascii: "f")
              if isFallback && words.fallbackTitle != nil { return .fallback }
              typed.removeAll()
            }
          }
          input.wipe(0..<count)
        }
      }
    } catch {
      return .failed(.prompterFailed)
    }
  }

  private static func take(_ byte: UInt8, _ typed: inout TypedSecret) {
    switch byte {
    case backspace, delete: typed.removeLast()
    case eraseLine: typed.removeAll()
    // Other control characters are keys that mean nothing here.
    case 0..<0x20: break
    default: typed.append(byte)
    }
  }

  /// What ends it from outside.
  private var end: PromptAnswer? {
    if stop.isSet { return .stopped }
    return deadline.hasPassed ? .timedOut : nil
  }

  private func wait(_ terminal: Int32, events: Int16) {
    _ = system_poll(
      PollEntry(descriptor: terminal, events: events), PollEntry(descriptor: stop.descriptor, events: 1),
      milliseconds: deadline.milliseconds)
  }
}
