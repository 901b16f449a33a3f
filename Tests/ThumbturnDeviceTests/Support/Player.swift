import Foundation

/// A connection to a bus that owns names and sends signals as a test says: Services/player.py.
final class Player: Sendable {
  let service: Service
  /// Its unique name.
  let name: String

  /// - Parameter userID: Whom it runs as; only root can choose.
  init(_ bus: PrivateBus, userID: UInt32? = nil) throws {
    let script = Bundle.module.bundleURL.appending(path: "Services/player.py").path
    // Through standard input, because another user may not be able to read the folder of the build.
    let text = try String(contentsOfFile: script, encoding: .utf8)
    service = try Service(
      // Debian's own, which has the modules.
      ["/usr/bin/python3", "-c", text, bus.address] + (userID.map { ["\($0)"] } ?? []), readsInput: true)
    guard let name = service.line(), name.hasPrefix(":") else {
      throw Service.Failure(description: "the player has no connection")
    }
    self.name = name
  }

  func run(_ words: String...) throws {
    try service.write(words.joined(separator: "\t"))
    guard service.line() == "ok" else { throw Service.Failure(description: "the player failed: \(words)") }
  }

  /// Sends a signal that only logind may send, straight to every connection.
  func forge(_ signal: Forged) throws { try run(["signal", "*"] + signal.words) }

  /// Sends it as its own, to everybody.
  func send(_ signal: Forged) throws { try run(["signal", "-"] + signal.words) }

  private func run(_ words: [String]) throws {
    try service.write(words.joined(separator: "\t"))
    guard service.line() == "ok" else { throw Service.Failure(description: "the player failed: \(words)") }
  }
}

/// A signal of logind.
enum Forged: String, CaseIterable, Sendable {
  case lock, unlock, goingToSleep

  var words: [String] {
    switch self {
    case .lock: ["/org/freedesktop/login1/session/c1", "org.freedesktop.login1.Session", "Lock"]
    case .unlock: ["/org/freedesktop/login1/session/c1", "org.freedesktop.login1.Session", "Unlock"]
    case .goingToSleep: ["/org/freedesktop/login1", "org.freedesktop.login1.Manager", "PrepareForSleep", "true"]
    }
  }
}
