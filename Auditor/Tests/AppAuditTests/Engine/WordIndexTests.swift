import Testing

@testable import AppAudit

@Suite("Which rules want to see a file")
struct WordIndexTests {
  @Test(
    "one word of each of a rule's sets must be there",
    arguments: [
      ("print(accessToken)", true), ("printer.TOKEN", true), ("print(name)", false), ("token", false), ("", false),
    ])
  func sets(text: String, isWanted: Bool) {
    var index = WordIndex([.none, Words(parts: ["print"], also: [Words(exact: ["pin"], parts: ["token"])])])
    #expect(index.interested(in: Array(text.utf8)).rules == (isWanted ? [1] : []))
  }
}
