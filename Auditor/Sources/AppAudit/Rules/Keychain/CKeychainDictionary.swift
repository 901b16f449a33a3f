/// A dictionary of keychain keys in Objective-C: a literal and what is set in the variable that holds it, or a variable
/// that is filled step by step.
struct CKeychainDictionary {
  struct Entry {
    var key: String
    var value: [String]
    var line: Int
    /// How deep in braces it stands, and in which: entries in branches beside each other are not there together.
    var block: Int
  }

  var entries: [Entry] = []

  subscript(key: String) -> Entry? { entries.last { $0.key == key } }

  /// All of a file, by body and variable.
  static func all(in source: CSource) -> [CKeychainDictionary] {
    source.bodies.flatMap { all(in: $0.tokens) }
  }

  private static func all(in tokens: ArraySlice<CToken>) -> [CKeychainDictionary] {
    var named: [String: CKeychainDictionary] = [:]
    var unnamed: [CKeychainDictionary] = []
    var blocks: [Int] = []
    var index = tokens.startIndex
    while index < tokens.endIndex {
      let token = tokens[index]
      if token.isPunctuation("@"), index + 1 < tokens.endIndex, tokens[index + 1].isPunctuation("{") {
        let end = CBraces.close(tokens, index + 1)
        let made = CKeychainDictionary(entries: literal(tokens[index + 1..<end], blocks.last ?? 0))
        if !made.entries.isEmpty {
          if let name = assigned(tokens, index) { named[name] = made } else { unnamed.append(made) }
        }
        index = end
      } else if token.isPunctuation("{") {
        blocks.append(index)
      } else if token.isPunctuation("}") {
        _ = blocks.popLast()
      } else if token.kind == .identifier, let (entry, end) = set(tokens, index, blocks.last ?? 0) {
        named[token.text, default: CKeychainDictionary()].entries.append(entry)
        index = end
      }
      index += 1
    }
    return unnamed + named.keys.sorted().compactMap { named[$0] }
  }

  /// `name` of `name = [@{ … } mutableCopy]`.
  private static func assigned(_ tokens: ArraySlice<CToken>, _ index: Int) -> String? {
    var place = index - 1
    while place > tokens.startIndex, tokens[place].isPunctuation("[") || tokens[place].isPunctuation("(") { place -= 1 }
    guard place > tokens.startIndex, tokens[place].isPunctuation("="), tokens[place - 1].kind == .identifier else {
      return nil
    }
    return tokens[place - 1].text
  }

  private static func literal(_ tokens: ArraySlice<CToken>, _ block: Int) -> [Entry] {
    var entries: [Entry] = []
    var depth = 0
    var key: (text: String, line: Int)?
    var value: [String] = []
    var isKey = true
    func finished() -> Entry? { key.map { Entry(key: $0.text, value: value, line: $0.line, block: block) } }
    for token in tokens {
      if token.kind == .punctuation, ["{", "(", "["].contains(token.text) { depth += 1 }
      if token.kind == .punctuation, ["}", ")", "]"].contains(token.text) { depth -= 1 }
      if depth == 1, token.isPunctuation(":") {
        isKey = false
      } else if depth == 1, token.isPunctuation(",") {
        if let entry = finished() { entries.append(entry) }
        (key, value, isKey) = (nil, [], true)
      } else if isKey, token.text.hasPrefix("kSec"), token.kind == .identifier {
        key = (token.text, token.line)
      } else if !isKey {
        value.append(token.text)
      }
    }
    if let entry = finished() { entries.append(entry) }
    return entries
  }

  /// `name[(__bridge id)kSecX] = value;` and `[name setObject:value forKey:(__bridge id)kSecX];`, with their end.
  private static func set(_ tokens: ArraySlice<CToken>, _ index: Int, _ block: Int) -> (Entry, Int)? {
    let next = index + 1
    guard next < tokens.endIndex, let end = tokens[next...].firstIndex(where: { $0.isPunctuation(";") }) else {
      return nil
    }
    if tokens[next].isPunctuation("["), let close = tokens[next..<end].firstIndex(where: { $0.isPunctuation("]") }),
      close + 1 < end, tokens[close + 1].isPunctuation("="),
      let key = tokens[next..<close].first(where: { $0.text.hasPrefix("kSec") })
    {
      let value = tokens[close + 2..<max(end, close + 2)].map(\.text)
      return (Entry(key: key.text, value: value, line: key.line, block: block), end)
    }
    if ["setObject", "setValue"].contains(tokens[next].text),
      let key = tokens[next..<end].last(where: { $0.text.hasPrefix("kSec") })
    {
      let value = tokens[next + 1..<end].map(\.text).prefix { $0 != "forKey" }
      return (Entry(key: key.text, value: Array(value), line: key.line, block: block), end)
    }
    return nil
  }

  /// Both of them, where they can be there at the same time: one of them in no branch, or both in the same.
  func pair(_ first: String, _ second: (Entry) -> Bool) -> (Entry, Entry)? {
    for one in entries where one.key == first {
      for other in entries where second(other) {
        let outermost = min(one.block, other.block)
        let isOuter = entries.contains { $0.block == outermost } && (outermost == entries.map(\.block).min())
        if one.block == other.block || isOuter { return (one, other) }
      }
    }
    return nil
  }
}
