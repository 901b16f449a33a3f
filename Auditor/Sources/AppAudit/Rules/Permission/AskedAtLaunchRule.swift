import SwiftSyntax

/// A permission is asked for before the person has seen what for.
struct AskedAtLaunchRule: Rule {
  let about = RuleDescription(
    id: "permission.at-launch",
    kind: .permission,
    title: "A permission is asked for at launch",
    why: """
      People who do not know yet what the app does refuse, and iOS does not ask again. Apple's guidelines want the question \
      at the moment of use. Launch is didFinishLaunching, the start of a scene, the initialiser of the App, and onAppear or \
      task of it or of its first view; functions of the project that are called there count. Provisional notifications, \
      which ask nothing, are silent.
      """,
    fix: "Ask when the person does what needs it.")

  private let facts = PermissionFacts.shared
  var words: Words {
    Words(
      exact: Set(facts.asks.map(\.call)).union([
        "didFinishLaunchingWithOptions", "willFinishLaunchingWithOptions", "WindowGroup", "willConnectTo",
        "requestAuthorizationWithOptions", "requestAccessForMediaType", "requestAccessForEntityType",
        "requestAccessToEntityType", "requestTrackingAuthorizationWithCompletionHandler",
      ]))
  }
  let nodeKinds: [SyntaxKind] = [.functionCallExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    guard let call = node.as(FunctionCallExprSyntax.self), let name = call.calledName else { return }
    let line = source.line(of: call)
    if let root = rootView(call) { notebook.note("root", line: line, ["type": root]) }
    let place = launchPlace(Syntax(call))
    if let ask = facts.ask(call, in: source), !isProvisional(call) {
      if let place { notebook.note("ask", line: line, ["what": ask.name, "where": place]) }
      if let view = appearing(Syntax(call)) { notebook.note("view-ask", line: line, ["what": ask.name, "type": view]) }
      if let function = call.enclosingFunctionName {
        notebook.note(
          "function-ask", line: line,
          ["what": ask.name, "function": function, "type": call.enclosingTypes.last ?? ""])
      }
    } else if let place {
      notebook.note(
        "call", line: line,
        ["function": name, "base": call.calledBase ?? "self", "type": call.enclosingTypes.last ?? "", "where": place])
    } else if let view = appearing(Syntax(call)) {
      notebook.note(
        "view-call", line: line,
        ["function": name, "base": call.calledBase ?? "self", "type": view, "where": "the first view's appearing"])
    }
  }

  private func isProvisional(_ call: FunctionCallExprSyntax) -> Bool {
    call.argument("options")?.trimmedDescription.contains(".provisional") == true
  }

  /// The view in `WindowGroup { RootView() }`.
  private func rootView(_ call: FunctionCallExprSyntax) -> String? {
    guard let name = call.calledName, call.calledBase == nil, name.first?.isUppercase == true,
      let closure = call.nearest(ClosureExprSyntax.self),
      closure.nearest(FunctionCallExprSyntax.self)?.calledName == "WindowGroup"
    else { return nil }
    return name
  }

  /// Where the node stands, when that runs at launch.
  private func launchPlace(_ node: Syntax) -> String? {
    var next = node.parent
    while let parent = next {
      switch parent.as(SyntaxEnum.self) {
      case .functionDecl(let function):
        let labels = function.signature.parameterClause.parameters.map(\.firstName.text)
        if function.name.text == "application",
          labels.contains("didFinishLaunchingWithOptions") || labels.contains("willFinishLaunchingWithOptions")
        {
          return "didFinishLaunching"
        }
        return function.name.text == "scene" && labels.contains("willConnectTo") ? "the start of the scene" : nil
      case .initializerDecl: return isApp(parent) ? "the initialiser of the App" : nil
      case .closureExpr(let closure):
        if appears(closure), isApp(parent) { return "the App's first scene" }
      default: break
      }
      next = parent.parent
    }
    return nil
  }

  private func isApp(_ node: Syntax) -> Bool {
    guard let type = node.nearest(StructDeclSyntax.self) else { return false }
    return type.inheritanceClause?.inheritedTypes.contains {
      ["App", "SwiftUI.App"].contains($0.type.trimmedDescription)
    } == true
  }

  private func appears(_ closure: ClosureExprSyntax) -> Bool {
    guard let call = closure.nearest(FunctionCallExprSyntax.self),
      call.closures.contains(where: { $0.id == closure.id })
    else {
      return false
    }
    return ["onAppear", "task"].contains(call.calledName) && call.calledBase != nil && call.argument("id") == nil
  }

  /// The view whose onAppear or task the node stands in.
  private func appearing(_ node: Syntax) -> String? {
    var next = node.parent
    while let parent = next {
      if let closure = parent.as(ClosureExprSyntax.self) {
        if appears(closure) { return isApp(parent) ? nil : parent.enclosingTypes.last }
        if let call = closure.nearest(FunctionCallExprSyntax.self),
          ["Button", "onTapGesture", "onChange", "onReceive"].contains(call.calledName)
        {
          return nil
        }
      }
      if parent.is(FunctionDeclSyntax.self) { return nil }
      next = parent.parent
    }
    return nil
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    for message in source.messages {
      guard let ask = facts.objectiveC.first(where: { $0.selector == message.selector }),
        let body = source.body(at: message.index), body.head.contains("didFinishLaunchingWithOptions")
      else { continue }
      notebook.note("ask", line: message.line, ["what": ask.name, "where": "didFinishLaunching"])
    }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    let seen = target.seen(by: self)
    let roots = Set(seen.filter { $0.name == "root" }.compactMap { $0.detail("type") })
    var findings = seen.filter { $0.name == "ask" }.map { report($0, $0.detail("where"), target) }
    findings += seen.filter { $0.name == "view-ask" && roots.contains($0.detail("type") ?? "") }.map {
      report($0, "the first view's appearing", target)
    }
    let asking = seen.filter { $0.name == "function-ask" }
    let calls = seen.filter { $0.name == "call" || $0.name == "view-call" && roots.contains($0.detail("type") ?? "") }
    for ask in asking {
      let function = ask.detail("function") ?? ""
      let type = ask.detail("type") ?? ""
      guard let call = calls.first(where: { Self.reaches($0, function, type) }) else { continue }
      findings.append(report(ask, call.detail("where"), target))
    }
    return findings
  }

  /// Whether the call at launch is one of that function of that type.
  private static func reaches(_ call: PlacedObservation, _ function: String, _ type: String) -> Bool {
    guard call.detail("function") == function else { return false }
    let base = call.detail("base") ?? ""
    if base == "self" { return type.isEmpty || call.detail("type") == type }
    if type.isEmpty { return false }
    if base == type || base.hasPrefix(type + ".") || base.hasPrefix(type + "(") { return true }
    // A variable that is named after its type.
    let name = base.split(separator: ".").last.map(String.init) ?? base
    return name.lowercased() == type.lowercased()
  }

  private func report(_ seen: PlacedObservation, _ place: String?, _ target: AuditedTarget) -> Finding {
    finding(
      .warning, at: seen, in: target,
      "\(seen.detail("what") ?? "a permission"): asked for at launch (\(place ?? "launch"))")
  }
}
