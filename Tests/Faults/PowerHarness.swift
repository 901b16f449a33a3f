import Foundation
import ThumbturnKeychain
import ThumbturnVault

/// Takes the power away after every call that the engine and SQLite made, and opens what a disk may hold then.
struct PowerHarness {
  /// The changes of the recorded run; each is acknowledged before the next begins.
  static func changes() -> [Change] {
    var generator = Generator(seed: 2)
    func name(_ account: String) -> Name { Name(service: "svc", account: account) }
    return [
      .set(name("one"), generator.bytes(20)), .set(name("two"), generator.bytes(30)),
      .set(name("one"), generator.bytes(700)), .set(name("large"), generator.bytes(40_000)), .remove(name("two")),
      .setAll(service: "svc", generator.bytes(60)), .reopen, .set(name("three"), generator.bytes(10)),
      .set(name("large"), generator.bytes(20_000)), .set(name("huge"), generator.bytes(1 << 20)),
      .set(name("huge"), generator.bytes(100)), .remove(name("one")), .reopen, .remove(name("three")),
      .set(name("four"), generator.bytes(5_000)), .setAll(service: "svc", generator.bytes(9)),
    ]
  }

  /// What must be there before the first change, after it, after the second, and so on.
  static func contents() -> [Content] {
    var contents: [Content] = [[:]]
    for change in changes() {
      var next = contents[contents.count - 1]
      change.apply(to: &next)
      contents.append(next)
    }
    return contents
  }

  /// The recorded program: makes the changes and says each time that it is done.
  static func script() throws {
    let backend = LocalBackend(location: try VaultLocation.standard())
    for (index, change) in changes().enumerated() {
      try change.run(on: backend)
      say("done \(index + 1)")
    }
    backend.close()
  }

  let setting: Setting
  private var seen: Set<Int> = []
  private var faults: [String] = []
  private var counts: [String: Int] = [:]
  private var generator = Generator(seed: 3)

  init(_ setting: Setting) { self.setting = setting }

  mutating func run() throws {
    try setting.checkInjection()
    let events = try record()
    let contents = Self.contents()
    try selfTest(events, contents)
    let wanted = setting.isShort ? 400 : 10_000
    // Every prefix is tried twice, with nothing and with all of what is pending; the rest is spread over them.
    let more = max(2, (wanted * 13 / 10) / events.count)
    var disk = Disk()
    for (index, event) in events.enumerated() {
      try disk.apply(event)
      let isTried = !setting.isShort || index % max(1, events.count / 40) == 0 || event.isCut
      guard isTried else { continue }
      try tryStates(of: disk, after: index, more: more, contents)
      if event.isCut { try tryNames(of: disk, after: index, contents) }
    }
    // Whatever is left to the number that is asked for comes from random places.
    while seen.count < wanted, faults.isEmpty {
      var disk = Disk()
      let end = Int.random(in: 1...events.count, using: &generator)
      for event in events[..<end] { try disk.apply(event) }
      try tryStates(of: disk, after: end - 1, more: 20, contents)
    }
    try report(events, wanted)
  }

  /// A disk that puts nothing there at an fsync, of folders or of files, must be seen to lose what was acknowledged.
  private func selfTest(_ events: [DiskEvent], _ contents: [Content]) throws {
    var folders: Set<String> = [""]
    for case .makeFolder(let path) in events { folders.insert(path) }
    for (title, isFolder) in [("folders", true), ("files", false)] {
      var other = PowerHarness(setting)
      var disk = Disk()
      for (index, event) in events.enumerated() where other.faults.isEmpty {
        if case .synchronize(let path) = event, folders.contains(path) == isFolder { continue }
        try disk.apply(event)
        guard case .acknowledge = event else { continue }
        try other.tryState(disk, [], "nothing pending kept", index, contents)
      }
      guard let fault = other.faults.first else { throw Fault("self-test: no fsync of \(title), and no loss was seen") }
      say("power, self-test: without fsync of \(title): \(fault)")
    }
  }

