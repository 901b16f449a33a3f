internal import Glibc
internal import ThumbturnCrypto
internal import ThumbturnShims

/// Every system call of this module but the terminal's.
///
/// `EINTR` is retried here and nowhere else.
enum System {
  /// A call failed.
  struct Failure: Error, Hashable {
    /// The value of `errno`.
    let number: Int32

    /// The C library's text for it, in lower case as our messages are.
    var text: String {
      guard let text = unsafe strerror(number) else { return "error \(number)" }
      return unsafe String(cString: text).lowercased()
    }
    /// Whether the call only has to wait.
    var isTemporary: Bool { number == EAGAIN || number == EWOULDBLOCK }
    /// Whether the other end of a pipe is gone.
    var isClosedPipe: Bool { number == EPIPE }
    /// Whether the descriptor is not open, or not for this.
    var isBadDescriptor: Bool { number == EBADF }
  }

  /// What an open descriptor is.
  struct Kind {
    let isRegularFile: Bool
    let isFolder: Bool
    let sizeBytes: Int
  }

  /// What a path is, links not followed.
  struct Entry {
    let isLink: Bool
    let isFolder: Bool
    let owner: UInt32
    /// The permission bits.
    let mode: UInt32
  }

  private static func retry(_ call: () -> Int) throws(Failure) -> Int {
    while true {
      let result = call()
      if result >= 0 { return result }
      if errno != EINTR { throw Failure(number: errno) }
    }
  }

  /// Reads into `buffer` from `start` to its end; 0 is the end of the input.
  static func read(_ descriptor: Int32, into buffer: inout SecretBytes, from start: Int) throws(Failure) -> Int {
    var bytes = buffer.mutableBytes
    return try unsafe bytes.withUnsafeMutableBytes { (memory: UnsafeMutableRawBufferPointer) throws(Failure) -> Int in
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start...])
      return try retry { unsafe Glibc.read(descriptor, rest.baseAddress, rest.count) }
    }
  }

  /// Writes what it can of `bytes` from `start` on.
  static func write(_ descriptor: Int32, _ bytes: Span<UInt8>, from start: Int) throws(Failure) -> Int {
    try unsafe bytes.withUnsafeBytes { (memory: UnsafeRawBufferPointer) throws(Failure) -> Int in
      let rest = unsafe UnsafeRawBufferPointer(rebasing: memory[start...])
      return try retry { unsafe Glibc.write(descriptor, rest.baseAddress, rest.count) }
    }
  }

  /// Copies the first `count` bytes of `source`.
  static func copy(_ source: borrowing SecretBytes, to target: inout SecretBytes, count: Int) {
    precondition(count <= source.count && count <= target.count, "bytes that both have")
    var out = target.mutableBytes
    unsafe out.withUnsafeMutableBytes { out in
      unsafe source.bytes.withUnsafeBytes { bytes in
        unsafe out.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
      }
    }
  }

  /// Waits until a descriptor that does not block can be written, without a limit: a pager that its reader has stopped
  /// is no error, and nothing of the vault is held meanwhile.
  static func waitWritable(_ descriptor: Int32) {
    var one = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    // What stops it early, write(2) will say.
    _ = unsafe poll(&one, 1, -1)
  }

  /// Waits until a descriptor can be read or is at its end: false when `milliseconds` are over.
  static func waitReadable(_ descriptor: Int32, milliseconds: Int32) throws(Failure) -> Bool {
    let answer = ThumbturnShims.waitReadable(descriptor: descriptor, milliseconds: milliseconds)
    if answer < 0 { throw Failure(number: errno) }
    return answer > 0
  }

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  static func isOpen(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) >= 0 }

  /// Opens a file for reading.
  ///
  /// A FIFO does not block, and a terminal does not become ours.
  static func openForReading(_ path: [UInt8]) throws(Failure) -> Int32 {
    try open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
  }

  /// Opens a terminal for reading and writing.
  static func openTerminal(_ path: String) throws(Failure) -> Int32 {
    try open(Array(path.utf8), O_RDWR | O_NOCTTY | O_CLOEXEC)
  }

  private static func open(_ path: [UInt8], _ flags: Int32) throws(Failure) -> Int32 {
    let path = path.map { CChar(bitPattern: $0) } + [0]
    return Int32(try retry { unsafe Int(Glibc.open(path, flags)) })
  }

  static func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

  static func kind(_ descriptor: Int32) throws(Failure) -> Kind {
    var answer = stat()
    _ = try retry { unsafe Int(fstat(descriptor, &answer)) }
    return Kind(
      isRegularFile: answer.st_mode & S_IFMT == S_IFREG, isFolder: answer.st_mode & S_IFMT == S_IFDIR,
      sizeBytes: Int(answer.st_size))
  }

  /// What is at `path`, or nil when it cannot be looked at.
  static func entry(_ path: String) -> Entry? {
    var answer = stat()
    guard unsafe lstat(path, &answer) == 0 else { return nil }
    return Entry(
      isLink: answer.st_mode & S_IFMT == S_IFLNK, isFolder: answer.st_mode & S_IFMT == S_IFDIR, owner: answer.st_uid,
      mode: answer.st_mode & 0o7777)
  }

  static var user: UInt32 { geteuid() }

  static func isExecutable(_ path: String) -> Bool { unsafe access(path, X_OK) == 0 }

  /// The folder of this program, by the kernel's word.
  static func programFolder() -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe buffer.withUnsafeMutableBytes { memory in
      guard let start = unsafe memory.baseAddress?.assumingMemoryBound(to: CChar.self) else { return 0 }
      return unsafe readlink("/proc/self/exe", start, memory.count)
    }
    guard count > 0, count < buffer.count, let slash = buffer[..<count].lastIndex(of: UInt8(ascii: "/")) else {
      return nil
    }
    return String(validating: buffer[..<slash], as: UTF8.self)
  }

  /// Runs a program with our environment and waits for its end.
  ///
  /// - Returns: Its exit code, or nil when a signal ended it.
  static func runProgram(_ path: String) throws(Failure) -> Int32? {
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // We ignore SIGPIPE; the program starts with the default.
    var defaults = sigset_t()
    unsafe sigemptyset(&defaults)
    unsafe sigaddset(&defaults, SIGPIPE)
    unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var process: pid_t = 0
    let failed = unsafe path.withCString { name in
      var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [UnsafeMutablePointer(mutating: name), nil]
      return unsafe posix_spawn(&process, name, nil, &attributes, &arguments, environ)
    }
    guard failed == 0 else { throw Failure(number: failed) }
    var status: Int32 = 0
    _ = try retry { unsafe Int(waitpid(process, &status, 0)) }
    // WIFEXITED and WEXITSTATUS are macros with arguments, which Swift does not import.
    return status & 0x7f == 0 ? (status >> 8) & 0xff : nil
  }
}
