/// What a prompt says and asks for.
public struct Prompt: Hashable, Sendable {
  /// What it asks for.
  public enum Kind: Hashable, Sendable {
    /// A finger on the reader; the prompt only tells, and can be left.
    ///
    /// - fallbackTitle: The button for another way; nil shows none.
    case finger(fallbackTitle: String?)
    /// The passcode of the vault.
    case passcode
    /// A password that the program has for its item.
    case applicationPassword
  }

  /// The longest text of a program, in characters; what is longer is cut.
  public static let textCountMax = 500

  /// What it asks for.
  public var kind: Kind
  /// Who asks, as the kernel knows it: the program's file, never what it says of itself.
  public var program: String
  /// The number of the program's process.
  public var process: Int32
  /// What the program says it is for. Shown as the program's words.
  public var reason: String
  /// What was wrong with the last answer; nil at first.
  public var problem: String?
  /// The cancel button; nil is the default.
  public var cancelTitle: String?
  /// Whether the finger is a simulated one: the prompt says so.
  public var isSimulated = false

  /// Makes a prompt.
  public init(_ kind: Kind, program: String, process: Int32, reason: String) {
    self.kind = kind
    self.program = program
    self.process = process
    self.reason = reason
  }
}
