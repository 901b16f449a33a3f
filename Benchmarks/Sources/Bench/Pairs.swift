/// Two programs timed by turns: a batch of ours, a batch of the peer, so that whatever else the machine does meets both.
struct Pairs {
  static let runCount = 3

  /// Microseconds for one operation: medians of a run, of which the median over the runs.
  let ours: Double
  let peer: Double
  /// Ours by the peer's, run by run; sorted.
  let ratios: [Double]

  var ratio: Double { ratios[ratios.count / 2] }
  var difference: Double { ours - peer }

  /// - Parameters:
  ///   - count: Pairs in a run.
  ///   - batchCount: Operations in a batch.
  ///   - ours: Runs a batch; nanoseconds for the whole of it.
  ///   - peer: The same.
  init(
    _ count: Int, batchCount: Int, ours: () throws -> Double, peer: () throws -> Double
  ) rethrows {
    var runs: [(ours: Double, peer: Double)] = []
    // What is cold at first is warm for both afterwards.
    for _ in 0..<2 { _ = (try ours(), try peer()) }
    for _ in 0..<Self.runCount {
      var times: (ours: [Double], peer: [Double]) = ([], [])
      for pair in 0..<count {
        if pair.isMultiple(of: 2) {
          times.ours.append(try ours())
          times.peer.append(try peer())
        } else {
          times.peer.append(try peer())
          times.ours.append(try ours())
        }
      }
      let scale = 1_000 * Double(batchCount)
      runs.append((median(times.ours) / scale, median(times.peer) / scale))
    }
    self.ours = median(runs.map { $0.ours })
    self.peer = median(runs.map { $0.peer })
    ratios = runs.map { $0.ours / $0.peer }.sorted()
  }
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

/// Nanoseconds that `body` takes.
func nanoseconds(_ body: () throws -> Void) rethrows -> Double {
  let spent = try ContinuousClock().measure { try body() }
  return Double(spent.components.seconds) * 1e9 + Double(spent.components.attoseconds) / 1e9
}
