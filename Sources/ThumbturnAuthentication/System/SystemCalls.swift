internal import Glibc

// What this module asks the kernel about the terminal of this process.

/// A variable of the environment; nil when it is not UTF-8.
func system_environment(_ name: String) -> String? {
  guard let value = unsafe getenv(name) else { return nil }
  return unsafe String(validatingCString: value)
}

/// The path of the terminal that a descriptor is.
func system_terminalName(_ descriptor: Int32) -> String? {
  var buffer = [CChar](repeating: 0, count: PromptPlace.countMax + 1)
  return unsafe buffer.withUnsafeMutableBufferPointer { buffer in
    guard let start = buffer.baseAddress, unsafe ttyname_r(descriptor, start, buffer.count) == 0 else { return nil }
    return unsafe String(validatingCString: start)
  }
}

/// What the kernel says of this process in one line; empty where /proc is not to be had.
func system_processLine() -> [UInt8] {
  let descriptor = unsafe open("/proc/self/stat", O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return [] }
  defer { close(descriptor) }
  var line = [UInt8](repeating: 0, count: 4_096)
  let count = unsafe read(descriptor, &line, line.count)
  return count > 0 ? Array(line[..<count]) : []
}

/// Whether a path is a character device of that number.
func system_isDevice(_ path: String, number: UInt64) -> Bool {
  var facts = stat()
  return unsafe lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFCHR && UInt64(facts.st_rdev) == number
}
