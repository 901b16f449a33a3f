internal import Glibc
internal import ThumbturnCrypto

/// The reading end of a program's standard error.
final class ErrorPipe: Sendable {
  /// The most that is taken at once, in bytes.
  private static let countMax = 4_096
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { system_close(descriptor) }

  /// A pipe; whoever takes the writing end closes it. It never has the number of a standard stream.
  static func make() throws(SystemError) -> (reading: ErrorPipe, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    // Our end must not keep us waiting.
    guard unsafe pipe(&ends) == 0 else { throw SystemError(number: errno) }
    let reading = ErrorPipe(ends[0])
    let isSet =
      fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0
      && ends.allSatisfy { fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }
    guard isSet, ends[1] > 2 else {
      system_close(ends[1])
      throw SystemError.badDescriptor
    }
    return (reading, ends[1])
  }

  /// What has arrived and nobody has taken; nothing when there is nothing.
  func text() -> String {
    var bytes = [UInt8](repeating: 0, count: Self.countMax)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : ""
  }
}
