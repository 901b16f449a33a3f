enum CBraces {
  /// Where the brace at `open` is closed, or the end.
  static func close(_ tokens: ArraySlice<CToken>, _ open: Int) -> Int {
    var depth = 0
    for index in open..<tokens.endIndex where tokens[index].kind == .punctuation {
      if tokens[index].text == "{" { depth += 1 }
      if tokens[index].text == "}" {
        depth -= 1
        if depth == 0 { return index }
      }
    }
    return tokens.endIndex - 1
  }
}
