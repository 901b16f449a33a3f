/// A benchmark that cannot say "missed" measures nothing: plants what must be refused, before anything is measured.
enum SelfTest {
  static func run() throws {
    try require(Limit.ratio(3).isMet(ours: 30, peer: 10, ratio: 3), "a ratio at its limit")
    try require(!Limit.ratio(3).isMet(ours: 31, peer: 10, ratio: 3.1), "a ratio above its limit")
    try require(Limit.plus(60).isMet(ours: 70, peer: 10, ratio: 7), "a difference at its limit")
    try require(!Limit.plus(60).isMet(ours: 71, peer: 10, ratio: 7.1), "a difference above its limit")
    let durable = Limit.ratioFrom(1.5, from: 200, plus: 100)
    try require(durable.isMet(ours: 300, peer: 200, ratio: 1.5), "a slow add at its limit")
    try require(!durable.isMet(ours: 302, peer: 200, ratio: 1.51), "a slow add above its limit")
    try require(durable.isMet(ours: 299, peer: 199, ratio: 1.503), "a quick add at its limit")
    try require(!durable.isMet(ours: 300, peer: 199, ratio: 1.507), "a quick add above its limit")
    try require(!Limit.atMost(30).isMet(ours: 30.1, peer: 0, ratio: 0), "a size above its limit")
    let read = try Thresholds.parse("# none\na ratio 3 # of the peer\nb ratio 1.5 from 200 plus 100\n")
    try require(read == ["a": .ratio(3), "b": durable], "a file of thresholds")
    for wrong in ["a ratio", "a rate 3", "a ratio 3\na plus 3", "a ratio 3 from 200"] {
      try require((try? Thresholds.parse(wrong)) == nil, "a line that means nothing: \(wrong)")
    }
    // By turns, and each side half of the time first.
    var order = ""
    let pairs = Pairs(
      2, batchCount: 1,
      ours: {
        order += "o"
        return 4_000
      },
      peer: {
        order += "p"
        return 1_000
      })
    try require(order == "opop" + "oppo" + "oppo" + "oppo", "the order of pairs: \(order)")
    try require(pairs.ours == 4 && pairs.peer == 1 && pairs.ratio == 4, "microseconds and ratio")
  }

  private static func require(_ isTrue: Bool, _ what: String) throws {
    guard isTrue else { throw Failure("self-test: \(what)") }
  }
}
