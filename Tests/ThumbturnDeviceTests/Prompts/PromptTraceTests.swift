import Foundation
import Glibc
import Testing
import TestFixtures
import ThumbturnAuthentication
import ThumbturnCrypto

@testable import ThumbturnDevice

@Suite("What a prompt leaves behind")
struct PromptTraceTests {
  /// A secret of 32 letters that stands nowhere else in this process.
  private static func makeLetters() throws -> SecretBytes {
    var secret = try SecretBytes.random(count: 32)
    var bytes = secret.mutableBytes
    for index in bytes.indices { bytes[index] = UInt8(ascii: "A") + bytes[index] % 26 }
    return secret
  }

  /// The same under a mask, as a program of Python that says it.
  private static func python(_ secret: borrowing SecretBytes) -> String {
    let masked = secret.bytes.indices.map { String(secret.bytes[$0] ^ 0xA5) }.joined(separator: ",")
    return "say(b'D ' + bytes(b ^ 0xA5 for b in [\(masked)]) + b'%41\\nOK\\n')"
  }

  private static func count(_ answer: PromptAnswer) -> Int? {
    if case .secret(let secret) = answer { secret.count } else { nil }
  }

  @Test("is found by the scan when it is planted")
  func scanFindsPlantedLetters() throws {
    let secret = try Self.makeLetters()
    var traces = KeyTraces()
    traces.add("typed", secret.bytes)
    let planted = secret.bytes.indices.map { secret.bytes[$0] }
    let places = try #require(traces.places(areLocked: secret.isLocked))
    #expect(places.elsewhere["typed: the key"] == 1)
    #expect(places.inSecretPages["typed: the key"] == 1)
    #expect(planted.count == 32)
  }

  @Test("is nothing of what was typed at pinentry, once the answer ends")
  func pinentryLeavesNoTrace() throws {
    let secret = try Self.makeLetters()
    let fake = try FakePinentry(Self.python(secret))
    var traces = KeyTraces()
    traces.add("typed", secret.bytes)
    try Self.check(traces, areLocked: secret.isLocked) {
      let stop = try #require(StopSignal())
      return fake.prompter().ask(.sample(.passcode), at: .onDisplay, limit: .seconds(20), stop: stop)
    }
  }

  @Test("is no line that was followed by another")
  func linesAreWiped() throws {
    let secret = try Self.makeLetters()
    var traces = KeyTraces()
    traces.add("typed", secret.bytes)
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    try #require(unsafeSocketPair(kind, &ends))
    defer { for end in ends { close(end) } }
    unsafeSend(ends[0], secret.bytes)
    unsafeSend(ends[0], [0x0A, 0x4F, 0x4B, 0x0A].span)
    let stop = try #require(StopSignal())
    let deadline = BusDeadline(after: .seconds(5))
    var lines = try AssuanLines()
    let first = lines.next(from: ends[1], until: deadline, stop: stop)
    let held = try #require(traces.places(areLocked: secret.isLocked)).inSecretPages["typed: the key"]
    let second = lines.next(from: ends[1], until: deadline, stop: stop)
    let left = try #require(traces.places(areLocked: secret.isLocked)).inSecretPages["typed: the key"]
    #expect([first, second] == [.line, .line])
    #expect([held, left] == [2, 1])
  }

  @Test("is nothing of what was typed at the terminal, once the answer ends")
  func terminalLeavesNoTrace() throws {
    let secret = try Self.makeLetters()
    let pty = try Pty()
    var surroundings = SystemPrompter.Surroundings()
    surroundings.programs = []
    let prompter = SystemPrompter(surroundings)
    var traces = KeyTraces()
    traces.add("typed", secret.bytes)
    // What is typed before the prompt would be forgotten.
    let isStarted = Typist.start(pty, try SecretBytes(copying: secret.bytes))
    #expect(isStarted)
    try Self.check(traces, areLocked: secret.isLocked) {
      let stop = try #require(StopSignal())
      return prompter.ask(.sample(.passcode), at: .terminal(pty.path), limit: .seconds(20), stop: stop)
    }
  }

  /// One copy more in pages for secrets while the answer lives, none more after it, and never one elsewhere.
  private static func check(_ traces: KeyTraces, areLocked: Bool, _ ask: () throws -> PromptAnswer) throws {
    do {
      let answer = try ask()
      #expect([32, 33].contains(count(answer)))
      let places = try #require(traces.places(areLocked: areLocked))
      #expect(places.inSecretPages["typed: the key"] == 2)
      #expect(places.elsewhere == [:])
      #expect(count(answer) != nil)
    }
    let places = try #require(traces.places(areLocked: areLocked))
    #expect(places.inSecretPages["typed: the key"] == 1)
    #expect(places.elsewhere == [:])
  }

  @Test("is no descriptor and no process, after 1,000 prompts")
  func thousand() async {
    await #expect(processExitsWith: .success) {
      let folder = try ScratchPath()
      let path = folder.path + "/pinentry"
      let script = """
        #!/bin/sh
        echo OK
        while read -r line; do
          case $line in
          GETPIN) [ $(($$ % 3)) = 0 ] && echo "D x"; echo OK ;;
          BYE) exit ;;
          *) echo OK ;;
          esac
        done

        """
      try script.write(toFile: path, atomically: true, encoding: .utf8)
      guard unsafe chmod(path, 0o755) == 0, let stop = StopSignal() else { exit(2) }
      var surroundings = SystemPrompter.Surroundings()
      surroundings.programs = [path]
      surroundings.programsMayBelongToAnyone = true
      let prompter = SystemPrompter(surroundings)
      func descriptors() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
      _ = prompter.ask(.sample(.passcode), at: .onDisplay, limit: .seconds(20), stop: stop)
      let before = try descriptors()
      for round in 0..<1_000 {
        guard case .secret = prompter.ask(.sample(.passcode), at: .onDisplay, limit: .seconds(20), stop: stop) else {
          print("round \(round) failed")
          exit(3)
        }
      }
      guard try descriptors() == before else { exit(4) }
      // No child is left, also none that has ended.
      guard waitpid(-1, nil, WNOHANG) == -1, errno == ECHILD else { exit(5) }
      exit(EXIT_SUCCESS)
    }
  }
}

// Macros take no call that is unsafe.
private func unsafeSocketPair(_ kind: Int32, _ ends: inout [Int32]) -> Bool {
  unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0
}
private func unsafeSend(_ socket: Int32, _ bytes: Span<UInt8>) {
  _ = unsafe bytes.withUnsafeBytes { unsafe send(socket, $0.baseAddress, $0.count, 0) }
}

/// Types a secret at a terminal as soon as a program takes every byte for itself.
private enum Typist {
  final class Work: Sendable {
    let pty: Pty
    let secret: SharedSecret
    init(_ pty: Pty, _ secret: consuming SecretBytes) {
      self.pty = pty
      self.secret = SharedSecret(secret)
    }
  }

  static func start(_ pty: Pty, _ secret: consuming SecretBytes) -> Bool {
    let work = Work(pty, secret)
    return system_startThread { type(work) }
  }

  private static func type(_ work: Work) {
    _ = work.pty.shows("Passcode: ")
    work.secret.withBytes { work.pty.type($0) }
    work.pty.type("\r")
  }
}
