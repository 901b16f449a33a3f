internal import ThumbturnCrypto

/// A line on the terminal that says how far a check is, or what else goes through all records, once it takes longer than a second.
final class CheckProgress {
  private static let firstNanoseconds: Int64 = 1_000_000_000
  private static let pauseNanoseconds: Int64 = 200_000_000
  private let descriptor: Int32
  private let done: String
  private let isTerminal: Bool
  private var next = system_bootNanoseconds() + firstNanoseconds
  private var isShown = false

  /// - Parameter done: What was done with a record.
  init(_ descriptor: Int32, _ done: String = "checked") {
    self.descriptor = descriptor
    self.done = done
    isTerminal = System.isTerminal(descriptor)
  }

  func show(_ count: Int, of total: Int) {
    let now = system_bootNanoseconds()
    guard isTerminal, now >= next else { return }
    next = now + Self.pauseNanoseconds
    isShown = true
    write("\r\u{1b}[K\(done) \(count) of \(max(count, total)) records")
  }

  /// Takes the line away.
  func end() { if isShown { write("\r\u{1b}[K") } }

  private func write(_ text: String) {
    // Nothing depends on it.
    _ = try? system_write(descriptor, Array(text.utf8).span)
  }
}
