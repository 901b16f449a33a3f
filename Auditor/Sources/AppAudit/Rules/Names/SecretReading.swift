import SwiftSyntax

/// Finds the secret that an expression yields, by the names in it.
struct SecretReading {
  let source: SwiftSource
  private let names = SecretNames.shared

  /// Members that hand on what they belong to.
  private static let transparent: Set<String> = [
    "text", "stringValue", "value", "wrappedValue", "description", "debugDescription", "utf8", "string", "data",
    "rawValue", "unsafelyUnwrapped", "attributedText",
  ]
  /// Members that are calls and hand on what they are called on.
  private static let transparentCalls: Set<String> = [
    "data", "trimmingCharacters", "lowercased", "uppercased", "base64EncodedString", "base64EncodedData", "utf8String",
    "appending", "joined", "hexEncodedString", "map", "flatMap",
  ]
  private static let makers: Set<String> = [
    "String", "Data", "NSString", "Array", "Optional", "NSAttributedString", "Text",
  ]
  private static let makerLabels: Set<String> = [
    "", "describing", "reflecting", "data", "decoding", "string", "bytes", "utf8String", "verbatim",
  ]
  private static let textual = [
    "String", "Data", "UInt8", "Any", "Substring", "Character", "AccessToken", "AuthToken", "Binding", "Credential",
    "TextField", "Value",
  ]

  init(_ source: SwiftSource) { self.source = source }

  /// The name of the secret, and what it is.
  func secret(in expression: ExprSyntax) -> (name: String, meaning: SecretNames.Meaning)? {
    let expression = expression.bare
    switch expression.as(ExprSyntaxEnum.self) {
    case .declReferenceExpr(let node): return named(node.baseName.text, node)
    case .memberAccessExpr(let node): return member(node)
    case .infixOperatorExpr(let node):
      let sign = node.operator.trimmedDescription
      guard sign == "+" || sign == "??" else { return nil }
      return secret(in: node.leftOperand) ?? secret(in: node.rightOperand)
    case .ternaryExpr(let node): return secret(in: node.thenExpression) ?? secret(in: node.elseExpression)
    case .functionCallExpr(let node): return call(node)
    case .subscriptCallExpr(let node):
      guard let key = node.arguments.first?.expression.literal else { return nil }
      return names.meaning(of: key).map { (key, $0) }
    case .stringLiteralExpr(let node):
      for segment in node.segments {
        guard let part = segment.as(ExpressionSegmentSyntax.self), let first = part.expressions.first else { continue }
        if let found = secret(in: first.expression) { return found }
      }
      return nil
    case .arrayExpr(let node): return node.elements.lazy.compactMap { secret(in: $0.expression) }.first
    case .inOutExpr(let node): return secret(in: node.expression)
    default: return nil
    }
  }

  private func named(_ name: String, _ node: some SyntaxProtocol) -> (String, SecretNames.Meaning)? {
    let plain = name.hasPrefix("$") ? String(name.dropFirst()) : name
    guard let meaning = names.meaning(of: plain) else { return nil }
    if let types = source.annotations[plain],
      !types.contains(where: { type in Self.textual.contains(where: type.contains) })
    {
      return nil
    }
    let last = SecretNames.words(plain).last
    if last == "token", names.isAboutLanguages(source.declaredTypes.union(node.enclosingTypes)) { return nil }
    if last == "token", isForNotifications(node) || isMadeForNotifications(plain, node) { return nil }
    if plain == "token", namesPlaces() { return nil }
    if last == "pin", !source.imports.isDisjoint(with: ["MapKit", "CoreBluetooth", "GoogleMaps"]) { return nil }
    return (plain, meaning)
  }

  /// What a device is addressed by opens nothing.
  private func isForNotifications(_ node: some SyntaxProtocol) -> Bool {
    var parent = node.parent
    while let outer = parent {
      if let function = outer.as(FunctionDeclSyntax.self) {
        let signature = (function.name.text + function.signature.parameterClause.trimmedDescription).lowercased()
        if Self.notifications.contains(where: signature.contains) { return true }
      }
      // `messaging.token { token, _ in … }`.
      if let call = outer.as(FunctionCallExprSyntax.self),
        Self.messaging.contains(where: call.calledExpression.trimmedDescription.lowercased().contains)
      {
        return true
      }
      parent = outer.parent
    }
    return false
  }

  private static let notifications = [
    "devicetoken", "pushtoken", "remotenotifications", "registrationtoken", "fcmtoken", "apnstoken",
  ]
  /// What hands out such tokens, in the names of Firebase.
  private static let messaging = ["messaging", "instanceid"]

