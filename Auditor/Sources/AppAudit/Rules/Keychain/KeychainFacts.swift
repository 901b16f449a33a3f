/// What Apple's documentation and open source say of keychain queries.
struct KeychainFacts: Decodable, Sendable {
  var alwaysAccessible: Set<String>
  var deviceOnlySuffix: String
  var matchKeys: Set<String>
  /// Keys that leave a query as wide as its class.
  var keysThatNarrowNothing: Set<String>
  /// Words of function names that say that all is to go.
  var wipingWords: Set<String>
  /// Words of types and variables that wrap the keychain.
  var wrapperWords: Set<String>

  static let shared = Facts.load("keychain", as: KeychainFacts.self)

  /// Whether a function of that name is there to delete everything.
  func isWiping(_ function: String?) -> Bool {
    guard let function else { return false }
    let words = SecretNames.words(function)
    let pairs = zip(words, words.dropFirst()).map { $0 + $1 }
    return (words + pairs).contains(where: wipingWords.contains)
  }
}
