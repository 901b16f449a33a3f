import SwiftSyntax

/// Uses of an API on Apple's list that the bundle's manifest gives no reason for.
struct RequiredReasonRule: Rule {
  let about = RuleDescription(
    id: "required-reason.undeclared",
    kind: .requiredReason,
    title: "A required-reason API is used and the bundle's privacy manifest does not declare it",
    why: """
      Apple answers an upload with ITMS-91053 when the code of a bundle uses an API of five categories and its \
      PrivacyInfo.xcprivacy does not say why. Code that is linked statically counts for the bundle it is linked into; \
      the app's manifest does not cover its extensions and frameworks. Names in comments and strings, members of your \
      own types and what only a simulator or debug build compiles are not judged.
      """,
    fix: "Declare the category in the bundle's PrivacyInfo.xcprivacy, with the reason that is true for your use.",
    appStoreErrors: ["ITMS-91053"])

  private let facts = RequiredReasonFacts.shared

  var words: Words {
    var exact: Set<String> = []
    for category in facts.categories {
      exact.formUnion(category.functions + category.constants + category.attributeKeys + category.resourceKeys)
      exact.formUnion(category.members.map(\.name) + category.wrappers)
      exact.formUnion(category.types.flatMap { [$0.swift, $0.objectiveC] })
    }
    return Words(exact: exact)
  }

