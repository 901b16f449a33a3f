/// `#if` and its relatives, answered for an iPhone and the Release configuration. Where the answer hangs on a macro
/// that is not known here, both branches count.
struct CConditions {
  private struct Level {
    var outerIsActive: Bool
    /// Whether a branch of before was surely taken.
    var taken: Bool
    var isActive: Bool
  }

  /// More levels are not counted one by one; they are taken as active.
  private static let depthMax = 256
  private var levels: [Level] = []
  private var uncounted = 0

  var isActive: Bool { levels.last?.isActive ?? true }

  private static let values: [String: Int] = [
    "TARGET_OS_SIMULATOR": 0, "TARGET_IPHONE_SIMULATOR": 0, "TARGET_OS_IPHONE": 1, "TARGET_OS_IOS": 1,
    "TARGET_OS_MAC": 1, "TARGET_OS_OSX": 0, "TARGET_OS_TV": 0, "TARGET_OS_WATCH": 0, "TARGET_OS_MACCATALYST": 0,
    "TARGET_OS_UIKITFORMAC": 0, "TARGET_OS_VISION": 0, "TARGET_OS_XR": 0, "TARGET_OS_EMBEDDED": 1,
    "TARGET_OS_LINUX": 0, "TARGET_OS_WINDOWS": 0, "__OBJC__": 1, "__APPLE__": 1, "__MACH__": 1, "__arm64__": 1,
    "__LP64__": 1, "NDEBUG": 1, "__clang__": 1, "true": 1, "false": 0,
  ]

  /// Macros that such a build never defines.
  private static let undefined: Set<String> = [
    "DEBUG", "_WIN32", "WIN32", "_WIN64", "__ANDROID__", "ANDROID", "__linux__", "__linux", "linux", "__EMSCRIPTEN__",
    "_MSC_VER", "__CYGWIN__", "__MINGW32__", "__FreeBSD__", "__NetBSD__", "__OpenBSD__", "__sun", "_AIX", "__HAIKU__",
    "__x86_64__", "__i386__",
  ]

  mutating func directive(_ name: String, _ rest: String) {
    switch name {
    case "if": open(Self.evaluate(rest))
    case "ifdef": open(Self.isDefined(Self.firstWord(rest)))
    case "ifndef": open(Self.isDefined(Self.firstWord(rest)).map { !$0 })
    case "elif": next(Self.evaluate(rest))
    case "elifdef": next(Self.isDefined(Self.firstWord(rest)))
    case "elifndef": next(Self.isDefined(Self.firstWord(rest)).map { !$0 })
    case "else": next(true)
    case "endif": if uncounted > 0 { uncounted -= 1 } else { _ = levels.popLast() }
    default: break
    }
  }

  private mutating func open(_ answer: Bool?) {
    guard levels.count < Self.depthMax else {
      uncounted += 1
      return
    }
    let outer = isActive
    levels.append(Level(outerIsActive: outer, taken: answer == true, isActive: outer && answer != false))
  }

  private mutating func next(_ answer: Bool?) {
    guard uncounted == 0, var level = levels.popLast() else { return }
    level.isActive = level.outerIsActive && !level.taken && answer != false
    if answer == true { level.taken = true }
    levels.append(level)
  }

  private static func firstWord(_ text: String) -> String { String(text.prefix { !$0.isWhitespace }) }

  private static func isDefined(_ name: String) -> Bool? {
    if undefined.contains(name) { return false }
    return values[name] == nil ? nil : true
  }

  /// True, false, or nil where it cannot be known.
  static func evaluate(_ text: String) -> Bool? {
    var lexer = CLexer(Array(text.utf8))
    lexer.run()
    var parser = Condition(tokens: lexer.tokens)
    return parser.or(depth: 0).map { $0 != 0 }
  }

  /// `!`, `&&`, `||`, comparisons, parentheses and `defined`: what such conditions are made of.
  private struct Condition {
    let tokens: [CToken]
    var index = 0

    private mutating func take(_ text: String) -> Bool {
      guard index < tokens.count, tokens[index].isPunctuation(text) else { return false }
      index += 1
      return true
    }

    private mutating func takeTwo(_ text: String) -> Bool {
      guard index + 1 < tokens.count, tokens[index].isPunctuation(text), tokens[index + 1].isPunctuation(text) else {
        return false
      }
      index += 2
      return true
    }

    mutating func or(depth: Int) -> Int? {
      var left = and(depth: depth)
      while takeTwo("|") {
        let right = and(depth: depth)
        if left != nil, left != 0 { continue }
        left = right != nil && right != 0 ? 1 : left == 0 ? right : nil
      }
      return left
    }

    private mutating func and(depth: Int) -> Int? {
      var left = unary(depth: depth)
      while takeTwo("&") {
        let right = unary(depth: depth)
        if left == 0 { continue }
        left = right == 0 ? 0 : left == nil ? nil : right
      }
      return left
    }

    private mutating func unary(depth: Int) -> Int? {
      guard depth < 64 else { return nil }
      if take("!") { return unary(depth: depth + 1).map { $0 == 0 ? 1 : 0 } }
      let left = primary(depth: depth)
      return comparison(with: left, depth: depth)
    }

    private mutating func comparison(with left: Int?, depth: Int) -> Int? {
      guard index < tokens.count, tokens[index].kind == .punctuation else { return left }
      let sign = tokens[index].text
      let next = index + 1 < tokens.count ? tokens[index + 1].text : ""
      switch (sign, next) {
      case ("=", "="), ("!", "="), (">", "="), ("<", "="): index += 2
      case (">", _), ("<", _): index += 1
      default: return left
      }
      guard let right = primary(depth: depth + 1), let left else { return nil }
      let holds =
        switch (sign, next == "=") {
        case ("=", _): left == right
        case ("!", _): left != right
        case (">", true): left >= right
        case (">", false): left > right
        case (_, true): left <= right
        default: left < right
        }
      return holds ? 1 : 0
    }

    private mutating func primary(depth: Int) -> Int? {
      if take("(") {
        let inner = or(depth: depth + 1)
        _ = take(")")
        return inner
      }
      guard index < tokens.count else { return nil }
      let token = tokens[index]
      index += 1
      if token.kind == .number { return Int(token.text.filter(\.isNumber)) }
      guard token.kind == .identifier else { return nil }
      if token.text == "defined" {
        let parenthesis = take("(")
        guard index < tokens.count else { return nil }
        let answer = CConditions.isDefined(tokens[index].text)
        index += 1
        if parenthesis { _ = take(")") }
        return answer.map { $0 ? 1 : 0 }
      }
      // A macro with arguments, such as __has_include(…): not known.
      if take("(") {
        while index < tokens.count, !take(")") { index += 1 }
        return nil
      }
      return CConditions.undefined.contains(token.text) ? 0 : CConditions.values[token.text]
    }
  }
}
