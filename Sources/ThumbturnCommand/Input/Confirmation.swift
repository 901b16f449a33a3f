internal import ThumbturnCrypto

/// Asks a question on the terminal that only a person may answer.
enum Confirmation {
  /// Whether the answer is yes.
  ///
  /// - Parameters:
  ///   - question: With its question mark, on one line.
  ///   - hint: How to confirm where nobody can be asked.
  /// - Throws: A failure with ``ExitCode/personNeeded`` when there is no terminal, nobody answers, or the answer is no.
  static func ask(_ question: String, hint: String, in context: CommandContext) throws(CommandFailure) {
    guard System.isTerminal(context.input), let terminal = try? System.openTerminal(context.terminalPath) else {
      throw CommandFailure(.personNeeded, "a confirmation is needed, and nobody can be asked", hint: hint)
    }
    defer { system_close(terminal) }
    let end = system_bootNanoseconds() / 1_000_000 + context.promptWaitMilliseconds
    let answer = try RawTerminal.with(terminal) { () throws(CommandFailure) -> [UInt8] in
      show(escaped(question) + " [yes/no] ", on: terminal)
      defer { show("\n", on: terminal) }
      return try readLine(terminal, until: end)
    }
    guard answer == Array("yes".utf8) || answer == Array("y".utf8) else {
      throw CommandFailure(.personNeeded, "it was not confirmed, nothing was changed")
    }
  }

  /// What is typed up to Enter, shown as it is typed; at most 16 bytes count.
  private static func readLine(_ descriptor: Int32, until end: Int64) throws(CommandFailure) -> [UInt8] {
    var line: [UInt8] = []
    while true {
      if RawTerminal.isInterrupted { return [] }
      let left = end - system_bootNanoseconds() / 1_000_000
      if left <= 0 { throw CommandFailure(.personNeeded, "nobody answered, nothing was changed") }
      do {
        guard try System.waitReadable(descriptor, milliseconds: Int32(min(left, 100))) else { continue }
        var bytes: [UInt8] = [0]
        var out = bytes.mutableSpan
        guard try system_readSome(descriptor, into: &out) == 1 else { return [] }
        switch bytes[0] {
        case 0x0a, 0x0d: return line
        case 0x08, 0x7f:
          if line.popLast() != nil { show("\u{8} \u{8}", on: descriptor) }
        case 0x20...0x7e where line.count < 16:
          line.append(bytes[0])
          show(String(decoding: bytes, as: UTF8.self), on: descriptor)
        case 0x03, 0x04: return []
        default: continue
        }
      } catch { return [] }
    }
  }

  private static func show(_ text: String, on descriptor: Int32) {
    // A question that cannot be shown is one that is not answered.
    _ = try? system_write(descriptor, Array(text.utf8).span)
  }
}
