/// A file of Objective-C, C or C++, as observers see it.
struct CSource {
  /// `name(arguments)`, where it is no declaration.
  struct Call {
    var name: String
    var line: Int
    /// The tokens of each argument.
    var arguments: [ArraySlice<CToken>]
    /// Where the name stands in ``CSource/tokens``.
    var index: Int
  }

  /// `[receiver selector:argument …]`.
  struct Message {
    var receiver: ArraySlice<CToken>
    /// With its colons: `setObject:forKey:`.
    var selector: String
    var line: Int
    var arguments: [ArraySlice<CToken>]
    /// Where its bracket stands in ``CSource/tokens``.
    var index: Int

    /// The receiver where it is a single identifier, such as a class.
    var receiverName: String? { receiver.count == 1 ? receiver.first?.text : nil }
  }

  let path: String
  /// Active tokens, without comments and directives.
  let tokens: [CToken]
  /// Whether there were more tokens than are read.
  let isCutOff: Bool
  /// What `#import` and `#include` name: `Security/Security.h`, and `Security` as well.
  let imports: Set<String>
  let calls: [Call]
  let messages: [Message]

  init(path: String, bytes: [UInt8]) {
    var lexer = CLexer(bytes)
    lexer.run()
    self.path = path
    tokens = lexer.tokens
    isCutOff = lexer.isCutOff
    imports = lexer.imports
    let pairs = Self.pairs(in: lexer.tokens)
    calls = Self.calls(in: lexer.tokens, pairs)
    messages = Self.messages(in: lexer.tokens, pairs)
  }

  /// Where each bracket is closed.
  private static func pairs(in tokens: [CToken]) -> [Int: Int] {
    var pairs: [Int: Int] = [:]
    var open: [(index: Int, end: String)] = []
    for (index, token) in tokens.enumerated() where token.kind == .punctuation {
      switch token.text {
      case "(": open.append((index, ")"))
      case "[": open.append((index, "]"))
      case "{": open.append((index, "}"))
      case ")", "]", "}":
        // Brackets that do not match are skipped, up to the one that does.
        if let match = open.lastIndex(where: { $0.end == token.text }), open.count - match <= 64 {
          pairs[open[match].index] = index
          open.removeSubrange(match...)
        }
      default: break
      }
    }
    return pairs
  }

  private static let keywords: Set<String> = [
    "return", "else", "do", "case", "goto", "in", "throw", "and", "or", "not",
  ]
  private static let notCalled: Set<String> = [
    "if", "while", "for", "switch", "sizeof", "return", "defined", "__attribute__", "typeof", "catch", "synchronized",
  ]

  private static func calls(in tokens: [CToken], _ pairs: [Int: Int]) -> [Call] {
    var calls: [Call] = []
    for index in tokens.indices.dropLast() {
      let token = tokens[index]
      guard token.kind == .identifier, tokens[index + 1].isPunctuation("("), let end = pairs[index + 1],
        !notCalled.contains(token.text)
      else { continue }
      if index > 0 {
        let before = tokens[index - 1]
        // `int stat(…)` declares, `a.stat(…)`, `p->stat(…)` and `Own::stat(…)` call something else; `::stat(…)` does not.
        if before.kind == .identifier, !keywords.contains(before.text) { continue }
        if before.isPunctuation(".") || before.isPunctuation("->") { continue }
        if before.isPunctuation("::"), index > 1, tokens[index - 2].kind == .identifier { continue }
      }
      let arguments = split(tokens, index + 2..<end, pairs)
      calls.append(Call(name: token.text, line: token.line, arguments: arguments, index: index))
    }
    return calls
  }

  /// Cuts at the commas that stand in no bracket.
  private static func split(_ tokens: [CToken], _ range: Range<Int>, _ pairs: [Int: Int]) -> [ArraySlice<CToken>] {
    guard !range.isEmpty else { return [] }
    var parts: [ArraySlice<CToken>] = []
    var start = range.lowerBound
    var index = start
    while index < range.upperBound {
      if tokens[index].isPunctuation(",") {
        parts.append(tokens[start..<index])
        start = index + 1
      }
      index = max(index, pairs[index] ?? index) + 1
    }
    parts.append(tokens[start..<range.upperBound])
    return parts
  }

  private static func messages(in tokens: [CToken], _ pairs: [Int: Int]) -> [Message] {
    var messages: [Message] = []
    for index in tokens.indices where tokens[index].isPunctuation("[") {
      guard let end = pairs[index], index == 0 || !tokens[index - 1].isPunctuation("@") else { continue }
      if let message = message(tokens, index, end, pairs) { messages.append(message) }
    }
    return messages
  }

  private static func message(_ tokens: [CToken], _ open: Int, _ end: Int, _ pairs: [Int: Int]) -> Message? {
    var index = open + 1
    guard index < end else { return nil }
    // Casts before the receiver.
    while tokens[index].isPunctuation("("), let close = pairs[index], close + 1 < end,
      tokens[close + 1].isPunctuation("[") || tokens[close + 1].isPunctuation("(")
    {
      index = close + 1
    }
    let first = index
    if tokens[index].isPunctuation("@"), index + 1 < end { index += 1 }
    if let close = pairs[index] { index = close + 1 } else { index += 1 }
    while index < end, tokens[index].kind == .punctuation {
      if tokens[index].text == "." || tokens[index].text == "->" {
        index += 2
      } else if tokens[index].text == "[" || tokens[index].text == "(", let close = pairs[index] {
        index = close + 1
      } else {
        return nil
      }
    }
    guard index < end, tokens[index].kind == .identifier else { return nil }
    let receiver = tokens[first..<index]
    let line = tokens[index].line
    if index + 1 == end {
      return Message(receiver: receiver, selector: tokens[index].text, line: line, arguments: [], index: open)
    }
    return parts(tokens, index, end, pairs).map {
      Message(receiver: receiver, selector: $0.selector, line: line, arguments: $0.arguments, index: open)
    }
  }

  private static func parts(
    _ tokens: [CToken], _ start: Int, _ end: Int, _ pairs: [Int: Int]
  ) -> (selector: String, arguments: [ArraySlice<CToken>])? {
    var selector = ""
    var arguments: [ArraySlice<CToken>] = []
    var index = start
    while index + 1 < end, tokens[index].kind == .identifier, tokens[index + 1].isPunctuation(":") {
      selector += tokens[index].text + ":"
      index += 2
      let first = index
      var questions = 0
      while index < end {
        if tokens[index].isPunctuation("?") { questions += 1 }
        if tokens[index].isPunctuation(":") { questions -= 1 }
        if questions == 0, index > first, tokens[index].kind == .identifier, index + 1 < end,
          tokens[index + 1].isPunctuation(":")
        {
          break
        }
        index = max(index, pairs[index] ?? index) + 1
      }
      arguments.append(tokens[first..<min(index, end)])
    }
    return selector.isEmpty ? nil : (selector, arguments)
  }
}
