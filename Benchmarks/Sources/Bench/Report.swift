internal import Foundation

/// The rows as they come, each with what is asked of it.
struct Report {
  private let thresholds: Thresholds
  private var seen: Set<String> = []
  private(set) var missed: [String] = []

  init(_ thresholds: Thresholds) {
    self.thresholds = thresholds
    Self.say("| row | ours | peer | ratio (lowest to highest of the runs) | asked | |")
    Self.say("|---|---|---|---|---|---|")
  }

  mutating func add(_ name: String, _ what: String, _ pairs: Pairs) {
    let limit = thresholds.limits[name]
    let (lowest, highest) = (pairs.ratios.first ?? 0, pairs.ratios.last ?? 0)
    let ratios = "\(ratioText(pairs.ratio)) (\(ratioText(lowest)) to \(ratioText(highest)))"
    let isMet = limit?.isMet(ours: pairs.ours, peer: pairs.peer, ratio: pairs.ratio)
    put(name, [what, timeText(pairs.ours), timeText(pairs.peer), ratios], limit, isMet)
  }

  /// A row without runs: counts and sizes. Nil for `peer` where there is none.
  mutating func add(_ name: String, _ what: String, ours: Double, peer: Double?, unit: String) {
    let limit = thresholds.limits[name]
    let ratio = peer.map { ours / $0 }
    let isMet = limit?.isMet(ours: ours, peer: peer ?? 0, ratio: ratio ?? 0)
    put(
      name, [what, plain(ours) + unit, peer.map { plain($0) + unit } ?? "", ratio.map(ratioText) ?? ""], limit, isMet)
  }

  private mutating func put(_ name: String, _ cells: [String], _ limit: Limit?, _ isMet: Bool?) {
    seen.insert(name)
    if isMet == false { missed.append(name) }
    let verdict = isMet.map { $0 ? "met" : "**missed**" } ?? ""
    Self.say("| \((cells + [limit?.text ?? "not asked", verdict]).joined(separator: " | ")) |")
  }

  /// What is asked and was not measured: a row that is left out must not look like one that is met.
  var unmeasured: [String] { thresholds.limits.keys.filter { !seen.contains($0) }.sorted() }

  static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

  private func ratioText(_ ratio: Double) -> String { String(format: "%.2f", ratio) }

  private func timeText(_ microseconds: Double) -> String {
    microseconds < 10_000 ? "\(plain(microseconds)) µs" : "\(plain(microseconds / 1_000)) ms"
  }
}
