import SwiftSyntax

/// A protected API is used and the Info.plist does not say for what.
struct UsageMissingRule: Rule {
  let about = RuleDescription(
    id: "usage-description.missing",
    kind: .usageDescription,
    title: "A protected API is used, and its usage description is missing",
    why: """
      iOS ends the app, or denies the call, when the text is missing that the question shows; uploads are answered with \
      ITMS-90683. Pickers that run outside of the app (photos, contacts) and calls that only ask for the state need no \
      text, and are not judged; nor is a target whose Info.plist is not in the folder.
      """,
    fix: "Add the key to the target's Info.plist, with a sentence that says what the person gets out of it.",
    appStoreErrors: ["ITMS-90683"])

  private let facts = UsageFacts.shared
  let reach = Reach.function

  var words: Words {
    // A method's name may be as common as `default`: where the receiver is known, that is looked for.
    var exact: Set<String> = []
    for trigger in facts.keys.flatMap(\.triggers) {
      exact.formUnion([trigger.owner ?? trigger.call, trigger.type, trigger.function].compactMap { $0 })
    }
    return Words(exact: exact)
  }

  let nodeKinds: [SyntaxKind] = [.functionCallExpr, .memberAccessExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    if let call = node.as(FunctionCallExprSyntax.self) {
      observe(call, source, &notebook)
    } else if let member = node.as(MemberAccessExprSyntax.self), member.parent?.is(FunctionCallExprSyntax.self) == false
    {
      // `for try await update in CLLocationUpdate.liveUpdates` and its like are calls; a member alone is a type's use.
      guard let base = member.base?.trimmedDescription else { return }
      for key in facts.keys where key.triggers.contains(where: { $0.type == base }) && key.isRequired {
        let name = member.declName.baseName.text
        guard name != "self", !name.lowercased().contains("available"), !name.contains("Status"),
          !name.contains("upported"), name != "authorization"
        else { continue }
        notebook.note(key.key, line: source.line(of: member), ["symbol": base + "." + name])
      }
    }
  }

  private func observe(_ call: FunctionCallExprSyntax, _ source: SwiftSource, _ notebook: inout Notebook) {
    guard let name = call.calledName else { return }
    let base = call.calledBase
    for key in facts.keys {
      for trigger in key.triggers where matches(trigger, name, base, call, source) {
        let symbol = trigger.type ?? (trigger.owner.map { $0 + "." } ?? "") + name
        notebook.note(key.key, line: source.line(of: call.calledExpression), ["symbol": symbol])
        break
      }
    }
  }

  private func matches(
    _ trigger: UsageFacts.Trigger, _ name: String, _ base: String?, _ call: FunctionCallExprSyntax,
    _ source: SwiftSource
  ) -> Bool {
    if let type = trigger.type { return name == type && base == nil && !source.isOwnType(type, at: call) }
    if let function = trigger.function { return name == function && base == nil }
    guard trigger.call == name, base != nil else { return false }
    if source.declaredFunctions.contains(name), base == "self" { return false }
    if let owner = trigger.owner, base != owner, base?.hasPrefix(owner + ".") != true,
      base?.hasPrefix(owner + "(") != true
    {
      return false
    }
    if let modules = trigger.modules, source.imports.isDisjoint(with: modules) { return false }
    guard let wanted = trigger.argument else {
      // The general question for photos: one with a level of its own has a row of its own.
      return !(trigger.owner == "PHPhotoLibrary" && call.argument("for") != nil)
    }
    if wanted.hasSuffix(":") {
      guard let argument = call.argument(String(wanted.dropLast())) else { return false }
      return !["nil", "[]", "Set()"].contains(argument.trimmedDescription)
    }
    return call.arguments.contains { $0.expression.trimmedDescription.hasSuffix(wanted) }
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    for message in source.messages {
      for key in facts.keys {
        for trigger in key.triggers where matches(trigger, message) {
          notebook.note(key.key, line: message.line, ["symbol": trigger.type ?? message.selector])
          break
        }
      }
    }
    for call in source.calls {
      for key in facts.keys where key.triggers.contains(where: { $0.function == call.name }) {
        notebook.note(key.key, line: call.line, ["symbol": call.name])
      }
    }
  }

  private func matches(_ trigger: UsageFacts.Trigger, _ message: CSource.Message) -> Bool {
    if let type = trigger.type { return message.receiverName == type && ["alloc", "new"].contains(message.selector) }
    guard let name = trigger.call else { return false }
    let first = message.selector.prefix { $0 != ":" }
    guard first == name || first.hasPrefix(name + "With") || (name == "evaluatePolicy" && first == name) else {
      return false
    }
    if let owner = trigger.owner, message.receiverName != owner { return false }
    guard let wanted = trigger.argument else { return true }
    if wanted.hasSuffix(":") { return message.selector.lowercased().contains(wanted.dropLast().lowercased()) }
    return message.arguments.contains { $0.contains { $0.text == wanted } }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    guard target.target.isBundle, let plist = target.target.infoPlist, plist.isComplete else { return [] }
    var first: [String: PlacedObservation] = [:]
    for seen in target.linked(by: self) {
      if let known = first[seen.name], (known.path, known.line) <= (seen.path, seen.line) { continue }
      first[seen.name] = seen
    }
    return facts.keys.compactMap { key in
      guard let seen = first[key.key], !([key.key] + key.instead).contains(where: { declared($0, in: target) }) else {
        return nil
      }
      let symbol = seen.detail("symbol") ?? "a protected API"
      if key.isRequired {
        return finding(
          .error, at: seen, in: target, "\(symbol) is used, and \(key.key) is missing in \(plist.path)",
          fix: "Add \(key.key) with a sentence that says what the person gets out of it.", error: "ITMS-90683")
      }
      return finding(
        .note, at: seen, in: target, "\(symbol) is used, and \(key.key) is missing: the question shows a general text")
    }
  }

  /// In the target's own list, or for an extension in that of the app that holds it, whose questions it shows.
  private func declared(_ key: String, in target: AuditedTarget) -> Bool {
    if target.target.infoPlist?[key] != nil { return true }
    guard target.target.kind == .appExtension else { return false }
    return target.project.targets.contains {
      $0.kind == .app && ($0.infoPlist?[key] != nil || $0.infoPlist?.isComplete == false)
    }
  }
}
