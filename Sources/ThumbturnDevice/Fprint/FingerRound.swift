internal import ThumbturnAuthentication

/// Which finger is looked for: a state machine without a bus.
///
/// A reader that identifies compares what it sees with all enrolled fingers. Another one compares with one of them, which
/// fprintd names; nothing tells beforehand which kind it is. With several fingers enrolled that one would refuse a finger
/// which is enrolled, so the next time another one is looked for, until all have had their turn: a round.
///
/// A round is one failure, and it is told at its beginning. At its end would be too late: who ends each verification before
/// that would try fingers without being counted. So nobody has more tries than at a reader that identifies, and who shows
/// an enrolled finger again and again is recognised within one round.
struct FingerRound: Equatable {
  private let enrolled: [Finger]
  private var tried: Set<Finger> = []
  /// The finger that is compared with now; nil for all.
  private var current: Finger?

  init(enrolled: [Finger]) { self.enrolled = enrolled }

  /// What fprintd is to look for.
  var request: String {
    guard !tried.isEmpty, let next = enrolled.first(where: { !tried.contains($0) }) else { return "any" }
    return next.rawValue
  }

  /// fprintd said what it compares with: a finger, or all by a name that is none.
  mutating func selected(_ name: String) { current = Finger(rawValue: name) }

  /// What was shown is not what was looked for.
  mutating func notMatched() -> FingerEvent {
    guard let current else { return .notMatched }
    let isFirst = tried.isEmpty
    tried.insert(current)
    if enrolled.allSatisfy(tried.contains) { tried = [] }
    self.current = nil
    return isFirst ? .notMatched : .retry(.again)
  }
}
