internal import Foundation
internal import ThumbturnKeychain

/// Thumbturn against a C program with raw SQLite, in pairs of batches; `make bench` runs it.
@main
enum Bench {
  private static let usage = """
    Bench run STORES COMMAND THRESHOLDS [--quick]
    Bench agent STORES COMMAND THRESHOLDS
    Bench profile reads|list|adds ours|peer COUNT STORE   (adds spoil the store: take a copy)
    Bench singly HOME COUNT
    """

  static func main() {
    do {
      try SelfTest.run()
      let arguments = Array(CommandLine.arguments.dropFirst())
      switch (arguments.first, arguments.count) {
      case ("run", 4...5): try run(arguments)
      case ("agent", 4): try agentAlone(arguments)
      case ("profile", 5): try profile(arguments[1], arguments[2], Int(arguments[3]) ?? 0, home: arguments[4])
      case ("singly", 3): try singly(home: arguments[1], Int(arguments[2]) ?? 0)
      default: throw Failure(usage)
      }
    } catch {
      note("bench: error: \(error)")
      exit(1)
    }
  }

  private static func run(_ arguments: [String]) throws {
    let isQuick = arguments.contains("--quick")
    let echo = Echo()
    let sizes = isQuick ? [1_000, 10_000] : [1_000, 10_000, 100_000, 1_000_000]
    let stores = try sizes.map { try Store($0, below: arguments[1]) }
    var report = Report(try Thresholds(path: arguments[3]))
    for store in stores { try engineRows(store, &report) }
    try memoryRow(&report)
    if let largest = stores.last {
      let size = name(largest.count)
      report.add("open-\(size)", "open and first read, \(size) items", try Contest.openPairs(largest))
    }
    let small = stores[0]
    report.add("face-\(name(small.count))", "SecItemCopyMatching over LocalBackend", try FaceRows.pairs(Contest(small)))
    let peer = (try Program.own() as NSString).deletingLastPathComponent + "/RawGet"
    let command = CommandRows(command: arguments[2], peer: peer, store: small)
    report.add("command", "`thumbturn get`, a whole run", try command.getPairs())
    report.add("command-size", "`thumbturn`, stripped", ours: try command.strippedMegabytes(), peer: nil, unit: " MB")
    let agentProgram = (arguments[2] as NSString).deletingLastPathComponent + "/thumbturnd"
    try agentRows(agentProgram, small, echo, &report)
    let counts = InstructionRows(store: small)
    report.add(
      "instructions-\(name(small.count))", "instructions of a point read", ours: try counts.instructions(of: "ours"),
      peer: try counts.instructions(of: "peer"), unit: "")
    try finish(report, isQuick)
  }

  /// The agent's rows alone.
  private static func agentAlone(_ arguments: [String]) throws {
    let echo = Echo()
    var report = Report(try Thresholds(path: arguments[3]))
    let program = (arguments[2] as NSString).deletingLastPathComponent + "/thumbturnd"
    try agentRows(program, try Store(1_000, below: arguments[1]), echo, &report)
    try finish(report, true)
  }

  private static func agentRows(_ program: String, _ small: Store, _ echo: Echo, _ report: inout Report) throws {
    try small.changing {
      let agent = try AgentRows(program: program, store: small)
      defer { agent.stop() }
      report.add("agent-read", "point read over the agent", try agent.readPairs(echo))
      report.add("agent-50", "50 clients of the agent, 99th of 100 calls", try agent.crowdPairs())
    }
  }

  private static func engineRows(_ store: Store, _ report: inout Report) throws {
    try store.warm()
    let contest = Contest(store)
    let size = name(store.count)
    report.add("read-\(size)", "point read, \(size) items", try contest.readPairs())
    report.add("add-\(size)", "durable add, \(size) items", try contest.addPairs(30))
    guard store.count == 100_000 else { return }
    report.add("list-\(size)", "list, \(size) items", try contest.listPairs())
    report.add("list-values-\(size)", "list and every value, \(size) items", try contest.listValuesPairs())
  }

  /// An add without the time of a disk, on which everything of ours beside it would be lost.
  private static func memoryRow(_ report: inout Report) throws {
    let folder = "/dev/shm/thumbturn-bench-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let pairs = try Contest(try Store(1_000, below: folder)).addPairs(16)
    report.add("add-memory-1k", "add to a disk in memory, 1k items", pairs)
  }

  private static func finish(_ report: Report, _ isQuick: Bool) throws {
    guard isQuick || report.unmeasured.isEmpty else {
      throw Failure("asked and not measured: \(report.unmeasured.joined(separator: ", "))")
    }
    guard report.missed.isEmpty else {
      note("bench: missed: \(report.missed.joined(separator: ", "))")
      exit(3)
    }
  }

  private static func name(_ count: Int) -> String {
    count >= 1_000_000 ? "\(count / 1_000_000)M" : "\(count / 1_000)k"
  }

  /// One thing over and over, for a profiler: `count` reads, lists or adds.
  private static func profile(_ what: String, _ side: String, _ count: Int, home: String) throws {
    guard let size = Int((home as NSString).lastPathComponent) else { throw Failure("the folder is no store") }
    let contest = Contest(try Store(size, below: (home as NSString).deletingLastPathComponent))
    switch (what, side) {
    case ("reads", "ours"): for _ in 0..<count / 10 { _ = try contest.read(10) }
    case ("reads", "peer"): for _ in 0..<count / 10 { _ = contest.readPeer(10) }
    case ("list", "ours"): for _ in 0..<count { try contest.list() }
    case ("list", "peer"): for _ in 0..<count { _ = contest.peer.list() }
    case ("adds", "ours"): try contest.store.spoiling { try contest.add(count) }
    case ("adds", "peer"): try contest.store.spoiling { contest.addPeer(count) }
    default: throw Failure(usage)
    }
  }

  /// What is also done to other keyrings: items added one by one, read one by one, and all of them searched.
  private static func singly(home: String, _ count: Int) throws {
    let backend = LocalBackend(location: Store.location(home))
    var rows = Rows(of: count)
    let adding = try nanoseconds {
      for number in 0..<count { _ = try backend.add(Items.item(number), for: Items.caller) }
    }
    let reading = try nanoseconds {
      for number in rows.next(count) {
        _ = try backend.find(Items.query(Items.service(number), Items.account(number)), for: Items.caller)
      }
    }
    let everything = ItemQuery(.genericPassword, limit: .all)
    let searching = try nanoseconds { _ = try backend.find(everything, for: Items.caller) }
    backend.close()
    let each = Double(count) * 1_000
    let cells = ["Thumbturn, in process", "\(plain(adding / each)) µs", "\(plain(reading / each)) µs"]
    Report.say("| \((cells + ["\(plain(searching / 1e6)) ms"]).joined(separator: " | ")) |")
  }
}
