/// What a program wants a prompt to say.
public struct AuthenticationTexts: Hashable, Sendable {
  /// What the finger or passcode is for, in the program's words.
  public var reason: String
  /// The button for another way; nil is the default one, an empty text hides it.
  public var fallbackTitle: String?
  /// The cancel button; nil or an empty text is the default one.
  public var cancelTitle: String?

  /// Makes texts.
  public init(reason: String = "", fallbackTitle: String? = nil, cancelTitle: String? = nil) {
    self.reason = reason
    self.fallbackTitle = fallbackTitle
    self.cancelTitle = cancelTitle
  }
}
