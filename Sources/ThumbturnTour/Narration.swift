import Foundation
import Security
import Synchronization

/// What did not hold.
struct TourFailure: Error {
  let message: String
  var hint: String?
}

/// Prints the tour: numbered steps, and beneath each the calls with their statuses.
enum Narration {
  static func step(_ number: Int, _ title: String) { line("\n\(number). \(title)") }

  static func call(_ name: String, _ status: OSStatus) {
    let text = SecCopyErrorMessageString(status, nil).map(String.init) ?? ""
    line("   \(name.padding(toLength: 20, withPad: " ", startingAt: 0)) \(status)  \(text)")
  }

  static func say(_ text: String) { line("   \(text)") }

  /// Prints a line at once, not through the buffer of `print`: another process counts the lines as they come.
  ///
  /// - Returns: False when it cannot be written; ``isWhole`` then stays false.
  @discardableResult
  static func line(_ text: String) -> Bool {
    let isWritten = (try? FileHandle.standardOutput.write(contentsOf: Data("\(text)\n".utf8))) != nil
    if !isWritten { lost.withLock { $0 = true } }
    return isWritten
  }

  private static let lost = Mutex(false)
  /// Whether every line was written.
  static var isWhole: Bool { !lost.withLock { $0 } }

  /// Ends the tour unless `condition` holds.
  static func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws(TourFailure) {
    guard condition else { throw TourFailure(message: message()) }
  }
}
