import Foundation
import Testing
import ThumbturnCrypto

@testable import ThumbturnCommand

@Suite("The secret's input")
struct SecretInputTests {
  private static func read(_ descriptor: Int32, expectedBytes: Int = 0) throws(CommandFailure) -> [UInt8] {
    content(try SecretInput.read(descriptor, expectedBytes: expectedBytes, waitMilliseconds: 200))
  }

  @Test("is read to its end through growing buffers", arguments: [0, 1, 4_095, 4_096, 4_097, 16_384, 200_000])
  func sizes(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let file = try ScratchFile(bytes)
    #expect(try Self.read(file.descriptor) == bytes)
    let again = try ScratchFile(bytes)
    #expect(try Self.read(again.descriptor, expectedBytes: count) == bytes)
    let shrunk = try ScratchFile(bytes)
    #expect(try Self.read(shrunk.descriptor, expectedBytes: count + 10_000) == bytes)
  }

  @Test("that gives nothing for too long is an error")
  func silence() throws {
    let pipe = try Pipe()
    pipe.send([1, 2, 3])
    #expect(throws: CommandFailure.noInput) { try Self.read(pipe.reading) }
  }

  @Test("may be a descriptor that does not block")
  func nonblocking() throws {
    let pipe = try Pipe()
    pipe.makeNonblocking()
    let read = Background { try content(SecretInput.read(pipe.reading, waitMilliseconds: 20_000)) }
    Thread.sleep(forTimeInterval: 0.05)
    pipe.send([1, 2, 3])
    pipe.closeWriting()
    #expect(try read.value() == [1, 2, 3])
  }

  @Test("that is announced as too large is not read")
  func announced() throws {
    let file = try ScratchFile([1])
    #expect(throws: CommandFailure.secretTooLarge) {
      try Self.read(file.descriptor, expectedBytes: SecretInput.countMax + 1)
    }
  }

  @Test(
    "by --fd must be a descriptor that is open",
    arguments: ["x", "", "-1", "+3", "3x", "99999999999", "9999"])
  func wrongDescriptor(value: String) throws {
    let outcome = try runCommand(["set", "a", "b", "--fd", value])
    #expect(outcome.exitCode == 2)
    #expect(outcome.errors.contains("--fd"))
  }

  @Test("comes from --fd, and stays open")
  func descriptor() throws {
    let vault = FakeBackend()
    let file = try ScratchFile([1, 2])
    let outcome = try runCommand(["set", "a", "b", "--fd", "\(file.descriptor)"], input: [9], on: vault)
    #expect(outcome.exitCode == 0)
    #expect(file.content() == [1, 2])
    #expect(try runCommand(["get", "a", "b"], on: vault).output == [1, 2])
  }

  @Test("is one of --fd and --file")
  func both() throws {
    #expect(try runCommand(["set", "a", "b", "--fd", "0", "--file", "/dev/null"]).exitCode == 2)
  }
}
