import Foundation
import Glibc
import Synchronization
import Testing

@testable import ThumbturnDevice

/// What a watch told.
final class Heard: Sendable {
  private let events = Mutex<[LogindEvent]>([])

  func add(_ event: LogindEvent) { events.withLock { $0.append(event) } }

  var all: [LogindEvent] { events.withLock { $0 } }

  /// What was told, after `count` events or 10 seconds.
  func wait(for count: Int) -> [LogindEvent] {
    _ = eventually { all.count >= count }
    return all
  }
}

/// Whether `condition` comes true within 10 seconds.
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = BusDeadline(after: .seconds(10))
  while !deadline.hasPassed {
    if try condition() { return true }
    usleep(5_000)
  }
  return try condition()
}

/// How long `body` took, in seconds.
func seconds(_ body: () throws -> Void) rethrows -> Double {
  let start = system_monotonicMicroseconds()
  try body()
  return Double(system_monotonicMicroseconds() - start) / 1_000_000
}

/// A watch over a private bus, and what it told.
func startWatch(
  _ bus: PrivateBus, sessionID: String? = nil, checksSenders: Bool = true, logindUserID: UInt32 = geteuid()
) -> (watch: LogindWatch, heard: Heard) {
  let heard = Heard()
  var surroundings = LogindWatch.Surroundings()
  surroundings.place = .address(bus.address)
  surroundings.logindUserID = logindUserID
  surroundings.userID = 1_000
  surroundings.sessionID = sessionID
  surroundings.checksSenders = checksSenders
  return (LogindWatch(surroundings) { heard.add($0) }, heard)
}

/// Leaves the test out when it needs root and there is none; with THUMBTURN_REQUIRE_ALL it fails.
func requireRoot(_ what: String) throws {
  if geteuid() != 0 { try leaveOut("\(what) was left out: only root can start a program as another user") }
}

/// Leaves the test out, and says why; with THUMBTURN_REQUIRE_ALL it fails.
func leaveOut(_ why: String) throws {
  let comment = Comment(rawValue: why)
  guard ProcessInfo.processInfo.environment["THUMBTURN_REQUIRE_ALL"] == nil else {
    Issue.record(comment)
    throw Service.Failure(description: why)
  }
  print("skipped: \(why)")
  try Test.cancel(comment)
}
