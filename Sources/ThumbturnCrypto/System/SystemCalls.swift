internal import Glibc
internal import ThumbturnShims

// Every system call on files stands here, so that one place retries EINTR and sets O_CLOEXEC, and no other does.

/// The `errno` of a system call that failed.
package struct SystemError: Error, Hashable, Sendable {
  /// The value of `errno`.
  package let number: Int32

  package init(number: Int32) { self.number = number }

  package static let exists = Self(number: EEXIST)
  /// What fsync(2) answers on a file system that cannot do it.
  package static let notSupported = Self(number: EINVAL)
  package static let missing = Self(number: ENOENT)
  package static let isLink = Self(number: ELOOP)
  package static let notAFolder = Self(number: ENOTDIR)
  package static let isFolder = Self(number: EISDIR)
  package static let readOnly = Self(number: EROFS)
  package static let refused = Self(number: EACCES)
  package static let notPermitted = Self(number: EPERM)
  package static let tooManyFiles = Self(number: EMFILE)
  package static let tooManyFilesOfAll = Self(number: ENFILE)
  package static let nameTooLong = Self(number: ENAMETOOLONG)
  package static let full = Self(number: ENOSPC)
  package static let overQuota = Self(number: EDQUOT)
  package static let wouldBlock = Self(number: EWOULDBLOCK)
  package static let brokenPipe = Self(number: EPIPE)
  package static let badDescriptor = Self(number: EBADF)
}

/// What the kernel says of a file.
package struct FileFacts: Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case file, folder, link, other }
  package let kind: Kind
  package let device: UInt64
  package let inode: UInt64
  package let linkCount: UInt64
  package let owner: UInt32
  /// Permission bits, setuid and sticky included.
  package let mode: UInt32
  package let sizeBytes: Int64
  /// Time of the last change of inode or content, in nanoseconds since 1970.
  package let changedNanoseconds: Int64

  fileprivate init(_ facts: stat) {
    kind =
      switch facts.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .other
      }
    device = UInt64(facts.st_dev)
    inode = UInt64(facts.st_ino)
    linkCount = UInt64(facts.st_nlink)
    owner = facts.st_uid
    mode = UInt32(facts.st_mode & 0o7777)
    sizeBytes = Int64(facts.st_size)
    changedNanoseconds = Int64(facts.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(facts.st_ctim.tv_nsec)
  }
}

/// Runs a call until it is not interrupted.
private func retrying(_ call: () -> Int) throws(SystemError) -> Int {
  while true {
    let answer = call()
    if answer >= 0 { return answer }
    let number = errno
    if number != EINTR { throw SystemError(number: number) }
  }
}

/// Moves a descriptor away from the numbers of the standard streams: in a program that closed its own, whatever it prints
/// would go into a file of the vault.
private func aboveStreams(_ descriptor: Int32) throws(SystemError) -> Int32 {
  guard descriptor <= 2 else { return descriptor }
  defer { system_close(descriptor) }
  return Int32(try retrying { Int(fcntl(descriptor, F_DUPFD_CLOEXEC, 3)) })
}

/// Opens `name` below the open folder `folder`, or an absolute path, always close-on-exec and never as 0, 1 or 2.
package func system_openat(
  _ folder: Int32, _ name: String, flags: Int32, mode: UInt32 = 0
) throws(SystemError) -> Int32 {
  try aboveStreams(Int32(try retrying { unsafe Int(openat(folder, name, flags | O_CLOEXEC, mode_t(mode))) }))
}

/// Closes a descriptor. EINTR is not retried: Linux has closed it all the same.
package func system_close(_ descriptor: Int32) { _ = close(descriptor) }

package func system_fstat(_ descriptor: Int32) throws(SystemError) -> FileFacts {
  var facts = stat()
  _ = try retrying { unsafe Int(fstat(descriptor, &facts)) }
  return FileFacts(facts)
}

/// Facts of `name` itself, not of what a link points to.
package func system_fstatat(_ folder: Int32, _ name: String) throws(SystemError) -> FileFacts {
  var facts = stat()
  _ = try retrying { unsafe Int(fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW)) }
  return FileFacts(facts)
}

package func system_faccessat(_ folder: Int32, _ name: String, writing: Bool) throws(SystemError) {
  _ = try retrying { unsafe Int(faccessat(folder, name, writing ? W_OK : R_OK, AT_EACCESS)) }
}