  /// A variable that begins with, or is set to, the token of a service for notifications.
  private func isMadeForNotifications(_ name: String, _ node: some SyntaxProtocol) -> Bool {
    let scope = node.scope
    guard !scope.is(SourceFileSyntax.self) else { return false }
    let begun = source.active(PatternBindingSyntax.self, in: scope).filter { $0.pattern.trimmedDescription == name }
      .compactMap { $0.initializer?.value }
    let set = source.active(InfixOperatorExprSyntax.self, in: scope).filter {
      $0.operator.is(AssignmentExprSyntax.self) && $0.leftOperand.variableName == name
    }.map(\.rightOperand)
    return (begun + set).contains { value in
      let text = value.trimmedDescription.lowercased()
      return (Self.notifications + Self.messaging).contains(where: text.contains)
    }
  }

  private func member(_ node: MemberAccessExprSyntax) -> (String, SecretNames.Meaning)? {
    let name = node.declName.baseName.text
    guard let base = node.base else { return nil }
    if Self.transparent.contains(name) { return secret(in: base) }
    // `Keys.password` is the name of a place, `error.token` and `type.token` are cases.
    let owner = base.bare.trimmedDescription
    let words = SecretNames.words(owner)
    if let last = words.last, ["keys", "key", "constants", "strings", "localizable", "localized"].contains(last) {
      return nil
    }
    // `LString.password`, `L10n.Login.password`: texts of the app.
    if owner.first?.isUppercase == true,
      ["string", "l10n", "locali", "text", "r."].contains(where: owner.lowercased().contains)
    {
      return nil
    }
    if name == "token" {
      // `room.token`: what owns a token says what kind it is of.
      guard let word = words.last, names.meaning(of: word + "_token") != nil else { return nil }
      return (name, .key)
    }
    return named(name, node)
  }

  /// Whether the file calls the name of a room or the like its token.
  private func namesPlaces() -> Bool {
    source.active(DeclReferenceExprSyntax.self, in: source.tree).contains { reference in
      let name = reference.baseName.text
      var words = SecretNames.words(name)
      if name == "token", let owner = reference.parent?.as(MemberAccessExprSyntax.self)?.base?.trimmedDescription {
        words = (SecretNames.words(owner).last.map { [$0] } ?? []) + words
      }
      return words.count == 2 && words[1] == "token" && names.placesWithTokens.contains(words[0])
    }
  }

  private func call(_ node: FunctionCallExprSyntax) -> (String, SecretNames.Meaning)? {
    guard let name = node.calledName else { return nil }
    if node.calledBase == nil, Self.makers.contains(name) {
      guard let first = node.arguments.first, Self.makerLabels.contains(first.label?.text ?? "") else { return nil }
      return secret(in: first.expression)
    }
    if let member = node.calledExpression.as(MemberAccessExprSyntax.self), let base = member.base {
      if Self.transparentCalls.contains(name) { return secret(in: base) }
    }
    let words = SecretNames.words(name)
    guard let first = words.first, names.readWords.contains(first), words.count > 1 else { return nil }
    let rest = words.dropFirst().joined(separator: "_")
    return names.meaning(of: rest).map { (name, $0) }
  }
}

/// The same for tokens of Objective-C.
enum CSecretReading {
  private static let measuring: Set<String> = [
    "length", "count", "isEqualToString", "isKindOfClass", "hash", "sizeof", "strlen",
  ]

  static func secret(in tokens: ArraySlice<CToken>) -> String? {
    let names = SecretNames.shared
    if tokens.contains(where: { $0.kind == .identifier && measuring.contains($0.text) }) { return nil }
    if tokens.contains(where: { $0.isPunctuation("?") }) { return nil }
    for index in tokens.indices where tokens[index].kind == .identifier {
      let next = index + 1
      if next < tokens.endIndex, tokens[next].isPunctuation(":") || tokens[next].isPunctuation("(") { continue }
      // `x.password.length` was left out above; the object of another member is not the secret.
      if next < tokens.endIndex, tokens[next].isPunctuation(".") || tokens[next].isPunctuation("->") {
        guard next + 1 < tokens.endIndex,
          ["text", "stringValue", "UTF8String", "string"].contains(tokens[next + 1].text)
        else { continue }
      }
      let text = tokens[index].text
      let plain = text.hasPrefix("_") ? String(text.dropFirst()) : text
      if plain.first?.isUppercase == true || plain.hasPrefix("k") && plain.dropFirst().first?.isUppercase == true {
        continue
      }
      if plain == "token", index - 2 >= tokens.startIndex, tokens[index - 1].text == ".",
        let owner = SecretNames.words(tokens[index - 2].text).last, names.meaning(of: owner + "_token") == nil
      {
        continue
      }
      if names.meaning(of: plain) != nil { return plain }
    }
    return nil
  }
}
