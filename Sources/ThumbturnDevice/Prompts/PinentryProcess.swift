internal import Glibc

/// A running pinentry. However this value ends, the program and its children have ended then.
struct PinentryProcess: ~Copyable {
  /// How long it may take to end by itself, and then after SIGTERM; SIGKILL comes next.
  private static let endLimit = Duration.milliseconds(200)
  /// How long this waits for a killed program, which ends at once unless the kernel itself is stuck.
  private static let killLimit = Duration.milliseconds(500)

  private let program: StartedProgram
  /// Set when it was told to end by itself.
  private var wasDismissed = false

  /// - Parameter variables: `NAME=value` each; it gets no others.
  init?(_ path: String, variables: [String]) {
    guard let program = system_start(path, variables: variables) else { return nil }
    self.program = program
  }

  /// Where its lines come from.
  var output: Int32 { program.output.number }

  func send(_ line: [UInt8]) -> Bool { system_send(program.input.number, line) }

  /// Lets it end by itself, for a moment.
  mutating func dismiss() {
    _ = send(Array("BYE\n".utf8))
    system_endSending(program.input.number)
    wasDismissed = true
  }

  deinit {
    let number = program.number
    if !wasDismissed || !Self.waitForEnd(of: number, Self.endLimit) {
      system_signal(number, SIGTERM)
      _ = Self.waitForEnd(of: number, Self.endLimit)
    }
    // Its children too, which may have outlived it. It has not been waited for, so the number is still its own.
    system_signal(number, SIGKILL)
    if Self.waitForEnd(of: number, Self.killLimit) || !system_startThread({ system_reap(number) }) {
      system_reap(number)
    }
  }

  /// Whether it has ended within the limit.
  private static func waitForEnd(of number: Int32, _ limit: Duration) -> Bool {
    let deadline = BusDeadline(after: limit)
    while !system_hasEnded(number) {
      if deadline.hasPassed { return false }
      system_sleep(milliseconds: 2)
    }
    return true
  }
}