package func system_mkdirat(_ folder: Int32, _ name: String, mode: UInt32) throws(SystemError) {
  _ = try retrying { unsafe Int(mkdirat(folder, name, mode_t(mode))) }
}

package func system_fchmodat(_ folder: Int32, _ name: String, mode: UInt32) throws(SystemError) {
  _ = try retrying { unsafe Int(fchmodat(folder, name, mode_t(mode), 0)) }
}

package func system_fchmod(_ descriptor: Int32, mode: UInt32) throws(SystemError) {
  _ = try retrying { Int(fchmod(descriptor, mode_t(mode))) }
}

/// Gives `old` a second name; throws ``SystemError/exists`` when `new` is taken.
package func system_linkat(_ folder: Int32, _ old: String, _ new: String) throws(SystemError) {
  _ = try retrying { unsafe Int(linkat(folder, old, folder, new, 0)) }
}

package func system_renameat(_ folder: Int32, _ old: String, _ new: String) throws(SystemError) {
  _ = try retrying { unsafe Int(renameat(folder, old, folder, new)) }
}

package func system_unlinkat(_ folder: Int32, _ name: String) throws(SystemError) {
  _ = try retrying { unsafe Int(unlinkat(folder, name, 0)) }
}

/// Returns when the kernel says that the disk has it.
package func system_fsync(_ descriptor: Int32) throws(SystemError) {
  _ = try retrying { Int(fsync(descriptor)) }
}

package enum LockMode: Sendable { case shared, exclusive }

/// Takes a lock on an open file without waiting; throws ``SystemError/wouldBlock`` when another holds it.
package func system_flock(_ descriptor: Int32, _ mode: LockMode) throws(SystemError) {
  _ = try retrying { Int(flock(descriptor, (mode == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB)) }
}

/// Takes the lock of an open file on its first byte, without waiting.
package func system_lockFirstByte(_ descriptor: Int32) throws(SystemError) {
  let failed = lockFirstByte(descriptor)
  guard failed == 0 else { throw SystemError(number: failed) }
}

package func system_unlockFirstByte(_ descriptor: Int32) { unlockFirstByte(descriptor) }

package func system_unlock(_ descriptor: Int32) { _ = try? retrying { Int(flock(descriptor, LOCK_UN)) } }

/// Writes all of `bytes`.
package func system_write(_ descriptor: Int32, _ bytes: Span<UInt8>) throws(SystemError) {
  var done = 0
  while done < bytes.count {
    let rest = bytes.extracting(done..<bytes.count)
    done += try retrying {
      unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
    }
  }
}

/// Reads into `bytes` until they are full or the file ends. Returns the number of bytes read.
package func system_read(_ descriptor: Int32, into bytes: inout MutableSpan<UInt8>) throws(SystemError) -> Int {
  var done = 0
  while done < bytes.count {
    var rest = bytes._mutatingExtracting(done..<bytes.count)
    let got = try retrying {
      unsafe rest.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
    }
    if got == 0 { break }
    done += got
  }
  return done
}

/// As ``system_read(_:into:)`` from a place in the file; the descriptor's own place stays.
package func system_pread(
  _ descriptor: Int32, into bytes: inout MutableSpan<UInt8>, at offset: Int64
) throws(SystemError) -> Int {
  var done = 0
  while done < bytes.count {
    var rest = bytes._mutatingExtracting(done..<bytes.count)
    let place = Int(offset) + done
    let got = try retrying {
      unsafe rest.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, place) }
    }
    if got == 0 { break }
    done += got
  }
  return done
}

/// Writes all of `bytes` at a place in the file; the descriptor's own place stays.
package func system_pwrite(_ descriptor: Int32, _ bytes: Span<UInt8>, at offset: Int64) throws(SystemError) {
  var done = 0
  while done < bytes.count {
    let rest = bytes.extracting(done..<bytes.count)
    let place = Int(offset) + done
    done += try retrying {
      unsafe rest.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, place) }
    }
  }
}

/// The absolute path of an open folder, links resolved.
package func system_path(of folder: Int32) throws(SystemError) -> String {
  var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
  let count = try retrying {
    unsafe buffer.withUnsafeMutableBytes {
      unsafe readlink("/proc/self/fd/\(folder)", $0.baseAddress.unsafelyUnwrapped, $0.count)
    }
  }
  return String(decoding: buffer.prefix(count), as: UTF8.self)
}

/// Opens a folder only to ask for its place: leave to read it is not needed. Swift's Glibc module does not have O_PATH.
package let system_pathOnly: Int32 = 0o10_000_000

