package import ThumbturnAgentClient

/// Mutated messages against the decoders, in process.
package enum DecoderFuzz {
  /// What came of them.
  package struct Totals: Sendable {
    /// Messages that were taken as they are.
    package var accepted = 0
    /// Messages that were refused, by the reason.
    package var refused: [FrameError: Int] = [:]
    /// Messages that were taken, and are others when they are written again: there must be none.
    package var different: [[UInt8]] = []
    /// All of them.
    package var count: Int { accepted + refused.values.reduce(0, +) }
  }

  /// Reads `count` mutated messages as requests, hellos and answers.
  package static func run(count: Int, seed: UInt64) throws -> Totals {
    let requests =
      try Samples.requests().map { try Encoding.packet($0).bytes } + [
        try Encoding.packet(Hello(vaultID: Samples.vaultID))
      ]
    let replies = try Samples.replies().map { try Encoding.packet($0.reply).bytes }
    var (asked, answered) = (Mutator(seed: seed, others: requests), Mutator(seed: ~seed, others: replies))
    var totals = Totals()
    for index in 0..<count {
      if index % 2 == 0 {
        take(asked.next(), &totals) { (bytes) throws(FrameError) in
          if bytes.count > 6, bytes[6] == 1 { return try again(try Encoding.hello(bytes), bytes) }
          return try again(try Encoding.request(bytes), bytes)
        }
      } else {
        let operations = ThumbturnAgentClient.Operation.allCases
        let operation = operations[answered.dice.below(operations.count)]
        take(answered.next(), &totals) { (bytes) throws(FrameError) in
          try again(try Encoding.reply(bytes, to: operation), bytes)
        }
      }
    }
    return totals
  }

  private static func take(
    _ bytes: [UInt8], _ totals: inout Totals, _ body: ([UInt8]) throws(FrameError) -> [UInt8]
  ) {
    do throws(FrameError) {
      let again = try body(bytes)
      totals.accepted += 1
      if again != bytes { totals.different.append(bytes) }
    } catch { totals.refused[error, default: 0] += 1 }
  }

  private static func serial(_ bytes: [UInt8]) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[2 + $1]) << UInt32(8 * $1) }
  }

  private static func again(_ request: AgentRequest, _ bytes: [UInt8]) throws(FrameError) -> [UInt8] {
    (try? Encoding.packet(request, serial: serial(bytes)).bytes) ?? []
  }

  private static func again(_ hello: Hello, _ bytes: [UInt8]) throws(FrameError) -> [UInt8] {
    (try? Encoding.packet(hello, serial: serial(bytes))) ?? []
  }

  private static func again(_ reply: ReplyMessage, _ bytes: [UInt8]) throws(FrameError) -> [UInt8] {
    (try? Encoding.packet(reply, serial: serial(bytes)).bytes) ?? []
  }
}
