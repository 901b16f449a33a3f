import SwiftSyntax

/// A secret in user defaults.
struct DefaultsSecretRule: Rule {
  let about = RuleDescription(
    id: "storage.secret-in-user-defaults",
    kind: .storage,
    title: "A secret is kept in user defaults",
    why: """
      User defaults are a property list in the app's folder: not encrypted by an own key, in every backup, readable for \
      whoever gets the files. Judged are names of keys and values; flags, counts and tokens for notifications are silent.
      """,
    fix: "Keep it in the keychain, and remove the old value from user defaults.")

  private let names = SecretNames.shared
  let words = Words(
    exact: ["AppStorage", "SceneStorage"], parts: ["defaults"], also: [SecretNames.naming])
  let reach = Reach.function
  let nodeKinds: [SyntaxKind] = [.functionCallExpr, .attribute, .infixOperatorExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    switch node.as(SyntaxEnum.self) {
    case .functionCallExpr(let call): observe(call, source, &notebook)
    case .attribute(let attribute): observe(attribute, source, &notebook)
    case .infixOperatorExpr(let infix): observe(infix, source, &notebook)
    default: break
    }
  }

  private func observe(_ call: FunctionCallExprSyntax, _ source: SwiftSource, _ notebook: inout Notebook) {
    guard let name = call.calledName, ["set", "setValue", "setObject"].contains(name), let base = call.calledBase,
      let value = call.arguments.first?.expression, call.labels.first == "", let key = call.argument("forKey"),
      DefaultsUse.isDefaults(base, in: source, at: call), let secret = secret(value, key, source)
    else { return }
    notebook.note(secret, line: source.line(of: call))
  }

  private func observe(_ infix: InfixOperatorExprSyntax, _ source: SwiftSource, _ notebook: inout Notebook) {
    guard infix.operator.is(AssignmentExprSyntax.self) else { return }
    if let access = infix.leftOperand.as(SubscriptCallExprSyntax.self), let key = access.arguments.first?.expression,
      DefaultsUse.isDefaults(access.calledExpression.trimmedDescription, in: source, at: infix),
      let secret = secret(infix.rightOperand, key, source)
    {
      notebook.note(secret, line: source.line(of: infix))
    }
  }

  private func secret(_ value: ExprSyntax, _ key: ExprSyntax, _ source: SwiftSource) -> String? {
    if value.is(BooleanLiteralExprSyntax.self) || value.is(IntegerLiteralExprSyntax.self)
      || value.is(NilLiteralExprSyntax.self)
    {
      return nil
    }
    if value.literal == "" || isFlag(value, source) { return nil }
    if let found = SecretReading(source).secret(in: value) {
      // `set(token, forKey: Keys.pushToken)`: the key says what kind of token it is.
      let isKnownHarmless = keyName(key).map(names.isHarmlessToken) ?? false
      return isKnownHarmless && SecretNames.words(found.name).last == "token" ? nil : found.name
    }
    guard let name = keyName(key), names.meaning(of: name) != nil else { return nil }
    // A count, a comparison, a date about it.
    if let member = value.bare.as(MemberAccessExprSyntax.self),
      ["count", "isEmpty", "isOn", "timeIntervalSince1970"].contains(member.declName.baseName.text)
    {
      return nil
    }
    if let infix = value.bare.as(InfixOperatorExprSyntax.self), infix.operator.trimmedDescription != "??" { return nil }
    if let call = value.bare.as(FunctionCallExprSyntax.self), ["Date", "Int", "Bool"].contains(call.calledName) {
      return nil
    }
    if let variable = value.bare.variableName,
      SecretNames.words(variable).contains(where: { ["date", "count", "id", "identifier"].contains($0) })
    {
      return nil
    }
    return name
  }

  /// What the file says of the value's type.
  private func isFlag(_ value: ExprSyntax, _ source: SwiftSource) -> Bool {
    guard let name = value.bare.variableName, let types = source.annotations[name] else { return false }
    let harmless = ["Bool", "Int", "Double", "Date", "TimeInterval", "Float", "UInt", "Int64"]
    return types.allSatisfy { harmless.contains($0.filter { $0 != "?" }) }
  }

  /// The text of a key, or the name of the constant that holds it: `Keys.accessToken`, `kAuthToken`, `passwordKey`.
  private func keyName(_ key: ExprSyntax) -> String? {
    if let text = key.literal { return text }
    var expression = key.bare
    if let member = expression.as(MemberAccessExprSyntax.self), member.declName.baseName.text == "rawValue",
      let base = member.base
    {
      expression = base.bare
    }
    let name =
      expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
      ?? expression.as(DeclReferenceExprSyntax.self)?.baseName.text
    guard var name else { return nil }
    if name.hasPrefix("k"), name.dropFirst().first?.isUppercase == true { name.removeFirst() }
    // `passwordKey` is the key of the password, `apiKey` is the API key itself.
    if names.meaning(of: name) == nil, name.hasSuffix("Key") { name.removeLast(3) }
    return name
  }

  private func observe(_ attribute: AttributeSyntax, _ source: SwiftSource, _ notebook: inout Notebook) {
    guard let name = attribute.attributeName.as(IdentifierTypeSyntax.self)?.name.text,
      ["AppStorage", "SceneStorage"].contains(name), !source.isOwnType(name, at: attribute),
      case .argumentList(let arguments)? = attribute.arguments, let key = arguments.first?.expression,
      let variable = attribute.nearest(VariableDeclSyntax.self), let binding = variable.bindings.first
    else { return }
    let type = binding.knownType ?? ""
    if ["Bool", "Int", "Double", "Date"].contains(type.filter({ $0 != "?" })) { return }
    let property = binding.pattern.trimmedDescription
    guard let secret = [keyName(key), property].compactMap({ $0 }).first(where: { names.meaning(of: $0) != nil }) else {
      return
    }
    notebook.note(secret, line: source.line(of: attribute))
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    for message in source.messages where ["setObject:forKey:", "setValue:forKey:"].contains(message.selector) {
      guard message.arguments.count == 2, message.receiver.contains(where: Self.isDefaults) else { continue }
      let value = message.arguments[0]
      if value.contains(where: { ["YES", "NO", "nil", "numberWithBool", "numberWithInteger"].contains($0.text) }) {
        continue
      }
      if value.first?.isPunctuation("@") == true { continue }
      let key =
        message.arguments[1].first { $0.kind == .string }?.text ?? message.arguments[1].words.last.map(Self.constant)
      let secret = CSecretReading.secret(in: value) ?? key.flatMap { names.meaning(of: $0) != nil ? $0 : nil }
      if let secret { notebook.note(secret, line: message.line) }
    }
  }

  private static func isDefaults(_ token: CToken) -> Bool {
    token.kind == .identifier && (token.text == "NSUserDefaults" || token.text.lowercased().hasSuffix("defaults"))
  }

  private static func constant(_ name: String) -> String {
    var name = name
    if name.hasPrefix("k"), name.dropFirst().first?.isUppercase == true { name.removeFirst() }
    if SecretNames.shared.meaning(of: name) == nil, name.hasSuffix("Key") { name.removeLast(3) }
    return name
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map {
      finding(.error, at: $0, in: target, "\($0.name) is kept in user defaults, which are not protected")
    }
  }
}
