/// Where a client can be shown a prompt, as it says itself. Whoever shows one checks it.
public struct PromptPlace: Hashable, Sendable {
  /// The longest value, in bytes.
  public static let countMax = 256

  /// An X display, such as `:0`.
  public var display: String?
  /// The file that opens the X display.
  public var authority: String?
  /// A Wayland display, such as `wayland-0`.
  public var waylandDisplay: String?
  /// The path of a terminal, such as `/dev/pts/3`.
  public var terminal: String?
  /// The kind of terminal (`TERM`).
  public var terminalType: String?
  /// The language of messages (`LC_MESSAGES`).
  public var messagesLocale: String?
  /// The characters that the terminal shows (`LC_CTYPE`).
  public var charactersLocale: String?

  /// No place.
  public init() {}

  /// Whether there is neither a display nor a terminal.
  public var isNowhere: Bool { display == nil && waylandDisplay == nil && terminal == nil }

  /// Whether a value can be one: some printable ASCII without space, not longer than ``countMax``.
  public static func isValid(_ value: String) -> Bool {
    !value.isEmpty && value.utf8.count <= countMax && value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }
}
