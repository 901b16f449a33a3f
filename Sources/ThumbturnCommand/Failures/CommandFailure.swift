internal import ThumbturnCrypto

/// Why a command ended without success: what is printed, and the exit code.
///
/// No text holds a secret, or what was given on the command line in place of one.
struct CommandFailure: Error, Hashable {
  let exitCode: ExitCode
  /// Lower case, without a full stop; control characters are escaped.
  let message: String
  /// What to do about it, in the same form.
  let hint: String?

  init(_ exitCode: ExitCode, _ message: String, hint: String? = nil) {
    self.exitCode = exitCode
    self.message = message
    self.hint = hint
  }

  /// The lines for standard error.
  var text: String {
    var text = "thumbturn: error: \(escaped(message))\n"
    if let hint { text += "thumbturn: hint: \(escaped(hint))\n" }
    return text
  }
}

// What goes wrong with the secret that `set` reads.
extension CommandFailure {
  static var secretTooLarge: Self {
    Self(
      .refused, "the secret has more than 16777216 bytes, nothing was stored",
      hint: "keep large data in an encrypted file, and its key here")
  }
  static var noInput: Self {
    Self(
      .failed, "no input came for too long, nothing was stored",
      hint: "end the input where the secret comes from, or use --file")
  }
  static func inputFailed(_ failure: SystemError) -> Self {
    if failure == .badDescriptor {
      return Self(
        .failed, "the input is closed or cannot be read, nothing was stored",
        hint: "pipe the secret into standard input, or use --file or --fd")
    }
    return Self(.failed, "reading the secret failed (\(failure.text)), nothing was stored")
  }
  static func fileNotOpened(_ failure: SystemError) -> Self {
    Self(.failed, "the file of --file cannot be opened (\(failure.text))", hint: "check its path and permissions")
  }
  static func notARegularFile(isFolder: Bool) -> Self {
    if isFolder {
      return Self(.refused, "--file names a folder", hint: "name a file, or pipe the secret into standard input")
    }
    return Self(
      .refused, "--file takes regular files only, not a pipe or device",
      hint: "read it through standard input or --fd, as in: thumbturn set service account <file")
  }
  static var outOfSecretMemory: Self {
    Self(
      .failed, "the kernel gave no memory for the secret",
      hint: "raise the limit of memory for this process (ulimit -v), or end other programs")
  }
}

// What goes wrong at a prompt.
extension CommandFailure {
  static func noTerminal(_ failure: RawTerminal.Failure) -> Self {
    let hint = "pipe the secret into standard input, or use --file or --fd"
    return switch failure {
    case .inBackground:
      Self(.personNeeded, "the secret cannot be asked for in the background", hint: hint)
    case .system(let failure):
      Self(.personNeeded, "there is no terminal to ask on (\(failure.text))", hint: hint)
    }
  }
  static var cancelled: Self { Self(.personNeeded, "the prompt was cancelled, nothing was stored") }
  static var promptTimeOver: Self {
    Self(
      .personNeeded, "nobody answered the prompt, nothing was stored",
      hint: "without a person, pipe the secret into standard input, or use --file or --fd")
  }
  static var emptyPrompt: Self {
    Self(
      .usage, "no secret was typed, nothing was stored",
      hint: "an empty secret comes through standard input, as in: thumbturn set service account </dev/null")
  }
  static var controlCharacter: Self {
    Self(
      .refused, "a control character was typed, nothing was stored",
      hint: "pipe a secret with control characters into standard input, or use --file")
  }
  static var promptTooLong: Self {
    Self(
      .refused, "the secret is too long for a prompt, nothing was stored",
      hint: "pipe a secret of more than \(SecretInput.promptCountMax) bytes into standard input, or use --file")
  }
}

// What goes wrong with the output.
extension CommandFailure {
  static func outputFailed(_ failure: SystemError) -> Self {
    if failure == .brokenPipe { return Self(.failed, "standard output was closed before everything was written") }
    if failure == .badDescriptor { return Self(.failed, "standard output is closed") }
    return Self(.failed, "writing to standard output failed (\(failure.text))")
  }
}
