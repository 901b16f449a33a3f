internal import Foundation
internal import Synchronization
internal import ThumbturnAgentClient
internal import ThumbturnCrypto
internal import ThumbturnKeychain
internal import ThumbturnVault

/// The program `thumbturnd` of a release build, over a filled store without a passcode.
final class AgentRows: Sendable {
  private static let clientCount = 50
  private static let callsOfClient = 40
  private static let commitCount = 200

  private let store: Store
  private let process: pid_t
  private let place: SocketPlace
  private let vaultID: [UInt8]
  private let next: Atomic<Int>

  /// Starts the agent; it has the vault's seat as long as this object.
  init(program: String, store: Store) throws {
    self.store = store
    let backend = LocalBackend(location: store.location)
    let digits = try backend.status().vaultID.compactMap(\.hexDigitValue)
    backend.close()
    vaultID = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    guard vaultID.count == 16 else { throw Failure("the store has no vault") }
    place = SocketPlace(folder: store.home)
    next = Atomic(store.count)
    process = try Program.start(
      [program], environment: ["THUMBTURN_HOME": store.home, "HOME": store.home, "PATH": "/usr/bin:/bin"],
      output: "/dev/null")
    for _ in 0..<1_000 {
      if (try? AgentControl(link()).status()) != nil { return }
      usleep(10_000)
    }
    stop()
    throw Failure("\(program) did not listen")
  }

  func stop() {
    kill(process, SIGTERM)
    _ = try? Program.wait(process)
  }

  private func link() -> AgentLink { AgentLink(place, vaultID: vaultID) }

  /// A find by service and account with its secret, against an echo of as many bytes as the answer has.
  func readPairs(_ echo: Echo) throws -> Pairs {
    let keychain = RemoteBackend(link())
    var rows = Rows(of: store.count)
    let batchCount = 10
    return try Pairs(
      400, batchCount: batchCount,
      ours: {
        let queries = rows.next(batchCount).map { Items.query(Items.service($0), Items.account($0)) }
        return try nanoseconds {
          for query in queries { try Self.read(query, keychain) }
        }
      }, peer: { echo.run(batchCount) })
  }

  private static func read(_ query: ItemQuery, _ keychain: RemoteBackend) throws {
    let found = try keychain.find(query, for: Items.caller)
    guard found.count == 1, found[0].secret?.count == Items.secretCount else { throw Failure("another item came") }
  }

  private func add(_ keychain: RemoteBackend) throws -> [UInt8] {
    let number = next.add(1, ordering: .relaxed).oldValue
    return try keychain.add(try Items.item(number), for: Items.caller).reference
  }

  /// The 99th of 100 calls of many clients at once, of which a tenth are durable adds, against the 99th of 100 durable adds
  /// of one client alone. What was added is removed again.
  func crowdPairs() throws -> Pairs {
    let added = Mutex<[[UInt8]]>([])
    let alone = RemoteBackend(link())
    let pairs = try Pairs(
      3, batchCount: 1, ours: { try crowd(added) },
      peer: {
        var times: [Double] = []
        for _ in 0..<Self.commitCount {
          times.append(try nanoseconds { added.withLock { [reference = try add(alone)] in $0.append(reference) } })
        }
        return Self.p99(times)
      })
    for reference in added.withLock({ $0 }) {
      var query = ItemQuery(.genericPassword)
      query.reference = reference
      try alone.delete(query, for: Items.caller)
    }
    return pairs
  }

  private static func p99(_ times: [Double]) -> Double { times.sorted()[times.count * 99 / 100] }

  private func crowd(_ added: borrowing Mutex<[[UInt8]]>) throws -> Double {
    let results = Results()
    let everybody = DispatchGroup()
    for client in 0..<Self.clientCount {
      everybody.enter()
      Thread.detachNewThread { [self] in
        defer { everybody.leave() }
        do { results.put(try self.calls(client)) } catch { results.fail("\(error)") }
      }
    }
    everybody.wait()
    let (times, references, failure) = results.all
    added.withLock { $0 += references }
    if let failure { throw Failure(failure) }
    return Self.p99(times)
  }

  /// One client's calls, each after the answer to the last.
  private func calls(_ client: Int) throws -> (times: [Double], added: [[UInt8]]) {
    let keychain = RemoteBackend(link())
    var (times, added): ([Double], [[UInt8]]) = ([], [])
    // Connects.
    try Self.read(Items.query(Items.service(client), Items.account(client)), keychain)
    for call in 0..<Self.callsOfClient {
      // Spread, so that the clients do not add in the same moment.
      if (call + client) % 10 == 0 {
        times.append(try nanoseconds { added.append(try add(keychain)) })
      } else {
        let number = (call &* 7_919 &+ client &* 104_729) % store.count
        let query = Items.query(Items.service(number), Items.account(number))
        times.append(try nanoseconds { try Self.read(query, keychain) })
      }
    }
    return (times, added)
  }

  /// What the threads bring together.
  private final class Results: Sendable {
    private let state = Mutex<(times: [Double], added: [[UInt8]], failure: String?)>(([], [], nil))

    func put(_ result: (times: [Double], added: [[UInt8]])) {
      state.withLock {
        $0.times += result.times
        $0.added += result.added
      }
    }
    func fail(_ reason: String) { state.withLock { $0.failure = reason } }
    var all: ([Double], [[UInt8]], String?) { state.withLock { ($0.times, $0.added, $0.failure) } }
  }
}
