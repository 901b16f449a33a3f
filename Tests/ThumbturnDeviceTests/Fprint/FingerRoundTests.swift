import Testing
import ThumbturnAuthentication

@testable import ThumbturnDevice

@Suite("Several fingers on a reader")
struct FingerRoundTests {
  @Test("that compares with one at a time get their turns, and a round is one failure, told at its beginning")
  func turns() {
    var round = FingerRound(enrolled: [.leftThumb, .rightThumb, .rightIndex])
    var events: [FingerEvent] = []
    var requests: [String] = []
    for _ in 0..<2 {
      for name in ["right-thumb", "left-thumb", "right-index-finger"] {
        requests.append(round.request)
        round.selected(name)
        events.append(round.notMatched())
      }
    }
    #expect(requests == ["any", "left-thumb", "right-index-finger", "any", "left-thumb", "right-index-finger"])
    let one: [FingerEvent] = [.notMatched, .retry(.again), .retry(.again)]
    #expect(events == one + one)
  }

  @Test("that identifies are each time a failure", arguments: ["any", "toe", ""])
  func identifying(name: String) {
    var round = FingerRound(enrolled: [.leftThumb, .rightThumb])
    for _ in 0..<3 {
      #expect(round.request == "any")
      round.selected(name)
      #expect(round.notMatched() == .notMatched)
    }
  }

  @Test("or one alone, which is each time a failure")
  func single() {
    var round = FingerRound(enrolled: [.leftThumb])
    for _ in 0..<3 {
      #expect(round.request == "any")
      round.selected("left-thumb")
      #expect(round.notMatched() == .notMatched)
    }
  }

  @Test("are recognised within one round, though fprintd looks for one at a time", arguments: ["T", "R"])
  func real(print: String) throws {
    let bench = try FprintBench()
    try bench.enrol(.leftThumb, as: "T")
    try bench.enrol(.rightIndex, as: "R")
    let verification = try Verification(bench.sensor())
    let first = try bench.waitForVerification()
    try bench.socket(.simple).send("SCAN \(print)")
    let isFirst = first == (print == "T" ? "left-thumb" : "right-index-finger")
    if !isFirst {
      #expect(try bench.waitForVerification() != first)
      try bench.socket(.simple).send("SCAN \(print)")
    }
    #expect(verification.end() == .enough)
    #expect(verification.events == (isFirst ? [.matched] : [.notMatched, .matched]))
  }

  @Test("are one failure for each time all were looked for, by the real fprintd", arguments: VirtualReader.allCases)
  func foreign(reader: VirtualReader) throws {
    let bench = try FprintBench([reader])
    try bench.enrol(.leftThumb, as: "T", on: reader)
    try bench.enrol(.rightIndex, as: "R", on: reader)
    let verification = try Verification(bench.sensor())
    for count in 1...4 {
      _ = try bench.waitForVerification()
      try bench.socket(reader).send("SCAN X")
      _ = verification.wait(for: count)
    }
    let events: [FingerEvent] =
      reader == .simple
      ? [.notMatched, .retry(.again), .notMatched, .retry(.again)]
      : [.notMatched, .notMatched, .notMatched, .notMatched]
    #expect(verification.events == events)
    verification.stop.set()
    #expect(verification.end() == .stopped)
  }
}
