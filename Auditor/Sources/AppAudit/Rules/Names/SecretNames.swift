/// Which names stand for a secret. Names are cut into words, so that `tokenCount` and `didAskForPassword` are none.
struct SecretNames: Decodable, Sendable {
  enum Meaning: Sendable {
    /// Chosen by a person.
    case password
    /// Made by a program: a token or key.
    case key
  }

  struct Provider: Decodable, Sendable {
    enum After: String, Decodable { case upperDigit, word, alphanumeric, wordDot, hex }
    var name: String
    var starts: [String]
    var after: After
    var count: Int
    var exact: Bool
  }

  var passwords: Set<String>
  var secrets: Set<String>
  var keysBefore: Set<String>
  var codesBefore: Set<String>
  var phrasesBefore: Set<String>
  var harmlessBeforeToken: Set<String>
  /// Things that some services name by a token.
  var placesWithTokens: Set<String>
  var harmlessBeforeSecret: Set<String>
  var harmlessBeforePin: Set<String>
  var flagWords: Set<String>
  var readWords: Set<String>
  var carriers: Set<String>
  var lexing: Set<String>
  var placeholders: [String]
  /// Beginnings of keys that their providers mean to be in apps.
  var publishableStarts: [String]
  var knownTestValues: Set<String>
  var providers: [Provider]

  static let shared = Facts.load("secrets", as: SecretNames.self)

  /// Parts of identifiers without which a file names no secret.
  private static let parts = [
    "password", "passwd", "passphrase", "passcode", "pincode", "pwd", "secret", "token", "apikey", "api_key",
    "privatekey", "private_key", "credential", "cvv", "jwt", "mnemonic", "encryptionkey", "signingkey", "masterkey",
    "accesskey", "authkey", "recoverykey",
  ]

  /// Identifiers that are too short to be looked for as parts.
  private static let short: Set<String> = [
    "pin", "PIN", "Pin", "userPin", "userPIN", "_pin", "pinTextField", "pinField",
  ]

  /// The words of a file that names a secret.
  static let naming = Words(exact: short, parts: parts)

  /// `accessToken`, `ACCESS_TOKEN`, `access-token` and `com.app.accessToken` in small words; digits end a word.
  static func words(_ name: String) -> [String] {
    var words: [String] = []
    var word: [Character] = []
    let letters = Array(name)
    func close() {
      if !word.isEmpty { words.append(String(word).lowercased()) }
      word = []
    }
    for (index, letter) in letters.enumerated() {
      guard letter.isLetter else {
        close()
        continue
      }
      if letter.isUppercase, let last = word.last {
        let next = index + 1 < letters.count ? letters[index + 1] : " "
        if last.isLowercase || (next.isLowercase && last.isUppercase) { close() }
      }
      word.append(letter)
    }
    close()
    return words
  }

  /// What a variable, argument or key of that name holds; nil when that is no secret.
  func meaning(of name: String) -> Meaning? {
    var words = Self.words(name)
    while words.count > 1, let last = words.last, carriers.contains(last) { words.removeLast() }
    guard let last = words.last else { return nil }
    // A flag or a verb says something about a secret. A refresh token is one.
    if words.count > 1, let first = words.first, flagWords.contains(first), !(first == "refresh" && last == "token") {
      return nil
    }
    let before = words.count > 1 ? words[words.count - 2] : ""
    if words.contains(where: {
      ["encrypted", "hashed", "masked", "redacted", "hash", "placeholder", "error"].contains($0)
    }) {
      return nil
    }
    if last == "pin" { return harmlessBeforePin.contains(before) ? nil : .password }
    if passwords.contains(last) { return .password }
    if last == "token" { return harmlessBeforeToken.contains(before) ? nil : .key }
    if last == "secret" { return harmlessBeforeSecret.contains(before) ? nil : .key }
    if secrets.contains(last) { return .key }
    if last == "key", keysBefore.contains(before) { return .key }
    if last == "code", codesBefore.contains(before) { return .password }
    if last == "phrase", phrasesBefore.contains(before) { return .password }
    return nil
  }

  /// Whether the name is that of a token that opens nothing, such as `pushToken` or `nextPageToken`.
  func isHarmlessToken(_ name: String) -> Bool {
    let words = Self.words(name)
    return words.count > 1 && words.last == "token" && harmlessBeforeToken.contains(words[words.count - 2])
  }

  /// Whether code in those types speaks of tokens of a language, not of secrets.
  func isAboutLanguages(_ types: some Sequence<String>) -> Bool {
    types.contains { type in Self.words(type).contains { lexing.contains($0) && $0 != "token" } || type == "Token" }
  }
}
