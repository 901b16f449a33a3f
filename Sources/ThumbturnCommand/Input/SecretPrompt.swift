internal import ThumbturnCrypto

/// Asks for a secret on a terminal, without echo.
///
/// Nothing of it ever goes to standard output.
enum SecretPrompt {
  /// How often a waiting signal is looked for.
  private static let sliceMilliseconds: Int64 = 100

  /// Asks on the terminal at `path`.
  ///
  /// - Parameters:
  ///   - question: What is wanted.
  ///   - waitMilliseconds: How long the whole prompt may take.
  static func ask(
    _ path: String, _ question: String = "secret", waitMilliseconds: Int64
  ) throws(CommandFailure) -> SecretBytes {
    let descriptor: Int32
    do {
      descriptor = try System.openTerminal(path)
    } catch {
      throw .noTerminal(.system(error))
    }
    defer { system_close(descriptor) }
    return try ask(on: descriptor, question, waitMilliseconds: waitMilliseconds)
  }

  /// Asks on an open terminal.
  static func ask(
    on descriptor: Int32, _ question: String = "secret", waitMilliseconds: Int64
  ) throws(CommandFailure) -> SecretBytes {
    try RawTerminal.with(descriptor) { () throws(CommandFailure) -> SecretBytes in
      show("\(question) (not shown): ", on: descriptor)
      // The newline that was typed is not echoed.
      defer { show("\n", on: descriptor) }
      return try readLine(descriptor, until: (system_bootNanoseconds() / 1_000_000) + waitMilliseconds)
    }
  }

  private static func readLine(_ descriptor: Int32, until end: Int64) throws(CommandFailure) -> SecretBytes {
    do {
      var line = try PromptLine()
      var one = try SecretBytes(count: 1) { (_: inout MutableSpan<UInt8>) throws(CryptoError) in }
      while true {
        if RawTerminal.isInterrupted { throw CommandFailure.cancelled }
        let left = end - (system_bootNanoseconds() / 1_000_000)
        if left <= 0 { throw CommandFailure.promptTimeOver }
        guard try System.waitReadable(descriptor, milliseconds: Int32(min(left, sliceMilliseconds))) else { continue }
        // 0: the terminal is gone.
        var byte = one.mutableBytes
        guard try system_readSome(descriptor, into: &byte) == 1 else { throw CommandFailure.cancelled }
        switch line.receive(one.bytes[0]) {
        case .more: continue
        case .ended: return try line.secret()
        case .cancelled: throw CommandFailure.cancelled
        }
      }
    } catch let failure as CommandFailure {
      throw failure
    } catch is CryptoError {
      throw .outOfSecretMemory
    } catch {
      // A terminal that failed is one that was closed.
      throw .cancelled
    }
  }

  private static func show(_ text: String, on descriptor: Int32) {
    // A prompt that cannot be shown leaves a read that fails as well.
    _ = try? system_write(descriptor, Array(text.utf8).span)
  }
}