  let reach = Reach.function
  let nodeKinds: [SyntaxKind] = [.functionCallExpr, .memberAccessExpr, .declReferenceExpr, .attribute]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    switch node.as(SyntaxEnum.self) {
    case .functionCallExpr(let call): observe(call, source, &notebook)
    case .memberAccessExpr(let member): observe(member, source, &notebook)
    case .declReferenceExpr(let reference): observe(reference, source, &notebook)
    case .attribute(let attribute): observe(attribute, source, &notebook)
    default: break
    }
  }

  private func note(
    _ category: String, _ symbol: String, _ line: Int, _ detail: [String: String] = [:], _ notebook: inout Notebook
  ) {
    notebook.note(category, line: line, detail.merging(["symbol": symbol]) { _, new in new })
  }

  /// A call of a C function. `stat()` without arguments makes the structure.
  private func observe(_ call: FunctionCallExprSyntax, _ source: SwiftSource, _ notebook: inout Notebook) {
    guard let name = call.calledName, call.calledBase == nil || ["Darwin", "Foundation"].contains(call.calledBase)
    else { return }
    let categories = facts.categories(ofFunction: name)
    guard let first = categories.first, name == "mach_absolute_time" || !call.arguments.isEmpty,
      call.arguments.allSatisfy({ $0.label == nil }), !source.declaredFunctions.contains(name)
    else { return }
    let or = categories.count > 1 ? ["or": categories[1].id] : [:]
    note(first.id, name, source.line(of: call), or, &notebook)
  }

  private func observe(_ member: MemberAccessExprSyntax, _ source: SwiftSource, _ notebook: inout Notebook) {
    let name = member.declName.baseName.text
    let base = member.base?.trimmedDescription
    for category in facts.categories {
      for listed in category.members where listed.name == name && !source.declaredMembers.contains(name) {
        guard let base, listed.owners.isEmpty || listed.owners.contains(where: base.contains) else { continue }
        note(category.id, name, source.line(of: member.declName), [:], &notebook)
      }
      if category.resourceKeys.contains(name), base == nil || base == "URLResourceKey" {
        note(category.id, name, source.line(of: member.declName), [:], &notebook)
      }
      if category.attributeKeys.contains(name), base == "FileAttributeKey" || (base == nil && isFileAttribute(member)) {
        note(category.id, "FileAttributeKey." + name, source.line(of: member.declName), [:], &notebook)
      }
      for type in category.types where type.swift == name && base == "Foundation" {
        note(category.id, name, source.line(of: member), use(of: Syntax(member)), &notebook)
      }
    }
  }

  /// `.creationDate` means the key of a file only where attributes of a file are spoken of: many types have that member.
  private func isFileAttribute(_ member: MemberAccessExprSyntax) -> Bool {
    let marks = ["attributesOf", "setAttributes", "FileAttributeKey", "ttributes"]
    var next = member.parent
    // The expression around it: subscript, cast, dictionary literal, argument.
    while let node = next, !node.is(CodeBlockItemSyntax.self), !node.is(MemberBlockItemSyntax.self) {
      if let access = node.as(SubscriptCallExprSyntax.self) {
        let subject = access.calledExpression.trimmedDescription
        return marks.contains(where: subject.contains) || subject.lowercased().contains("attr")
      }
      if let call = node.as(FunctionCallExprSyntax.self) {
        return call.calledName == "setAttributes" || call.argument("attributes") != nil
      }
      if let binding = node.as(PatternBindingSyntax.self), let type = binding.typeAnnotation {
        return type.trimmedDescription.contains("FileAttributeKey")
      }
      next = node.parent
    }
    return false
  }

  private func observe(_ reference: DeclReferenceExprSyntax, _ source: SwiftSource, _ notebook: inout Notebook) {
    let name = reference.baseName.text
    // The name after a dot is the member's, and was looked at with it.
    if let member = reference.parent?.as(MemberAccessExprSyntax.self), member.declName.id == reference.id { return }
    for category in facts.categories {
      for type in category.types where type.swift == name && !source.isOwnType(name, at: reference) {
        note(category.id, name, source.line(of: reference), use(of: Syntax(reference)), &notebook)
      }
      if category.constants.contains(name) { note(category.id, name, source.line(of: reference), [:], &notebook) }
    }
  }

  /// Whether the defaults of the app itself or of a group are used: other reasons fit.
  private func use(of reference: Syntax) -> [String: String] {
    if let member = reference.parent?.as(MemberAccessExprSyntax.self), member.declName.baseName.text == "standard" {
      return ["use": "standard"]
    }
    if let call = reference.parent?.as(FunctionCallExprSyntax.self), call.labels.first == "suiteName" {
      return ["use": "suite"]
    }
    return [:]
  }

  private func observe(_ attribute: AttributeSyntax, _ source: SwiftSource, _ notebook: inout Notebook) {
    guard let name = attribute.attributeName.as(IdentifierTypeSyntax.self)?.name.text else { return }
    for category in facts.categories where category.wrappers.contains(name) && !source.isOwnType(name, at: attribute) {
      note(category.id, "@" + name, source.line(of: attribute), [:], &notebook)
    }
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    for call in source.calls {
      let categories = facts.categories(ofFunction: call.name)
      guard let first = categories.first, call.name == "mach_absolute_time" || !call.arguments.isEmpty else { continue }
      note(first.id, call.name, call.line, categories.count > 1 ? ["or": categories[1].id] : [:], &notebook)
    }
    for message in source.messages {
      let receiver = message.receiver.map(\.text).joined(separator: " ")
      for category in facts.categories {
        for listed in category.members where listed.name == message.selector {
          guard listed.owners.isEmpty || listed.owners.contains(where: receiver.contains) else { continue }
          note(category.id, message.selector, message.line, [:], &notebook)
        }
      }
    }
    let constants = Dictionary(
      facts.categories.flatMap { category in
        (category.constants + category.types.map(\.objectiveC)).map { ($0, category.id) }
      }, uniquingKeysWith: { first, _ in first })
    for (index, token) in source.tokens.enumerated() where token.kind == .identifier {
      guard let category = constants[token.text] else { continue }
      if token.text.hasPrefix("NSUserDefaults"), !Self.isReceiver(source.tokens, index) { continue }
      note(category, token.text, token.line, [:], &notebook)
    }
  }

  /// `[NSUserDefaults …` uses the class, and so does `NSUserDefaults.standardUserDefaults`; `NSUserDefaults *` is a type.
  private static func isReceiver(_ tokens: [CToken], _ index: Int) -> Bool {
    if index > 0, tokens[index - 1].isPunctuation("[") { return true }
    return index + 1 < tokens.count && tokens[index + 1].isPunctuation(".")
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    // A program of a package is no bundle.
    guard target.target.kind != .other else { return [] }
    let declared = target.covering
    let own = Set(target.target.sources.map(\.path))
    var first: [String: PlacedObservation] = [:]
    var counts: [String: Int] = [:]
    for seen in target.carried(by: self) {
      let fits = [seen.name, seen.detail("or")].compactMap { $0 }
      if fits.contains(where: { declared[$0] != nil }) { continue }
      counts[seen.name, default: 0] += 1
      // The target's own code comes first: it is what the team can see.
      let isOwn = own.contains(seen.path)
      if let known = first[seen.name],
        (own.contains(known.path) ? 0 : 1, known.path, known.line) <= (isOwn ? 0 : 1, seen.path, seen.line)
      {
        continue
      }
      first[seen.name] = seen
    }
    return first.keys.sorted().compactMap { id in first[id].map { finding(id, $0, counts[id] ?? 1, target) } }
  }

  private func finding(_ id: String, _ seen: PlacedObservation, _ count: Int, _ target: AuditedTarget) -> Finding {
    let label = facts.category(id)?.label ?? id
    let symbol = seen.detail("symbol") ?? id
    let more = count > 1 ? ", the first of \(count) uses" : ""
    let other = seen.detail("or").map { " or \($0)" } ?? ""
    let manifest =
      target.target.manifests.isEmpty
      ? "\(target.target.name) has no \(PrivacyManifest.fileName)"
      : "\(target.target.name)'s manifest does not declare it"
    let codes = facts.reasons.filter { $0.category == id && ($0.who == "any" || target.target.kind == .package) }
    let choice = codes.map { "\($0.code) (\($0.meaning))" }.joined(separator: ", ")
    // Of a library alone, and of what is linked in but perhaps never called, the store may say nothing.
    let isOwn = target.seen(by: self).contains { $0.path == seen.path && $0.observation == seen.observation }
    let isCertain = isOwn && target.target.kind != .package && !target.target.isVendored
    let severity: Severity = isCertain ? .error : .warning
    return finding(
      severity, at: seen, in: target,
      "\(symbol) reads \(label)\(more), and \(manifest): the upload may get a notice or rejection",
      fix:
        "Declare \(id)\(other) in \(target.target.name)'s \(PrivacyManifest.fileName) with the reason that is true: \(choice).",
      error: "ITMS-91053")
  }
}

extension AuditedTarget {
  /// The categories and codes that the manifests that cover this target's code declare: its own, and for code that is
  /// linked statically those of the bundles that link it.
  var covering: [String: Set<String>] {
    var declared: [String: Set<String>] = [:]
    func add(_ manifests: [PrivacyManifest]) {
      for manifest in manifests where manifest.hasRightName {
        declared.merge(manifest.declaredReasons) { $0.union($1) }
      }
    }
    add(target.manifests)
    if target.kind == .package || target.kind == .staticLibrary {
      for bundle in project.targets where bundle.isBundle || bundle.kind == .framework {
        if project.links(bundle, target.name) { add(bundle.manifests) }
      }
    }
    return declared
  }
}

extension Project {
  /// Whether `bundle` links `name`, directly or through what it links.
  func links(_ bundle: Target, _ name: String) -> Bool {
    var known: Set<String> = []
    var open = bundle.dependencies
    while let next = open.popLast() {
      guard known.insert(next).inserted else { continue }
      if next == name { return true }
      for target in targets where target.name == next { open += target.dependencies }
      open += products[next] ?? []
    }
    return false
  }
}
