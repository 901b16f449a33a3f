internal import Foundation
internal import ThumbturnCrypto
internal import ThumbturnKeychain

/// Both programs over one store.
final class Contest {
  let store: Store
  let backend: LocalBackend
  let peer: Peer
  private var rows: Rows

  init(_ store: Store) {
    self.store = store
    backend = LocalBackend(location: store.location)
    peer = Peer(path: store.database)
    rows = Rows(of: store.count)
  }

  deinit { backend.close() }

  /// A batch of finds by service and account, each with its secret.
  func read(_ batchCount: Int) throws -> Double {
    let names = rows.next(batchCount).map { (Items.service($0), Items.account($0)) }
    return try nanoseconds {
      for (service, account) in names {
        let found = try backend.find(Items.query(service, account), for: Items.caller)
        guard found.count == 1, found[0].secret?.count == Items.secretCount else { throw Failure("another item came") }
      }
    }
  }

  func readPeer(_ batchCount: Int) -> Double { peer.read(rows.next(batchCount)) }

  func readPairs() throws -> Pairs {
    // A batch must be shorter than a turn on a busy core, or the longer side would be interrupted more often.
    try Pairs(400, batchCount: 10, ours: { try read(10) }, peer: { readPeer(10) })
  }

  /// Durable adds, one by one; what was added is removed again.
  func addPairs(_ pairCount: Int) throws -> Pairs { try store.changing { try addAndRemove(pairCount) } }

  private func addAndRemove(_ pairCount: Int) throws -> Pairs {
    let batchCount = 10
    var (next, nextPeer) = (store.count, store.count)
    var added: [[UInt8]] = []
    defer { peer.remove(from: store.count) }
    let pairs = try Pairs(
      pairCount, batchCount: batchCount,
      ours: {
        let items = try (next..<next + batchCount).map(Items.item)
        next += batchCount
        return try nanoseconds {
          for item in items { added.append(try backend.add(item, for: Items.caller).reference) }
        }
      },
      peer: {
        defer { nextPeer += batchCount }
        return peer.add(nextPeer, batchCount)
      })
    for reference in added {
      var query = ItemQuery(.genericPassword)
      query.reference = reference
      try backend.delete(query, for: Items.caller)
    }
    return pairs
  }

  /// Every item with its attributes, without secrets.
  func listPairs() throws -> Pairs {
    try Pairs(
      3, batchCount: 1,
      ours: { try nanoseconds { try list() } },
      peer: {
        let listed = peer.list()
        guard listed.count == store.count else { throw Failure("\(listed.count) rows were listed by the peer") }
        return listed.nanoseconds
      })
  }

  @discardableResult
  func list() throws -> [FoundItem] {
    let found = try backend.find(ItemQuery(.genericPassword, limit: .all), for: Items.caller)
    guard found.count == store.count else { throw Failure("\(found.count) items were listed") }
    return found
  }

  /// The same, and every attribute made a value.
  func listValuesPairs() throws -> Pairs {
    try Pairs(
      3, batchCount: 1,
      ours: {
        try nanoseconds {
          for item in try list() {
            for (attribute, value) in item.attributes where value == .text("") {
              throw Failure("\(attribute) is empty")
            }
          }
        }
      }, peer: { peer.list().nanoseconds })
  }

  /// Adds for a profiler: what was added stays.
  func add(_ count: Int) throws {
    for number in store.count..<store.count + count { _ = try backend.add(try Items.item(number), for: Items.caller) }
  }

  func addPeer(_ count: Int) { _ = peer.add(store.count, count) }

  /// From nothing open to the first secret, in a process that ran before; both databases are closed in between.
  static func openPairs(_ store: Store) throws -> Pairs {
    let number = store.count / 2
    return try Pairs(
      40, batchCount: 1,
      ours: {
        let backend = LocalBackend(location: store.location)
        defer { backend.close() }
        return try nanoseconds {
          _ = try backend.find(Items.query(Items.service(number), Items.account(number)), for: Items.caller)
        }
      },
      peer: { Peer.openAndRead(store.database, number) })
  }
}
