internal import Glibc
package import ThumbturnCrypto
internal import ThumbturnShims

// Every system call on sockets and files in memory stands here, and none of them elsewhere in this module.

extension SystemError {
  static let again = Self(number: EAGAIN)
  static let refusedConnection = Self(number: ECONNREFUSED)
  package static let addressInUse = Self(number: EADDRINUSE)
}

private func checked(_ answer: Int32) throws(SystemError) -> Int32 {
  guard answer >= 0 else { throw SystemError(number: -answer) }
  return answer
}

/// A new socket for packets.
package func system_socket() throws(SystemError) -> Int32 { try checked(makeSocket()) }

/// Connects to the socket `name` in an open folder. The path goes by the open folder: it is the one that was checked, and
/// no path is too long for the 107 bytes of an address.
package func system_connect(_ socket: Int32, _ folder: Int32, _ name: String, milliseconds: Int32) throws(SystemError) {
  _ = try checked(connectSocket(socket, path: "/proc/self/fd/\(folder)/\(name)", milliseconds: milliseconds))
}

/// Gives a socket the name `name` in an open folder.
package func system_bind(_ socket: Int32, _ folder: Int32, _ name: String) throws(SystemError) {
  _ = try checked(bindSocket(socket, path: "/proc/self/fd/\(folder)/\(name)"))
}

package func system_listen(_ socket: Int32, queueCount: Int32) throws(SystemError) {
  guard listen(socket, queueCount) == 0 else { throw SystemError(number: errno) }
}

/// Sends one packet without waiting; false when there is no room now.
package func system_send(
  _ socket: Int32, _ bytes: Span<UInt8>, passing descriptor: Int32?
) throws(SystemError) -> Bool {
  while true {
    let sent = sendPacket(socket, bytes, passed: descriptor ?? -1)
    if sent == bytes.count { return true }
    guard sent < 0 else { throw SystemError(number: EMSGSIZE) }
    switch Int32(-sent) {
    case EINTR: continue
    case EAGAIN: return false
    default: throw SystemError(number: Int32(-sent))
    }
  }
}

/// A packet that came.
package struct ReceivedPacket: Sendable {
  /// Its size; 0 is the end.
  package let count: Int
  /// The descriptor that came with it, to be closed.
  package let descriptor: Int32?
}

/// Receives one packet without waiting; nil when there is none now. When `waits` it waits as long as
/// ``system_setReceiveLimit(_:milliseconds:)`` said, or until a signal comes.
///
/// - Throws: The system's error; ``SystemError/badPacket`` for one that is larger than `bytes`, or that brought more than
///   one descriptor: they are closed then.
package func system_receive(
  _ socket: Int32, into bytes: inout MutableSpan<UInt8>, waits: Bool = false
) throws(SystemError) -> ReceivedPacket? {
  while true {
    let got = receivePacket(socket, into: &bytes, waits: waits)
    guard got.count < 0 else {
      guard !got.isMalformed else { throw .badPacket }
      return ReceivedPacket(count: got.count, descriptor: got.passed < 0 ? nil : got.passed)
    }
    switch Int32(-got.count) {
    case EINTR:
      // Waiting again would begin the time anew.
      if waits { return nil }
    case EAGAIN: return nil
    default: throw SystemError(number: Int32(-got.count))
    }
  }
}

/// How long a receiving call waits that waits.
func system_setReceiveLimit(_ socket: Int32, milliseconds: Int32) throws(SystemError) {
  _ = try checked(setReceiveLimit(socket, milliseconds: milliseconds))
}

extension SystemError {
  /// A packet that nothing of ours sends.
  package static let badPacket = Self(number: EBADMSG)
}

/// Waits until `end`, in nanoseconds since the machine started; false when it came.
package func system_wait(_ socket: Int32, toSend: Bool, until end: Int64) throws(SystemError) -> Bool {
  while true {
    let left = (end - system_bootNanoseconds() + 999_999) / 1_000_000
    guard left > 0 else { return false }
    let milliseconds = Int32(min(left, 60_000))
    let answer =
      toSend
      ? waitWritable(descriptor: socket, milliseconds: milliseconds)
      : waitReadable(descriptor: socket, milliseconds: milliseconds)
    if answer > 0 { return true }
    guard answer == 0 else { throw SystemError(number: EBADF) }
  }
}

/// The user at the other end of a connection, by the kernel.
func system_peerUser(_ socket: Int32) -> UInt32 {
  let peer = peer(of: socket)
  if peer.handle >= 0 { system_close(peer.handle) }
  return peer.user
}

// MARK: Files in memory

/// A sealed file in memory that holds `count` bytes, which `write` makes in place.
///
/// The pages are locked while they are written, as far as the limit allows. They cannot be wiped once they are sealed; the
/// kernel takes them back when the last of both sides closes the file, and clears them before anybody gets them.
func system_sealedFile(count: Int, _ write: (inout FieldWriter) -> Void) throws(SystemError) -> Int32 {
  let file = try checked(makeMemoryFile())
  do throws(SystemError) {
    // Takes the memory now, so that none is missing when it is written to.
    let failed = posix_fallocate(file, 0, count)
    guard failed == 0 else { throw SystemError(number: failed) }
    let mapped = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    guard let start = unsafe mapped, UInt(bitPattern: start) != UInt.max else { throw SystemError(number: errno) }
    unsafe protect(start, count)
    var writer = unsafe FieldWriter(UnsafeMutableRawBufferPointer(start: start, count: count))
    write(&writer)
    _ = unsafe munmap(start, count)
    _ = try checked(sealMemoryFile(file))
    return file
  } catch {
    system_close(file)
    throw error
  }
}

/// Lends the bytes of a file that came from the other side.
///
/// - Throws: ``FrameError/wrongFile`` when it is not sealed, has holes, or its size is not `count`: what is read could change,
///   vanish, or take memory that nobody gave.
func system_withSealedFile<Result>(
  _ file: Int32, count: Int, _ body: (Span<UInt8>) throws(FrameError) -> Result
) throws(FrameError) -> Result {
  // Seals first: without them the size could change after it was asked.
  guard isSealed(file), count > 0, let facts = try? system_fstat(file), facts.sizeBytes == Int64(count) else {
    throw .wrongFile
  }
  // A file with holes costs its sender nothing, and would take its size of memory when it is read.
  guard lseek(file, 0, seekHole) == count else { throw .wrongFile }
  // Private, because kernels before 6.7 refuse a shared mapping of what is sealed; it is never written to.
  let mapped = unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE, file, 0)
  guard let start = unsafe mapped, UInt(bitPattern: start) != UInt.max else { throw .outOfMemory }
  defer { _ = unsafe munmap(start, count) }
  unsafe protect(start, count)
  return try body(unsafe Span<UInt8>(_unsafeBytes: UnsafeRawBufferPointer(start: start, count: count)))
}

/// SEEK_HOLE, which Swift's Glibc module does not have: where the first hole begins, at the latest at the end.
private let seekHole: Int32 = 4

/// Out of swap if the limit allows, out of core dumps and of children.
private func protect(_ start: UnsafeMutableRawPointer, _ count: Int) {
  _ = unsafe mlock(start, count)
  _ = unsafe madvise(start, count, Int32(MADV_DONTDUMP))
  _ = unsafe madvise(start, count, Int32(MADV_DONTFORK))
}
