import Foundation
import Glibc
import TestFixtures

/// A terminal of a test's own, with the test as the person before it.
final class Pty: @unchecked Sendable {  // One test's thread uses it.
  private var master: Int32
  /// The terminal's path.
  let path: String
  private(set) var shown = ""

  init(rows: UInt16 = 24, columns: UInt16 = 80) throws {
    var name = [CChar](repeating: 0, count: 64)
    master = unsafe tt_open_terminal(&name, rows, columns)
    guard master >= 0 else { throw Service.Failure(description: "no terminal") }
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { hangUp() }

  /// The person closes the window.
  func hangUp() {
    if master >= 0 { close(master) }
    master = -1
  }

  func type(_ text: String) { type(Array(text.utf8).span) }

  func type(_ bytes: Span<UInt8>) {
    _ = unsafe bytes.withUnsafeBytes { unsafe write(master, $0.baseAddress, $0.count) }
  }

  /// Whether a text is shown within 10 seconds.
  func shows(_ text: String, within milliseconds: Int32 = 10_000) -> Bool {
    for _ in 0..<(milliseconds / 5) {
      read()
      if shown.contains(text) { return true }
      usleep(5_000)
    }
    return false
  }

  private func read() {
    var some = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = unsafe Glibc.read(master, &some, some.count)
      guard count > 0 else { return }
      // The terminal itself adds a return to each new line.
      shown += String(decoding: some[..<count], as: UTF8.self)
      shown = shown.replacingOccurrences(of: "\r\r\n", with: "\r\n")
    }
  }

  /// Whether what is typed is shown, and Ctrl-C means something.
  var isAsBefore: Bool {
    var flags = termios()
    guard unsafe tcgetattr(master, &flags) == 0 else { return false }
    let all = tcflag_t(ECHO | ICANON | ISIG)
    return flags.c_lflag & all == all
  }

  /// Whether a program takes every byte for itself.
  var isRaw: Bool {
    var flags = termios()
    return unsafe tcgetattr(master, &flags) == 0 && flags.c_lflag & tcflag_t(ECHO | ICANON) == 0
  }

  /// Whether that becomes so within 10 seconds.
  func becomesRaw() -> Bool {
    for _ in 0..<2_000 {
      read()
      if isRaw { return true }
      usleep(5_000)
    }
    return false
  }
}