/// What this user may still write on the disk of an open file, in bytes; the greatest number where the file system does not
/// count.
package func system_freeBytes(_ descriptor: Int32) throws(SystemError) -> UInt64 {
  var facts = statvfs()
  _ = try retrying { unsafe Int(fstatvfs(descriptor, &facts)) }
  guard facts.f_blocks > 0 else { return UInt64.max }
  return UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize)).partialValue
}

/// The names in an open folder, at most `countMax`, without `.` and `..`.
package func system_names(in folder: Int32, countMax: Int) throws(SystemError) -> [String] {
  let copy = try system_openat(folder, ".", flags: O_RDONLY | O_DIRECTORY)
  guard let stream = unsafe fdopendir(copy) else {
    let number = errno
    system_close(copy)
    throw SystemError(number: number)
  }
  defer { unsafe closedir(stream) }
  var names: [String] = []
  while names.count < countMax {
    // The end and a failure are told apart by errno alone.
    errno = 0
    guard let entry = unsafe readdir(stream) else {
      guard errno == 0 else { throw SystemError(number: errno) }
      break
    }
    let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names
}

/// Stands for the current folder where a folder is asked for; absolute paths ignore it.
package let system_currentFolder = AT_FDCWD

/// The effective user.
package func system_user() -> UInt32 { geteuid() }

/// This process; another number than before means that it was forked.
package func system_process() -> Int32 { processNumber() }

/// Nanoseconds since the machine started, suspended time included: no clock change moves it.
package func system_bootNanoseconds() -> Int64 { nanoseconds(CLOCK_BOOTTIME) }

/// Nanoseconds since 1970 by the coarse clock that file times are taken from.
package func system_coarseNanoseconds() -> Int64 { nanoseconds(CLOCK_REALTIME_COARSE) }

/// Nanoseconds since 1970.
package func system_realNanoseconds() -> Int64 { nanoseconds(CLOCK_REALTIME) }

private func nanoseconds(_ clock: Int32) -> Int64 {
  var time = timespec()
  _ = unsafe clock_gettime(clock, &time)
  return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
}

/// The 16 bytes of the kernel's random name for this start of the machine; nil without /proc.
package func system_bootIdentifier() -> [UInt8]? {
  guard let descriptor = try? system_openat(system_currentFolder, "/proc/sys/kernel/random/boot_id", flags: O_RDONLY)
  else { return nil }
  defer { system_close(descriptor) }
  var text = [UInt8](repeating: 0, count: 36)
  var out = text.mutableSpan
  guard (try? system_read(descriptor, into: &out)) == 36 else { return nil }
  let digits = text.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
  guard digits.count == 32 else { return nil }
  return (0..<16).map { UInt8(digits[2 * $0] * 16 + digits[2 * $0 + 1]) }
}

/// Sleeps; a signal may end it early.
package func system_sleep(nanoseconds: Int64) {
  var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  _ = unsafe nanosleep(&time, nil)
}

/// Whether an open file lies on a file system that has no shared memory for SQLite's WAL.
package func system_isOnRemoteFileSystem(_ descriptor: Int32) -> Bool {
  isRemote(magic: filesystemMagic(descriptor: descriptor))
}

/// NFS, 9p, FUSE, CIFS, SMB 2, SMB, AFS, AFS in the kernel: their numbers in linux/magic.h.
func isRemote(magic: UInt64) -> Bool {
  [0x6969, 0x0102_1997, 0x6573_5546, 0xFF53_4D42, 0xFE53_4D42, 0x517B, 0x5346_414F, 0x6B41_4653].contains(magic)
}

/// Opens a path that was given as bytes and may be no text, always close-on-exec and never as 0, 1 or 2.
package func system_open(_ path: [UInt8], flags: Int32) throws(SystemError) -> Int32 {
  let path = path.map { CChar(bitPattern: $0) } + [0]
  return try aboveStreams(Int32(try retrying { unsafe Int(open(path, flags | O_CLOEXEC)) }))
}

/// Reads what is there, at most `bytes.count`; 0 is the end.
package func system_readSome(_ descriptor: Int32, into bytes: inout MutableSpan<UInt8>) throws(SystemError) -> Int {
  try retrying { unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) } }
}

/// Writes as much of `bytes` as there is room for.
package func system_writeSome(_ descriptor: Int32, _ bytes: Span<UInt8>) throws(SystemError) -> Int {
  try retrying { unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) } }
}
