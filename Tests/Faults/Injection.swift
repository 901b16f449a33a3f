import Foundation

/// Where in a call of the program a system call can be disturbed: its occurrences after the vault folder was opened. What
/// the loader and the runtime do before that is not ours.
struct Injection {
  /// All that change a disk, and openat. A name that this machine's kernel does not have is passed over.
  static let changing = [
    "write", "pwrite64", "fdatasync", "fsync", "ftruncate", "?rename", "?renameat", "renameat2", "?link", "linkat",
    "?unlink", "unlinkat", "openat", "?mkdir", "mkdirat",
  ]
  static let asking = [
    "read", "pread64", "fstat", "newfstatat", "faccessat2", "fcntl", "flock", "getdents64", "readlink", "fchmod",
  ]

  /// For each call, the occurrences that count.
  let occurrences: [String: ClosedRange<Int>]

  /// Runs the step undisturbed and counts.
  init(_ step: Step, _ calls: [String], _ setting: Setting) throws {
    let home = setting.scratch + "/count"
    let log = setting.scratch + "/count.log"
    try step.picture.put(at: home)
    let ending = try setting.run(
      [step.program ?? setting.program] + step.arguments, input: step.input, home: home,
      strace: ["-o", log, "-s", "4096", "-e", "trace=openat," + calls.joined(separator: ",")])
    guard ending.exitCode == step.exitCode else { throw Fault("\(step.title), traced: \(ending.errorText)") }
    var total: [String: Int] = [:]
    var first: [String: Int] = [:]
    var isOpened = false
    for line in String(decoding: try Files.read(log), as: UTF8.self).split(separator: "\n") {
      // PROCESS NAME(ARGUMENTS) = ANSWER
      guard let open = line.firstIndex(of: "("), let space = line[..<open].lastIndex(of: " ") else { continue }
      let name = String(line[line.index(after: space)..<open])
      if name == "openat", line.contains("\"\(home)/vault\"") { isOpened = true }
      total[name, default: 0] += 1
      if isOpened, first[name] == nil { first[name] = total[name] }
    }
    var found: [String: ClosedRange<Int>] = [:]
    for call in calls {
      let name = Self.plain(call)
      if let start = first[name], let end = total[name] { found[call] = start...end }
    }
    occurrences = found
    Files.remove(home)
  }

  static func plain(_ call: String) -> String { call.hasPrefix("?") ? String(call.dropFirst()) : call }

  /// Every occurrence, or `countMax` spread over them, the last among them; a single one is another at each `turn`.
  static func sample(_ range: ClosedRange<Int>, countMax: Int?, turn: Int = 0) -> [Int] {
    guard let countMax, range.count > countMax else { return Array(range) }
    if countMax == 1 { return [range.upperBound - turn * 7 % range.count] }
    return (0..<countMax).map { range.upperBound - $0 * (range.count - 1) / max(1, countMax - 1) }
  }
}
