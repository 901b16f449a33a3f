/// Reads the `project.yml` of XcodeGen, where no project was generated.
struct XcodeGenReader {
  let files: ProjectFiles
  private let path: String
  private let base: String
  private(set) var targets: [Target] = []
  private(set) var notes: [Note] = []

  init(files: ProjectFiles, path: String) {
    self.files = files
    self.path = path
    base = Path.folder(path)
    guard case .success(let bytes) = files.read(path), let project = YAML.read(bytes) else {
      notes.append(Note(path: path, message: "is no YAML that can be read"))
      return
    }
    var shared = BuildSettings()
    add(project["settings"], to: &shared, groups: project["settingGroups"])
    if let version = project["options"]?["deploymentTarget"]?["iOS"]?.string {
      shared.set("IPHONEOS_DEPLOYMENT_TARGET", version)
    }
    file(project["configFiles"], to: &shared)
    let templates = project["targetTemplates"]
    for entry in project["targets"]?.entries ?? [] {
      read(entry.key, Self.merged(entry.value, templates, depth: 0), over: shared, groups: project["settingGroups"])
    }
  }

  /// A target with what its templates say below what it says itself.
  private static func merged(_ target: YAML, _ templates: YAML?, depth: Int) -> YAML {
    guard depth < 8 else { return target }
    var entries: [YAML.Entry] = []
    for name in target["templates"]?.items.compactMap(\.string) ?? [] {
      if let template = templates?[name] { entries += merged(template, templates, depth: depth + 1).entries }
    }
    // Lists of a template and of the target are both meant; the rest is the target's.
    for entry in target.entries {
      if let former = entries.last(where: { $0.key == entry.key })?.value, case .sequence(let items) = former,
        case .sequence(let own) = entry.value
      {
        entries.append(YAML.Entry(key: entry.key, line: entry.line, value: .sequence(items + own)))
      } else {
        entries.append(entry)
      }
    }
    return .mapping(entries)
  }

  private mutating func read(_ name: String, _ node: YAML, over shared: BuildSettings, groups: YAML?) {
    let platforms = [node["platform"]?.string].compactMap { $0 } + (node["platform"]?.items.compactMap(\.string) ?? [])
    guard platforms.isEmpty || platforms.contains("iOS") || platforms.contains("auto") else {
      notes.append(Note(path: path, message: "\(name) is not built for iOS: left out"))
      return
    }
    var target = Target(name: name, kind: Self.kind(node["type"]?.string ?? ""))
    guard target.kind != .test else { return }
    target.folder = base
    var settings = shared
    settings.set("TARGET_NAME", name)
    settings.set("PRODUCT_NAME", name)
    settings.set("SRCROOT", "")
    settings.set("PROJECT_DIR", "")
    file(node["configFiles"], to: &settings)
    add(node["settings"], to: &settings, groups: groups)
    if let version = node["deploymentTarget"]?.string { settings.set("IPHONEOS_DEPLOYMENT_TARGET", version) }
    for key in ["info", "entitlements"] {
      if let file = node[key]?["path"]?.string {
        settings.set(key == "info" ? "INFOPLIST_FILE" : "CODE_SIGN_ENTITLEMENTS", file)
      }
    }
    target.deploymentTarget = settings["IPHONEOS_DEPLOYMENT_TARGET"]
    target.conditions = Set(
      (settings["SWIFT_ACTIVE_COMPILATION_CONDITIONS"] ?? "").split(separator: " ").map(String.init))
    for path in members(node["sources"]) { add(path, to: &target) }
    target.dependencies = Self.links(node["dependencies"])
    finish(&target, node, settings)
    targets.append(target)
  }

  private mutating func finish(_ target: inout Target, _ node: YAML, _ settings: BuildSettings) {
    var reader = TargetSettingsReader(files: files, settings: settings, base: base, projectFile: path)
    let properties = node["info"]?["properties"]
    reader.finish(&target)
    // XcodeGen writes the file itself when `info` is there: that it is missing is no fault.
    notes += reader.notes.filter { _ in properties == nil }
    if let properties {
      var plist = target.infoPlist ?? InfoPlist(path: path, entries: [])
      if plist.path == path { plist.isComplete = true }
      for entry in properties.entries {
        plist.entries.append(
          InfoPlist.Entry(
            key: entry.key, node: Self.property(entry.value, line: entry.line, settings),
            place: Place(path: path, line: entry.line)))
      }
      target.infoPlist = plist
    }
    if let properties = node["entitlements"]?["properties"] {
      target.entitlements.append(
        PropertyListFile(
          path: path, root: Self.property(properties, line: properties.entries.first?.line ?? 0, settings)))
    }
  }

