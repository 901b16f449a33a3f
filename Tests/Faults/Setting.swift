import Foundation

/// What a harness is run with.
struct Setting {
  /// The program that is killed and disturbed.
  let program: String
  /// The harness of the same build, for what has no call in the program.
  let harness: String
  /// Whether only a sample is tried, as `make test` does.
  let isShort: Bool
  /// A folder for everything; not a disk where there is memory, because no harness here needs a real one.
  let scratch: String
  /// A folder on a real disk, for what measures one.
  let diskScratch: String

  /// Nothing of the caller's environment, so that no vault of a user can be meant.
  func environment(home: String) -> [String: String] {
    var found = ["THUMBTURN_HOME": home, "HOME": scratch, "LC_ALL": "C", "PATH": "/usr/bin:/bin"]
    found["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
    return found
  }

  func run(
    _ line: [String], input: [UInt8] = [], home: String, strace options: [String]? = nil
  ) throws -> Ending {
    try start(line, input: input, home: home, strace: options).wait()
  }

  func start(
    _ line: [String], input: [UInt8] = [], home: String, strace options: [String]? = nil
  ) throws -> Child {
    let prefix = options.map { ["/usr/bin/strace", "-f", "-qq"] + $0 } ?? []
    return try Child(prefix + line, input: input, environment: environment(home: home), scratch: scratch)
  }

  /// Fails unless strace is there, may trace, and can inject: a machine where it cannot has shown nothing.
  func checkInjection() throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/strace") else {
      throw Fault("strace is missing; run scripts/bootstrap test")
    }
    let home = scratch + "/none"
    let plain = try run(["/bin/echo"], home: home, strace: ["-o", "/dev/null", "-e", "trace=write"])
    guard plain.exitCode == 0 else { throw Fault("strace may not trace here: \(plain.errorText)") }
    let killed = try run(
      ["/bin/echo"], home: home, strace: ["-o", "/dev/null", "-e", "inject=write:signal=KILL:when=1"])
    guard killed.wasKilled else { throw Fault("strace does not inject here: \(killed.errorText)") }
  }
}
