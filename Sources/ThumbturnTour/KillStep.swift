import Foundation
import Security

/// Step 8: a process that writes is ended in the middle.
///
/// Whatever it was told is stored must be there, whole.
enum KillStep {
  static let writeArgument = "--write"
  private static let service = "org.example.tour.writer"
  private static let acknowledgedMin = 100
  /// Where the writer stops by itself, so that it cannot run for ever should nobody end it.
  private static let itemCountMax = 100_000
  private static let waitSeconds = 60

  static func run() throws(TourFailure) {
    Narration.step(8, "A writer that is killed in the middle")
    let child = try Child([writeArgument])
    let isBusy = child.wait(seconds: waitSeconds) { child.lines.count >= acknowledgedMin }
    // Not always at the same moment of a write.
    Thread.sleep(forTimeInterval: .random(in: 0...0.005))
    child.end()
    let isOver = child.waitForEnd(seconds: waitSeconds)
    let acknowledged = child.lines
    try Narration.expect(
      isBusy && isOver, "the writer stored only \(acknowledged.count) items in \(waitSeconds) s")

    try Narration.expect(acknowledged.count < itemCountMax, "the writer was done before it could be killed")

    let found = KeychainManager.shared.loadAll(service: service)
    Narration.call("SecItemCopyMatching", found.status)
    let missing = acknowledged.filter { found.secrets[$0] == nil }
    let broken = found.secrets.filter { $0.value != secret(of: $0.key) }
    let more = found.secrets.count - (acknowledged.count - missing.count)
    Narration.say(
      "acknowledged \(acknowledged.count), found \(acknowledged.count - missing.count), half-written \(broken.count)")
    if more == 1 { Narration.say("and one that was stored, but killed before it could be acknowledged") }
    try Narration.expect(missing.isEmpty, "\(missing.count) acknowledged items are gone")
    try Narration.expect(broken.isEmpty, "\(broken.count) items do not hold their secret")
    try Narration.expect(more <= 1, "\(more) items are there that nobody acknowledged")
  }

  /// What the writer does: it adds one item after the other and prints each one's account once it is stored.
  static func writeAsChild() {
    for number in 0..<itemCountMax {
      let account = "item-\(number)"
      let saved = KeychainManager.shared.save(secret(of: account), service: service, account: account, label: account)
      guard saved.add == errSecSuccess, Narration.line(account) else { return }
    }
  }

  /// Two kilobytes that follow from the account, so that a torn secret cannot look right.
  private static func secret(of account: String) -> Data {
    Data(String(repeating: "\(account)/", count: 2_048 / (account.utf8.count + 1)).utf8)
  }
}