  private func report(_ events: [DiskEvent], _ wanted: Int) throws {
    var kinds: [String: Int] = [:]
    for event in events { kinds[event.title, default: 0] += 1 }
    say("recorded: " + kinds.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    say("power losses: " + counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    say("power-loss states tried: \(seen.count), acknowledged changes lost or half done: \(faults.count)")
    guard faults.isEmpty else { throw Fault(faults.prefix(20).joined(separator: "\n")) }
    guard seen.count >= wanted else { throw Fault("fewer states than \(wanted)") }
    for title in ["write", "synchronize", "truncate", "rename", "link", "remove"] where kinds[title] == nil {
      throw Fault("no \(title) was recorded")
    }
  }

  private func record() throws -> [DiskEvent] {
    let root = setting.scratch + "/power"
    let log = setting.scratch + "/power.log"
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
    let options = ["-o", log, "-xx", "-s", "4194304", "-e", "trace=" + Trace.calls.joined(separator: ",")]
    let ending = try setting.run([setting.harness, "script"], home: root + "/home", strace: options)
    guard ending.exitCode == 0 else { throw Fault("the recorded run failed: \(ending.errorText)") }
    return try Trace(reading: log, home: root).events
  }

  /// What may be on the disk now: nothing of what is pending, all of it, each part alone, all but one, torn, reordered.
  private mutating func tryStates(
    of disk: Disk, after index: Int, more: Int, _ contents: [Content]
  ) throws {
    let count = disk.pending.count
    let everything = (0..<count).map { (index: $0, part: Disk.Part.all) }
    try tryState(disk, [], "nothing pending kept", index, contents)
    try tryState(disk, everything, "all kept", index, contents)
    guard count > 0 else { return }
    for _ in 0..<more {
      let chosen = Int.random(in: 0..<count, using: &generator)
      let pattern = UInt64.random(in: 0...UInt64.max, using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: try tryState(disk, [(chosen, .all)], "one kept", index, contents)
      case 1: try tryState(disk, everything.filter { $0.index != chosen }, "one dropped", index, contents)
      case 2:
        let torn = everything[..<(count - 1)] + [(index: count - 1, part: .torn(pattern))]
        try tryState(disk, Array(torn), "last one torn", index, contents)
      case 3:
        let kept = everything.filter { pattern & (1 << UInt64($0.index % 64)) != 0 }
        try tryState(disk, kept.shuffled(using: &generator), "some kept, in another order", index, contents)
      default:
        let torn = (0..<count).map { (index: $0, part: Disk.Part.torn(generator.next() | generator.next())) }
        try tryState(disk, torn, "every one torn", index, contents)
      }
    }
  }

  /// Where names change, each change of a name without all the others, and all but that one: what is there under which name
  /// decides more than any write.
  private mutating func tryNames(of disk: Disk, after index: Int, _ contents: [Content]) throws {
    let names = disk.pending.indices.filter { disk.pending[$0].isName }
    let everything = disk.pending.indices.map { (index: $0, part: Disk.Part.all) }
    for name in names {
      let alone = everything.filter { $0.index == name || !names.contains($0.index) }
      try tryState(disk, alone, "one name kept", index, contents)
      try tryState(disk, everything.filter { $0.index != name }, "one dropped", index, contents)
    }
  }

  private mutating func tryState(
    _ disk: Disk, _ parts: [(index: Int, part: Disk.Part)], _ title: String, _ index: Int, _ contents: [Content]
  ) throws {
    let picture = disk.picture(parts)
    let done = disk.acknowledgedCount
    guard seen.insert(picture.digest(and: done)).inserted else { return }
    counts[title, default: 0] += 1
    let root = setting.scratch + "/power-state"
    try picture.put(at: root)
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    let allowed = Array(contents[done..<min(done + 2, contents.count)])
    if let fault = Verdict.fault(at: root + "/home", allowed: allowed) {
      faults.append("after call \(index), \(done) changes acknowledged, \(title): \(fault)")
    }
  }
}

extension DiskEvent {
  var title: String {
    switch self {
    case .makeFolder: "folder"
    case .makeFile: "file"
    case .write: "write"
    case .truncate: "truncate"
    case .synchronize: "synchronize"
    case .link: "link"
    case .rename: "rename"
    case .remove: "remove"
    case .acknowledge: "acknowledge"
    }
  }

  /// What changes names, and what says that changes are done: around these the most can be lost.
  var isCut: Bool {
    switch self {
    case .link, .rename, .remove, .acknowledge: true
    default: false
    }
  }
}
