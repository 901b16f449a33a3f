internal import Glibc
internal import ThumbturnCrypto
internal import ThumbturnShims

extension SystemError {
  /// The C library's text for it, in lower case as our messages are.
  var text: String {
    guard let text = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: text).lowercased()
  }
}

/// The system calls that only a command line needs; those on files stand in ThumbturnCrypto.
enum System {
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

  /// Waits until a descriptor that does not block can be written.
  ///
  /// There is no limit: a pager that its reader has stopped is no error, and nothing of the vault is held meanwhile.
  static func waitWritable(_ descriptor: Int32) {
    var one = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    // What stops it early, write(2) will say.
    _ = unsafe poll(&one, 1, -1)
  }

  /// Waits until a descriptor can be read or is at its end: false when `milliseconds` are over.
  static func waitReadable(_ descriptor: Int32, milliseconds: Int32) throws(SystemError) -> Bool {
    let answer = ThumbturnShims.waitReadable(descriptor: descriptor, milliseconds: milliseconds)
    if answer < 0 { throw SystemError(number: errno) }
    return answer > 0
  }

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  static func isOpen(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) >= 0 }

  static func isReadable(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFL) & O_ACCMODE != O_WRONLY }

  /// Opens a file for reading.
  ///
  /// A FIFO does not block, and a terminal does not become ours.
  static func openForReading(_ path: [UInt8]) throws(SystemError) -> Int32 {
    try system_open(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
  }

  /// Opens a terminal for reading and writing.
  static func openTerminal(_ path: String) throws(SystemError) -> Int32 {
    try system_open(Array(path.utf8), flags: O_RDWR | O_NOCTTY)
  }

  /// Whether text is an IPv6 address without brackets and zone.
  static func isIPv6Address(_ text: String) -> Bool {
    var address = in6_addr()
    return unsafe inet_pton(AF_INET6, text, &address) == 1
  }

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
  /// - Parameter arguments: What follows the program's name; bytes, because paths may be invalid UTF-8.
  /// - Returns: Its exit code, or nil when a signal ended it.
  static func runProgram(_ path: String, _ arguments: [[UInt8]] = []) throws(SystemError) -> Int32? {
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
    // Each in memory of its own, with the zero that ends it.
    var list: [UnsafeMutablePointer<CChar>?] = unsafe []
    for bytes in [Array(path.utf8)] + arguments {
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
      for (index, byte) in bytes.enumerated() { unsafe copy[index] = CChar(bitPattern: byte) }
      unsafe copy[bytes.count] = 0
      unsafe list.append(copy)
    }
    unsafe list.append(nil)
    defer { for index in unsafe list.indices { unsafe list[index]?.deallocate() } }
    let failed = unsafe posix_spawn(&process, path, nil, &attributes, &list, environ)
    guard failed == 0 else { throw SystemError(number: failed) }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { throw SystemError(number: errno) }
    }
    // WIFEXITED and WEXITSTATUS are macros with arguments, which Swift does not import.
    return status & 0x7f == 0 ? (status >> 8) & 0xff : nil
  }

  /// Starts a program in a session of its own, with our environment and without our descriptors, and does not wait for it.
  ///
  /// - Returns: The number of its process, and what it writes to standard error. When we end nobody reads that any more.
  static func startProgram(_ path: String) throws(SystemError) -> (process: Int32, errors: ErrorPipe) {
    let (errors, writing) = try ErrorPipe.make()
    defer { system_close(writing) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for descriptor in Int32(0)...1 {
      unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    unsafe posix_spawn_file_actions_adddup2(&actions, writing, 2)
    for descriptor in try inherited() { unsafe posix_spawn_file_actions_addclose(&actions, descriptor) }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // It outlives the terminal, and starts with the default of every signal.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    let newSession = 0x80  // POSIX_SPAWN_SETSID, which stands behind _GNU_SOURCE
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(newSession | Int(POSIX_SPAWN_SETSIGMASK) | Int(POSIX_SPAWN_SETSIGDEF)))
    var process: pid_t = 0
    let failed = unsafe path.withCString { name in
      var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [UnsafeMutablePointer(mutating: name), nil]
      var variables = unsafe cleanVariables()
      return unsafe posix_spawn(&process, name, &actions, &attributes, &arguments, &variables)
    }
    guard failed == 0 else { throw SystemError(number: failed) }
    return (process, errors)
  }

  /// Our variables but those that put code or files of somebody's into a program: the loader's, the C library's, Swift's and
  /// OpenSSL's. The program that holds the keys is not told such things.
  private static func cleanVariables() -> [UnsafeMutablePointer<CChar>?] {
    let foreign = ["LD_", "GCONV_PATH=", "GLIBC_", "MALLOC_", "LOCPATH=", "NLSPATH=", "SWIFT_", "OPENSSL_", "SSL_"]
    var variables: [UnsafeMutablePointer<CChar>?] = unsafe []
    var place = unsafe environ
    while let variable = unsafe place.pointee {
      let isForeign = foreign.contains { unsafe strncmp(variable, $0, $0.utf8.count) == 0 }
      if !isForeign { unsafe variables.append(variable) }
      unsafe place += 1
    }
    unsafe variables.append(nil)
    return unsafe variables
  }

  /// The descriptors that a program would have from us: that of `--fd`, and whatever else a shell left open.
  private static func inherited() throws(SystemError) -> [Int32] {
    let folder = try system_open(Array("/proc/self/fd".utf8), flags: O_RDONLY | O_DIRECTORY)
    defer { system_close(folder) }
    // The most that one process may have open by default.
    let names = try system_names(in: folder, countMax: 1_048_576)
    return names.compactMap { Int32($0) }.filter { $0 > 2 && fcntl($0, F_GETFD) & FD_CLOEXEC == 0 }
  }

  /// The exit code of a program that was started and has ended, -1 when a signal ended it; nil while it runs. It can be
  /// asked once after the end.
  static func exitCode(of process: Int32) -> Int32? {
    var status: Int32 = 0
    guard unsafe waitpid(process, &status, WNOHANG) == process else { return nil }
    return status & 0x7f == 0 ? (status >> 8) & 0xff : -1
  }
}
