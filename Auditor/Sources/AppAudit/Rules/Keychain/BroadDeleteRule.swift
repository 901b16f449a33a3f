import SwiftSyntax

/// A delete that names a class and nothing else.
struct BroadDeleteRule: Rule {
  let about = RuleDescription(
    id: "keychain.delete-too-broad",
    kind: .keychain,
    title: "A delete names only the class, and so deletes every item of it",
    why: """
      SecItemDelete deletes all that matches, in every access group of the app, items of SDKs and of other apps of the \
      group included. A note in a function whose name says that everything is to go, and in a loop over classes.
      """,
    fix: "Add kSecAttrService and kSecAttrAccount (or what else names the item) to the query.")

  private let facts = KeychainFacts.shared
  let words = Words(exact: ["SecItemDelete"])
  let reach = Reach.function
  let nodeKinds: [SyntaxKind] = [.functionCallExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    guard let call = node.as(FunctionCallExprSyntax.self), SecItem.name(of: call, in: source) == "SecItemDelete",
      let argument = call.arguments.first?.expression
    else { return }
    let query = KeychainQuery(argument, of: call, in: source)
    guard query.isComplete, query["kSecClass"] != nil,
      query.entries.allSatisfy({ facts.keysThatNarrowNothing.contains($0.key) })
    else { return }
    let loop =
      call.nearest(ForStmtSyntax.self) != nil
      || call.nearest(ClosureExprSyntax.self)?.parent?.as(FunctionCallExprSyntax.self)?.calledName == "forEach"
    let isMeant = loop || facts.isWiping(call.enclosingFunctionName)
    notebook.note("SecItemDelete", line: source.line(of: call), isMeant ? ["meant": "yes"] : [:])
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    for call in source.calls where call.name == "SecItemDelete" {
      guard let argument = call.arguments.first else { continue }
      let keys = CKeychainQuery.keys(in: argument, at: call.index, of: source)
      guard let keys, keys.contains("kSecClass"), keys.allSatisfy(facts.keysThatNarrowNothing.contains) else {
        continue
      }
      let head = source.body(at: call.index)?.head.joined(separator: "_")
      let isMeant = facts.isWiping(head) || source.body(at: call.index)?.has("for") == true
      notebook.note("SecItemDelete", line: call.line, isMeant ? ["meant": "yes"] : [:])
    }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map {
      finding(
        $0.detail("meant") == nil ? .warning : .note, at: $0, in: target,
        "the query names only the class: every item of it in every group of the app is deleted")
    }
  }
}

/// The keys of a dictionary in Objective-C: a literal, or a variable of the same body.
enum CKeychainQuery {
  /// Nil where it is not all seen.
  static func keys(in argument: ArraySlice<CToken>, at index: Int, of source: CSource) -> Set<String>? {
    if argument.contains(where: { $0.isPunctuation("{") }) { return keysOfLiteral(argument) }
    guard let body = source.body(at: index),
      let name = argument.words.last(where: { !["__bridge", "CFDictionaryRef", "id"].contains($0) })
    else { return nil }
    var keys: Set<String>?
    let tokens = body.tokens
    for place in tokens.indices where tokens[place].kind == .identifier && tokens[place].text == name {
      let next = place + 1
      guard next < tokens.endIndex else { continue }
      if tokens[next].isPunctuation("="), let end = tokens[next...].firstIndex(where: { $0.isPunctuation(";") }) {
        let value = tokens[next..<end]
        if value.contains(where: { $0.isPunctuation("{") }) {
          guard let literal = keysOfLiteral(value) else { return nil }
          keys = literal
        } else if value.has("NSMutableDictionary"),
          !value.contains(where: { $0.text.hasPrefix("initWith") || $0.text.hasPrefix("dictionaryWith") })
        {
          keys = []
        } else {
          return nil
        }
      } else if tokens[next].isPunctuation("["),
        let key = tokens[next...].prefix(6).words.first(where: { $0.hasPrefix("kSec") })
      {
        keys?.insert(key)
      } else if tokens[next].text == "setObject" || tokens[next].text == "setValue",
        let end = tokens[next...].firstIndex(where: { $0.isPunctuation(";") }),
        let key = tokens[next..<end].words.last(where: { $0.hasPrefix("kSec") })
      {
        keys?.insert(key)
      }
    }
    return keys
  }

  /// A key stands before each colon, values after it.
  static func keysOfLiteral(_ tokens: ArraySlice<CToken>) -> Set<String>? {
    guard tokens.contains(where: { $0.isPunctuation("@") }) else { return nil }
    var keys: Set<String> = []
    var depth = 0
    var isKey = true
    for token in tokens {
      switch token.text {
      case "{" where token.kind == .punctuation:
        depth += 1
        isKey = true
      case "}" where token.kind == .punctuation: depth -= 1
      case ":" where depth == 1: isKey = false
      case "," where depth == 1: isKey = true
      default: if depth == 1, isKey, token.text.hasPrefix("kSec") { keys.insert(token.text) }
      }
    }
    return keys
  }
}
