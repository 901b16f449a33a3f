import Foundation

/// Judges the text of a literal: whether it looks like a secret that was issued or made.
struct SecretText {
  private let names = SecretNames.shared

  /// What provider's format the text has.
  func provider(of text: String) -> String? {
    guard text.utf8.count >= 16, text.utf8.count <= 4_096, !isKnownTest(text) else { return nil }
    if text.hasPrefix("Bearer ") { return provider(of: String(text.dropFirst(7))) }
    for provider in names.providers {
      for start in provider.starts where text.hasPrefix(start) {
        let rest = text.dropFirst(start.count)
        let run = rest.prefix { Self.fits($0, provider.after) }
        guard run.count == rest.count, provider.exact ? run.count == provider.count : run.count >= provider.count,
          Self.entropy(String(run)) >= 2.5
        else { continue }
        return provider.name
      }
    }
    return nil
  }

  private static func fits(_ letter: Character, _ after: SecretNames.Provider.After) -> Bool {
    guard letter.isASCII else { return false }
    return switch after {
    case .upperDigit: letter.isUppercase || letter.isNumber
    case .alphanumeric: letter.isLetter || letter.isNumber
    case .word: letter.isLetter || letter.isNumber || letter == "_" || letter == "-"
    case .wordDot: letter.isLetter || letter.isNumber || letter == "_" || letter == "-" || letter == "."
    case .hex: letter.isHexDigit
    }
  }

  /// A private key in PEM, with something of its body.
  static func isPrivateKey(_ text: String) -> Bool {
    guard let begin = text.range(of: "-----BEGIN "), let end = text[begin.upperBound...].range(of: "PRIVATE KEY-----")
    else {
      return false
    }
    let body = text[end.upperBound...].prefix { $0 != "-" }.filter { $0.isLetter || $0.isNumber }
    return body.count >= 32 && !body.lowercased().contains("yourprivatekey")
  }

  func isKnownTest(_ text: String) -> Bool { names.knownTestValues.contains(where: text.contains) }

  /// Whether a text that is given to a name of a secret is a secret itself: long and irregular enough, and no address,
  /// identifier, sentence, path, format or placeholder.
  func isSecret(_ text: String) -> Bool {
    let count = text.utf8.count
    guard count >= 12, count <= 2_048, !isKnownTest(text), text.allSatisfy({ $0.isASCII && !$0.isWhitespace }) else {
      return false
    }
    if names.publishableStarts.contains(where: text.hasPrefix) || text.hasPrefix("$(") || text.contains("\\(") {
      return false
    }
    let small = text.lowercased()
    if text.contains("://") || text.hasPrefix("/") || text.contains("%@") || text.contains("<") || text.contains("{") {
      return false
    }
    if names.placeholders.contains(where: small.contains) { return false }
    if UUID(uuidString: text) != nil || isName(text) { return false }
    let isHex = text.allSatisfy(\.isHexDigit)
    return Self.entropy(text) >= (isHex ? 2.8 : 3.2)
  }

  /// Words with dots, hyphens or underscores between them, or one word in camel case: a name of something.
  private func isName(_ text: String) -> Bool {
    let digits = text.count { $0.isNumber }
    if digits == 0 {
      let parts = text.split { ".-_:/".contains($0) }
      if parts.count > 1, parts.allSatisfy({ Self.isWordLike(String($0)) }) { return true }
      if parts.count == 1, Self.isWordLike(text) { return true }
    }
    // `pl.example.app.key2`: labels that are words or short, but for a number at their end.
    let labels = text.split(separator: ".")
    return labels.count > 2
      && labels.allSatisfy { label in
        let word = String(label.reversed().drop { $0.isNumber }.reversed())
        return Self.isWordLike(word) || (1...3).contains(word.count) && word.allSatisfy(\.isLowercase)
      }
  }

  /// Letters whose capitals stand where words begin, of a length that words have.
  private static func isWordLike(_ text: String) -> Bool {
    guard text.allSatisfy({ $0.isLetter }) else { return false }
    if text == text.lowercased() || text == text.uppercased() { return text.count <= 30 && hasVowels(text) }
    let words = SecretNames.words(text)
    return words.allSatisfy { $0.count >= 2 && $0.count <= 20 || $0 == "a" || $0 == "i" }
      && Double(text.count) / Double(max(1, words.count)) >= 3.5 && hasVowels(text)
  }

  private static func hasVowels(_ text: String) -> Bool {
    let count = text.lowercased().count { "aeiouy".contains($0) }
    // A short word may have one of five, such as "blank".
    return Double(count) / Double(max(1, text.count)) >= (text.count <= 6 ? 0.16 : 0.22)
  }

  /// Bits for each character, by how often each occurs.
  static func entropy(_ text: String) -> Double {
    var counts: [Character: Int] = [:]
    for letter in text { counts[letter, default: 0] += 1 }
    let all = Double(text.count)
    return counts.values.reduce(0) { sum, count in
      let share = Double(count) / all
      return sum - share * log2(share)
    }
  }
}
