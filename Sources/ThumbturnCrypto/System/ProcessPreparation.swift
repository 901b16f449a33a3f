internal import Glibc
internal import ThumbturnShims

/// What a program that holds secrets does first; only for a main, because all of it is for the whole process.
package enum ProcessPreparation {
  /// Makes the three standard descriptors safe, turns core dumps off, and lets a closed pipe be an error of write(2).
  ///
  /// A standard descriptor that is closed is opened on `/dev/null` the wrong way round: the vault's files cannot become
  /// standard output, and a use of it fails instead of reading or writing nothing with success.
  package static func run() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is the one that was just found closed.
      _ = unsafe open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
    signal(SIGPIPE, SIG_IGN)
    // Locked pages are kept out of dumps anyway. This is for what the kernel or a library copied, and no reason to stop.
    var limit = rlimit()
    if unsafe getrlimit(coreLimit, &limit) == 0 {
      limit.rlim_cur = 0
      _ = unsafe setrlimit(coreLimit, &limit)
    }
    _ = forbidDumps()
  }

  private static var coreLimit: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_CORE.rawValue) }

  /// The arguments behind the program's name as the bytes that were given: `CommandLine.arguments` repairs invalid text,
  /// and is empty where /proc/self/maps cannot be read.
  package static func arguments() -> [[UInt8]] {
    var found: [[UInt8]] = []
    var index: Int32 = 1
    while let argument = unsafe programArgument(index) {
      found.append(unsafe Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument))))
      index += 1
    }
    return found
  }
}
