import SwiftSyntax

/// A fast or broken hash of a password.
struct PasswordHashRule: Rule {
  let about = RuleDescription(
    id: "hash.password",
    kind: .hash,
    title: "A password is hashed with a function that is broken or fast",
    why: """
      MD5 and SHA-1 are broken, and SHA-256 without a salt is tried billions of times a second: passwords are found by \
      trying. Judged are passwords alone: digests that name files, caches or nonces, and the prefix query that asks for \
      leaked passwords, are silent.
      """,
    fix:
      "Use a function that is slow on purpose: PBKDF2 (CCKeyDerivationPBKDF), Argon2id or scrypt, with a random salt.")

  struct Content: Decodable, Sendable {
    var broken: Set<String>
    var fast: Set<String>
    var functions: [String: String]
    /// Members that extensions of String and Data give them.
    var members: [String: String]
    var salts: [String]
    var breachChecks: [String]
    /// Words of functions that make the input of a slow function, as a file format wants it.
    var formats: [String]
  }
  private let facts = Facts.load("hashes", as: Content.self)
  private let names = SecretNames.shared

  var words: Words {
    Words(
      exact: facts.broken.union(facts.fast).union(facts.functions.keys).union(facts.members.keys),
      also: [SecretNames.naming])
  }
  let nodeKinds: [SyntaxKind] = [.functionCallExpr, .memberAccessExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    guard let (algorithm, input) = digest(node, source) else { return }
    let around = (node.enclosingFunctionName ?? "") + " " + node.enclosingTypes.joined(separator: " ")
    if facts.formats.contains(where: around.lowercased().contains) { return }
    if facts.breachChecks.contains(where: around.lowercased().contains) || asksForBreaches(source) { return }
    guard isPassword(input, node, source, depth: 0) else { return }
    if facts.fast.contains(algorithm), isSalted(input, node, source) { return }
    notebook.note(algorithm, line: source.line(of: node))
  }

  /// The algorithm and what goes into it; of a member of an extension what it is called on.
  private func digest(_ node: Syntax, _ source: SwiftSource) -> (String, [ExprSyntax])? {
    if let call = node.as(FunctionCallExprSyntax.self) {
      let arguments = call.arguments.map(\.expression)
      if let name = call.calledName, let algorithm = facts.functions[name], call.calledBase == nil {
        return (algorithm, Array(arguments.prefix(1)))
      }
      guard let member = call.calledExpression.as(MemberAccessExprSyntax.self), let base = member.base else {
        // A function of the app, such as md5(password).
        if let name = call.calledName, let algorithm = facts.members[name], call.labels.first == "" {
          return (algorithm, arguments)
        }
        return nil
      }
      let name = member.declName.baseName.text
      let owner = base.trimmedDescription.split(separator: ".").last.map(String.init) ?? ""
      if ["hash", "update", "finalize"].contains(name) {
        let plain = owner.prefix { $0 != "(" }
        guard name == "hash" || base.is(FunctionCallExprSyntax.self),
          facts.broken.contains(String(plain)) || facts.fast.contains(String(plain)),
          !source.isOwnType(String(plain), at: node)
        else { return nil }
        return (String(plain), arguments)
      }
      // CryptoSwift and extensions: `password.md5()`.
      if let algorithm = facts.members[name], arguments.isEmpty { return (algorithm, [base]) }
      return nil
    }
    // A property: `password.sha256`.
    guard let member = node.as(MemberAccessExprSyntax.self), let base = member.base,
      member.parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id != member.id,
      let algorithm = facts.members[member.declName.baseName.text],
      !["Insecure", "Digest", "HMAC", "CryptoKit"].contains(base.trimmedDescription)
    else { return nil }
    return (algorithm, [base])
  }

  private func asksForBreaches(_ source: SwiftSource) -> Bool {
    source.active(StringSegmentSyntax.self, in: source.tree).contains { $0.content.text.contains("pwnedpasswords") }
  }

  private func isPassword(_ input: [ExprSyntax], _ node: Syntax, _ source: SwiftSource, depth: Int) -> Bool {
    for expression in input {
      for reference in source.active(DeclReferenceExprSyntax.self, in: expression) {
        let name = reference.baseName.text
        if names.meaning(of: name) == .password { return true }
        // A local variable that is made of the password.
        guard depth < 3, !node.scope.is(SourceFileSyntax.self) else { continue }
        for binding in source.active(PatternBindingSyntax.self, in: node.scope)
        where binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text == name && !node.isInside(binding) {
          if let value = binding.initializer?.value, isPassword([value], node, source, depth: depth + 1) { return true }
        }
      }
    }
    // `func hashPassword(_ text: String)` says what its input is.
    guard depth == 0, let function = node.enclosingFunctionName else { return false }
    let words = SecretNames.words(function)
    return words.contains("hash") && words.contains { names.passwords.contains($0) }
  }

  private func isSalted(_ input: [ExprSyntax], _ node: Syntax, _ source: SwiftSource) -> Bool {
    var text = input.map(\.trimmedDescription).joined(separator: " ")
    for expression in input {
      for reference in source.active(DeclReferenceExprSyntax.self, in: expression)
      where !node.scope.is(SourceFileSyntax.self) {
        for binding in source.active(PatternBindingSyntax.self, in: node.scope)
        where binding.pattern.trimmedDescription == reference.baseName.text {
          text += " " + (binding.initializer?.value.trimmedDescription ?? "")
        }
        for infix in source.active(InfixOperatorExprSyntax.self, in: node.scope)
        where infix.leftOperand.trimmedDescription == reference.baseName.text {
          text += " " + infix.rightOperand.trimmedDescription
        }
        for call in source.active(FunctionCallExprSyntax.self, in: node.scope)
        where call.calledBase == reference.baseName.text { text += " " + call.arguments.trimmedDescription }
      }
    }
    let small = text.lowercased()
    return facts.salts.contains(where: small.contains)
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    for call in source.calls {
      guard let algorithm = facts.functions[call.name], let body = source.body(at: call.index) else { continue }
      let head = body.head.flatMap(SecretNames.words)
      if facts.breachChecks.contains(where: body.head.joined().lowercased().contains) { continue }
      let input = call.arguments.first ?? []
      let isPassword =
        input.words.contains { names.meaning(of: $0) == .password }
        || head.contains { names.passwords.contains($0) }
          && head.contains { ["hash", "digest", "md", "sha"].contains($0) }
        || body.tokens.words.contains { names.meaning(of: $0) == .password }
          && input.words.contains { Self.isMade($0, of: body.tokens) }
      guard isPassword else { continue }
      if facts.fast.contains(algorithm), body.tokens.words.contains(where: { $0.lowercased().contains("salt") }) {
        continue
      }
      notebook.note(algorithm, line: call.line)
    }
  }

  /// Whether the variable is set from a password in the body.
  private static func isMade(_ name: String, of tokens: ArraySlice<CToken>) -> Bool {
    for index in tokens.indices
    where tokens[index].text == name && index + 1 < tokens.endIndex && tokens[index + 1].isPunctuation("=") {
      let end = tokens[index...].firstIndex { $0.isPunctuation(";") } ?? tokens.endIndex
      if tokens[index..<end].words.contains(where: { SecretNames.shared.meaning(of: $0) == .password }) { return true }
    }
    return false
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map {
      let isBroken = facts.broken.contains($0.name)
      return finding(
        isBroken ? .error : .warning, at: $0, in: target,
        "a password is hashed with \($0.name), which is \(isBroken ? "broken" : "fast, and there is no salt")")
    }
  }
}
