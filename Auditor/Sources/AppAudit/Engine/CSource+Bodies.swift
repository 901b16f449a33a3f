extension CSource {
  /// The outermost braces of functions and methods, as ranges of `tokens`; what stands before the brace is the head.
  struct Body {
    var tokens: ArraySlice<CToken>
    /// Words of the declaration: a method's selector parts, or the function's name.
    var head: [String]

    func contains(_ index: Int) -> Bool { tokens.indices.contains(index) }
    func has(_ word: String) -> Bool { tokens.contains { $0.kind == .identifier && $0.text == word } }
  }

  var bodies: [Body] {
    var bodies: [Body] = []
    var depth = 0
    var start = 0
    var headStart = 0
    for (index, token) in tokens.enumerated() where token.kind == .punctuation {
      switch token.text {
      case "{":
        if depth == 0 { start = index }
        depth += 1
      case "}":
        depth = max(0, depth - 1)
        guard depth == 0 else { break }
        let head = tokens[headStart..<start].filter { $0.kind == .identifier }.map(\.text)
        bodies.append(Body(tokens: tokens[start...index], head: head))
        headStart = index + 1
      case ";": if depth == 0 { headStart = index + 1 }
      default: break
      }
    }
    return bodies
  }

  func body(at index: Int) -> Body? { bodies.first { $0.contains(index) } }
}

extension ArraySlice<CToken> {
  /// The identifiers in it.
  var words: [String] { filter { $0.kind == .identifier }.map(\.text) }

  func has(_ word: String) -> Bool { contains { $0.kind == .identifier && $0.text == word } }
}
