internal import ThumbturnCrypto
internal import ThumbturnVault

/// Where the passcodes of one command come from: the terminal, or the descriptor of `--fd`.
struct PasscodeInput {
  /// How often a new passcode may be typed in two ways.
  private static let triesMax = 3

  private let context: CommandContext
  private let descriptor: Int32?

  /// Says at once when nobody can give one.
  ///
  /// - Throws: A failure with ``ExitCode/personNeeded`` without a terminal and `--fd`.
  init(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) {
    self.context = context
    if let number = invocation.values[.fileDescriptor] {
      descriptor = try Command.descriptor(number, of: invocation)
    } else {
      descriptor = nil
      guard System.isTerminal(context.input) else { throw .passcodeNeeded }
    }
  }

  /// The passcode that is set.
  func present() throws(CommandFailure) -> Passcode {
    if let descriptor { return try passcode(try readLine(descriptor)) }
    return try passcode(try ask("passcode"))
  }

  /// A new one; on a terminal it is typed twice.
  func new() throws(CommandFailure) -> Passcode {
    if let descriptor { return try passcode(try readLine(descriptor)) }
    for _ in 0..<Self.triesMax {
      let first = try ask("new passcode")
      let second = try ask("new passcode again")
      if first.isEqual(to: second) { return try passcode(first) }
      _ = try? writeAll(Array("thumbturn: the two are not the same\n".utf8).span, to: context.errors)
    }
    throw .passcodesDiffer
  }

  private func ask(_ question: String) throws(CommandFailure) -> SecretBytes {
    do {
      return try SecretPrompt.ask(context.terminalPath, question, waitMilliseconds: context.promptWaitMilliseconds)
    } catch { throw error.ofPasscode }
  }

  /// Reads up to a newline, which is no part of it, or the end. What stands behind is left for the next line.
  private func readLine(_ descriptor: Int32) throws(CommandFailure) -> SecretBytes {
    let end = system_bootNanoseconds() / 1_000_000 + Int64(context.inputWaitMilliseconds)
    do {
      var line = try SecretBytes(count: Passcode.countMax) { (_: inout MutableSpan<UInt8>) throws(CryptoError) in }
      var one = try SecretBytes(count: 1) { (_: inout MutableSpan<UInt8>) throws(CryptoError) in }
      var count = 0
      while try readByte(descriptor, into: &one, until: end), one.bytes[0] != 0x0a {
        guard count < Passcode.countMax else { throw CommandFailure.passcodeTooLong }
        var bytes = line.mutableBytes
        bytes[count] = one.bytes[0]
        count += 1
      }
      guard count > 0 else { throw CommandFailure.emptyPasscode }
      line.narrow(to: 0..<count)
      return line
    } catch let failure as CommandFailure {
      throw failure
    } catch { throw .outOfSecretMemory }
  }

  /// False at the end.
  private func readByte(
    _ descriptor: Int32, into one: inout SecretBytes, until end: Int64
  ) throws(CommandFailure) -> Bool {
    while true {
      let left = end - system_bootNanoseconds() / 1_000_000
      guard left > 0 else { throw .noPasscodeInput }
      do throws(SystemError) {
        guard try System.waitReadable(descriptor, milliseconds: Int32(min(left, Int64(Int32.max)))) else { continue }
        var byte = one.mutableBytes
        return try system_readSome(descriptor, into: &byte) == 1
      } catch {
        // Another process took what had arrived.
        guard error != .wouldBlock else { continue }
        throw CommandFailure(.failed, "reading the passcode failed (\(error.text)), nothing was changed")
      }
    }
  }

  private func passcode(_ bytes: consuming SecretBytes) throws(CommandFailure) -> Passcode {
    try Self.passcode(bytes)
  }

  static func passcode(_ bytes: consuming SecretBytes) throws(CommandFailure) -> Passcode {
    guard bytes.count > 0 else { throw .emptyPasscode }
    do { return try Passcode(bytes) } catch { throw .passcodeTooLong }
  }
}
