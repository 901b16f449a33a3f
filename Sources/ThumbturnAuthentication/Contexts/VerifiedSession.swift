/// What an agent remembers of one verification, as its client holds it: a random name, worth nothing to other processes.
///
/// When the last holder lets go, the agent is told to forget it.
public final class VerifiedSession: Sendable {
  /// The size of a name, in bytes.
  public static let idCount = 16

  /// The agent's name for it.
  public let id: [UInt8]
  /// What was shown, as the agent said. Nothing here opens anything: the agent looks at what it knows itself.
  public let shown: Set<Factor>
  private let onEnd: @Sendable ([UInt8]) -> Void

  /// - Parameter onEnd: Called with the name when the last holder lets go, on whatever thread that is; must not wait.
  package init(id: [UInt8], shown: Set<Factor>, onEnd: @escaping @Sendable ([UInt8]) -> Void) {
    self.id = id
    self.shown = shown
    self.onEnd = onEnd
  }

  deinit { onEnd(id) }
}