  private static func property(_ value: YAML, line: Int, _ settings: BuildSettings) -> PropertyNode {
    switch value {
    case .scalar(let text):
      switch text {
      case "true", "yes", "YES": PropertyNode(value: .boolean(true), line: line)
      case "false", "no", "NO": PropertyNode(value: .boolean(false), line: line)
      default: PropertyNode(value: .string(settings.resolve(text)), line: line)
      }
    case .sequence(let items): PropertyNode(value: .array(items.map { property($0, line: line, settings) }), line: line)
    case .mapping(let entries):
      PropertyNode(
        value: .dictionary(
          entries.map { PropertyEntry(key: $0.key, line: $0.line, node: property($0.value, line: $0.line, settings)) }),
        line: line)
    }
  }

  private static func kind(_ type: String) -> Target.Kind {
    switch type {
    case "application", "application.on-demand-install-capable", "application.messages": .app
    case "app-extension", "extensionkit-extension", "app-extension.messages": .appExtension
    case "framework": .framework
    case "library.static", "framework.static": .staticLibrary
    case "bundle.unit-test", "bundle.ui-testing": .test
    default: .other
    }
  }

  /// `base`, the Release configuration, groups and plain settings.
  private func add(_ node: YAML?, to settings: inout BuildSettings, groups: YAML?, depth: Int = 0) {
    guard let node, depth < 8 else { return }
    for group in node["groups"]?.items.compactMap(\.string) ?? [] {
      add(groups?[group], to: &settings, groups: groups, depth: depth + 1)
    }
    let isGrouped = node["base"] != nil || node["configs"] != nil || node["groups"] != nil
    for entry in (isGrouped ? node["base"] : node)?.entries ?? [] { Self.set(entry, in: &settings) }
    for configuration in node["configs"]?.entries ?? [] where configuration.key.lowercased().contains("release") {
      for entry in configuration.value.entries { Self.set(entry, in: &settings) }
    }
  }

  private static func set(_ entry: YAML.Entry, in settings: inout BuildSettings) {
    if let text = entry.value.string {
      // YAML's own booleans are Xcode's YES and NO.
      settings.set(entry.key, text == "true" ? "YES" : text == "false" ? "NO" : text)
    } else if case .sequence(let items) = entry.value {
      settings.set(entry.key, items.compactMap(\.string).joined(separator: " "))
    }
  }

  private mutating func file(_ node: YAML?, to settings: inout BuildSettings) {
    for entry in node?.entries ?? [] where entry.key.lowercased().contains("release") {
      guard let file = entry.value.string.flatMap({ Path.join(base, $0) }) else { continue }
      var reader = ConfigurationFileReader(files: files)
      reader.read(file, into: &settings)
      notes += reader.notes
    }
  }

  private func members(_ sources: YAML?) -> [String] {
    var entries = sources?.items ?? []
    if let sources, entries.isEmpty { entries = [sources] }
    var paths: [String] = []
    for entry in entries {
      guard let path = (entry.string ?? entry["path"]?.string).flatMap({ Path.join(base, $0) }) else { continue }
      let excluded = entry["excludes"]?.items.compactMap(\.string) ?? []
      for member in files.contains(path) ? [path] : files.below(path) {
        let inside = String(member.dropFirst(path.isEmpty ? 0 : path.count + 1))
        if !excluded.contains(where: { Self.isMatch(inside, $0) }), !Exclusion.isPreview(member) {
          paths.append(member)
        }
      }
    }
    var known: Set<String> = []
    return paths.filter { known.insert($0).inserted }
  }

  /// The patterns that such files use: `**/*.md`, `Folder`, `Folder/**`, `*.plist`.
  private static func isMatch(_ path: String, _ pattern: String) -> Bool {
    if pattern.hasPrefix("**/*") { return path.hasSuffix(pattern.dropFirst(4)) }
    if pattern.hasPrefix("*") { return path.hasSuffix(pattern.dropFirst()) && !path.contains("/") }
    let folder =
      pattern.hasSuffix("/**")
      ? String(pattern.dropLast(3)) : pattern.hasSuffix("/*") ? String(pattern.dropLast(2)) : pattern
    if folder.hasPrefix("**/") { return ("/" + path + "/").contains("/" + folder.dropFirst(3) + "/") }
    return path == folder || path.hasPrefix(folder + "/")
  }

  private static func links(_ node: YAML?) -> [String] {
    (node?.items ?? []).flatMap { item -> [String] in
      if let name = item["target"]?.string { return [name] }
      guard let package = item["package"]?.string else { return [item["framework"]?.string].compactMap { $0 } }
      return [item["product"]?.string ?? package] + (item["products"]?.items.compactMap(\.string) ?? [])
    }
  }

  private func add(_ path: String, to target: inout Target) {
    if let language = SourceFile.Language(path: path) {
      target.sources.append(SourceFile(path: path, language: language))
    } else if Exclusion.isManifestLike(path) {
      target.manifests.append(PropertyListReading.manifest(path, in: files))
    } else {
      target.resources.append(path)
    }
  }
}
