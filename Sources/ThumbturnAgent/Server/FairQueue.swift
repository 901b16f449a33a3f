/// Jobs of many clients, in turns: each client's oldest job comes before any other client's second one.
struct FairQueue<Job> {
  private var jobs: [UInt64: [Job]] = [:]
  /// Clients with jobs, whose turn it is first.
  private var turns: [UInt64] = []
  private(set) var count = 0

  mutating func put(_ job: Job, of client: UInt64) {
    count += 1
    if jobs[client] == nil { turns.append(client) }
    jobs[client, default: []].append(job)
  }

  mutating func take() -> Job? {
    guard let client = turns.first else { return nil }
    turns.removeFirst()
    guard var rest = jobs.removeValue(forKey: client) else { return nil }
    let job = rest.removeFirst()
    if !rest.isEmpty {
      jobs[client] = rest
      turns.append(client)
    }
    count -= 1
    return job
  }

  /// Takes a client that is gone out.
  mutating func remove(_ client: UInt64) -> [Job] {
    guard let gone = jobs.removeValue(forKey: client) else { return [] }
    turns.removeAll { $0 == client }
    count -= gone.count
    return gone
  }

}
