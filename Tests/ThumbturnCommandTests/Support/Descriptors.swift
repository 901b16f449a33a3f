import Glibc
import Testing
import ThumbturnCommand
import ThumbturnCrypto
import ThumbturnVault

/// A file without a name that is gone when the last descriptor is: input and output of a command under test.
final class ScratchFile {
  let descriptor: Int32

  init(_ content: [UInt8] = []) throws {
    var path = Array("/tmp/thumbturn-command-XXXXXX".utf8CString)
    descriptor = unsafe mkstemp(&path)
    try #require(descriptor >= 0)
    _ = unsafe unlink(path)
    try #require(unsafe write(descriptor, content, content.count) == content.count)
    lseek(descriptor, 0, SEEK_SET)
  }

  /// What is in it.
  func content() -> [UInt8] {
    let count = Int(lseek(descriptor, 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: count)
    let got = unsafe pread(descriptor, &bytes, count, 0)
    return Array(bytes.prefix(max(0, got)))
  }

  deinit { close(descriptor) }
}

/// Both ends of a pipe.
final class Pipe {
  let reading: Int32
  let writing: Int32
  private var isWritingOpen = true

  init() throws {
    var ends: [Int32] = [0, 0]
    try #require(unsafe pipe(&ends) == 0)
    (reading, writing) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  func send(_ bytes: [UInt8]) { _ = unsafe write(writing, bytes, bytes.count) }
  func closeWriting() {
    if isWritingOpen { close(writing) }
    isWritingOpen = false
  }
  func makeNonblocking() { _ = fcntl(reading, F_SETFL, O_NONBLOCK) }

  deinit {
    closeWriting()
    close(reading)
  }
}

/// Secret memory with these bytes.
func secret(_ bytes: [UInt8]) throws -> SharedSecret { SharedSecret(try SecretBytes(copying: bytes.span)) }

/// The bytes of a secret, for comparison.
func content(_ secret: borrowing SecretBytes) -> [UInt8] {
  let bytes = secret.bytes
  return bytes.indices.map { bytes[$0] }
}

/// What a command did.
struct Outcome: Hashable {
  let exitCode: Int32
  let output: [UInt8]
  let errors: String
  var text: String { String(decoding: output, as: UTF8.self) }
}

/// Runs a command on `vault`, with `input` as standard input.
func runCommand(
  _ arguments: [String], input: [UInt8] = [], on vault: FakeBackend = FakeBackend(),
  change: (inout CommandContext) -> Void = { _ in }
) throws -> Outcome {
  try runCommand(arguments.map { Array($0.utf8) }, input: input, on: vault, change: change)
}

/// The same with arguments that may be no text.
func runCommand(
  _ arguments: [[UInt8]], input: [UInt8] = [], on vault: FakeBackend = FakeBackend(),
  change: (inout CommandContext) -> Void = { _ in }
) throws -> Outcome {
  let files = (try ScratchFile(input), try ScratchFile(), try ScratchFile())
  var context = CommandContext()
  context.input = files.0.descriptor
  context.output = files.1.descriptor
  context.errors = files.2.descriptor
  context.terminalPath = "/nonexistent"
  context.findLocation = { () throws(VaultError) in VaultLocation(home: "/nonexistent") }
  context.findProgramFolder = { "/nonexistent" }
  context.makeBackend = { _ in vault }
  change(&context)
  let code = Command.run(arguments, in: context)
  return Outcome(
    exitCode: code, output: files.1.content(), errors: String(decoding: files.2.content(), as: UTF8.self))
}

extension Pipe: @unchecked Sendable {
  func makeWritingNonblocking() { _ = fcntl(writing, F_SETFL, O_NONBLOCK) }

  /// Everything up to the end, read slowly.
  func readAll() -> [UInt8] {
    var all: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 10_000)
    while true {
      usleep(1_000)
      let got = unsafe read(reading, &piece, piece.count)
      guard got > 0 else { return all }
      all += piece.prefix(got)
    }
  }
}

/// Where the next read of a file begins.
func lseekPosition(_ descriptor: Int32) -> Int { Int(lseek(descriptor, 0, SEEK_CUR)) }
