import Foundation

/// Reads `project.pbxproj`: targets, what they are made of, and the settings of their Release configuration.
struct XcodeProjectReader {
  let files: ProjectFiles
  /// The file itself, relative to the root.
  let path: String
  /// The folder that its paths are relative to.
  private let folder: String
  private var objects: [String: PropertyNode] = [:]
  private var lines: [String: Int] = [:]
  /// Where each file reference and group lies.
  private var places: [String: String] = [:]
  private(set) var targets: [Target] = []
  private(set) var notes: [Note] = []

  /// Groups inside groups.
  private static let depthMax = 100

  init(files: ProjectFiles, path: String) {
    self.files = files
    self.path = path
    folder = Path.folder(Path.folder(path))
    guard let root = PropertyListReading.read(path, in: files, notes: &notes) else { return }
    for entry in root["objects"]?.entries ?? [] { objects[entry.key] = entry.node }
    guard let projectID = root["rootObject"]?.string, let project = objects[projectID] else {
      notes.append(Note(path: path, message: "the project has no root object"))
      return
    }
    let base = project["projectDirPath"]?.string.flatMap { Path.join(folder, $0) } ?? folder
    if let group = project["mainGroup"]?.string { place(group, in: base, depth: 0) }
    let settings = self.settings(of: project, over: BuildSettings(), base: base)
    for id in project["targets"]?.items.compactMap(\.string) ?? [] {
      if let node = objects[id] { read(node, id: id, over: settings, base: base) }
    }
  }

  /// Follows groups down from the main one, and writes down where each file lies.
  private mutating func place(_ id: String, in parent: String, depth: Int) {
    guard depth < Self.depthMax, places[id] == nil, let node = objects[id] else { return }
    let own = node["path"]?.string
    let start =
      switch node["sourceTree"]?.string ?? "<group>" {
      case "<group>", "<absolute>": parent
      case "SOURCE_ROOT": folder
      // Products and SDKs: not in the folder.
      default: ""
      }
    if let tree = node["sourceTree"]?.string, !["<group>", "SOURCE_ROOT"].contains(tree) { return }
    guard let here = own.map({ Path.join(start, $0) }) ?? start else { return }
    places[id] = here
    for child in node["children"]?.items.compactMap(\.string) ?? [] { place(child, in: here, depth: depth + 1) }
  }

  private static func kind(_ productType: String) -> Target.Kind {
    switch productType.replacingOccurrences(of: "com.apple.product-type.", with: "") {
    case "application", "application.on-demand-install-capable", "application.messages": .app
    case "app-extension", "extensionkit-extension", "app-extension.messages", "app-extension.messages-sticker-pack",
      "app-extension.intents-service":
      .appExtension
    case "framework": .framework
    case "library.static", "framework.static": .staticLibrary
    case "bundle.unit-test", "bundle.ui-testing": .test
    default: .other
    }
  }

  private mutating func read(_ node: PropertyNode, id: String, over project: BuildSettings, base: String) {
    guard let name = node["name"]?.string, node["isa"]?.string == "PBXNativeTarget" else { return }
    var settings = project
    settings.set("TARGET_NAME", name)
    settings.set("PRODUCT_NAME", name)
    settings.set("SRCROOT", "")
    settings.set("PROJECT_DIR", "")
    settings = self.settings(of: node, over: settings, base: base)
    var target = Target(name: name, kind: Self.kind(node["productType"]?.string ?? ""))
    target.folder = base
    guard target.kind != .test, Self.isForPhone(settings) else {
      if target.kind != .test { notes.append(Note(path: path, message: "\(name) is not built for iOS: left out")) }
      return
    }
    if target.kind == .framework, settings["MACH_O_TYPE"] == "staticlib" { target.kind = .staticLibrary }
    target.deploymentTarget = settings["IPHONEOS_DEPLOYMENT_TARGET"]
    target.conditions = Set(
      (settings["SWIFT_ACTIVE_COMPILATION_CONDITIONS"] ?? "").split(separator: " ").map(String.init).filter {
        !$0.contains("$")
      })
    for path in members(of: node, id: id) { add(path, to: &target) }
    target.dependencies = linked(node)
    var reader = TargetSettingsReader(files: files, settings: settings, base: base, projectFile: path)
    reader.finish(&target)
    notes += reader.notes
    targets.append(target)
  }

  private static func isForPhone(_ settings: BuildSettings) -> Bool {
    if let platforms = settings["SUPPORTED_PLATFORMS"], !platforms.contains("$") {
      return platforms.contains("iphoneos")
    }
    guard let sdk = settings["SDKROOT"] else { return true }
    return sdk.hasPrefix("iphone") || sdk == "auto" || sdk.contains("$") || sdk.isEmpty
  }

  // MARK: Settings

  /// Those of the object's Release configuration, over `settings`.
  private mutating func settings(of owner: PropertyNode, over settings: BuildSettings, base: String) -> BuildSettings {
    var settings = settings
    guard let list = owner["buildConfigurationList"]?.string.flatMap({ objects[$0] }) else { return settings }
    let configurations = (list["buildConfigurations"]?.items.compactMap(\.string) ?? []).compactMap { objects[$0] }
    guard let chosen = Self.release(configurations, default: list["defaultConfigurationName"]?.string) else {
      return settings
    }
    let file =
      chosen["baseConfigurationReference"]?.string.flatMap { places[$0] }
      ?? chosen["baseConfigurationReferenceAnchor"]?.string.flatMap { places[$0] }.flatMap {
        anchor in chosen["baseConfigurationReferenceRelativePath"]?.string.flatMap { Path.join(anchor, $0) }
      }
    if let file, files.contains(file) {
      var reader = ConfigurationFileReader(files: files)
      reader.read(file, into: &settings)
      notes += reader.notes
    }
    for entry in chosen["buildSettings"]?.entries ?? [] {
      let value = entry.node.string ?? entry.node.items.compactMap(\.string).joined(separator: " ")
      settings.set(entry.key, value)
    }
    return settings
  }

  private static func release(_ configurations: [PropertyNode], default name: String?) -> PropertyNode? {
    func named(_ test: (String) -> Bool) -> PropertyNode? { configurations.first { test($0["name"]?.string ?? "") } }
    return named { $0 == "Release" } ?? named { $0.contains("AppStore") || $0.contains("App Store") }
      ?? named { $0.contains("Release") || $0.contains("Production") } ?? named { $0 == name } ?? configurations.last
  }

  // MARK: Members

  private func members(of node: PropertyNode, id: String) -> [String] {
    var paths: [String] = []
    for phase in (node["buildPhases"]?.items.compactMap(\.string) ?? []).compactMap({ objects[$0] }) {
      guard ["PBXSourcesBuildPhase", "PBXResourcesBuildPhase"].contains(phase["isa"]?.string) else { continue }
      for file in (phase["files"]?.items.compactMap(\.string) ?? []).compactMap({ objects[$0] }) {
        if let reference = file["fileRef"]?.string { paths += contents(of: reference) }
      }
    }
    paths += synchronized(node, id: id)
    var known: Set<String> = []
    return paths.filter { known.insert($0).inserted }
  }

  /// The files of a reference: itself, the languages of a variant group, what is in a folder that is copied.
  private func contents(of reference: String) -> [String] {
    guard let node = objects[reference] else { return [] }
    if node["isa"]?.string == "PBXVariantGroup" {
      return (node["children"]?.items.compactMap(\.string) ?? []).compactMap { places[$0] }.filter(files.contains)
    }
    guard let path = places[reference] else { return [] }
    return files.contains(path) ? [path] : files.below(path)
  }

  /// Files of the folders that Xcode 16 keeps in step by itself, less the exceptions of this target. An exception of a
  /// target that does not hold the folder adds the file to it.
  private func synchronized(_ node: PropertyNode, id: String) -> [String] {
    let held = Set(node["fileSystemSynchronizedGroups"]?.items.compactMap(\.string) ?? [])
    var paths: [String] = []
    for (group, object) in objects where object["isa"]?.string == "PBXFileSystemSynchronizedRootGroup" {
      guard let folder = places[group] else { continue }
      var exceptions: Set<String> = []
      for set in (object["exceptions"]?.items.compactMap(\.string) ?? []).compactMap({ objects[$0] })
      where set["target"]?.string == id {
        for name in set["membershipExceptions"]?.items.compactMap(\.string) ?? [] {
          if let path = Path.join(folder, name) { exceptions.insert(path) }
        }
      }
      if held.contains(group) {
        paths += files.below(folder).filter { path in
          !exceptions.contains { path == $0 || path.hasPrefix($0 + "/") } && !Exclusion.isPreview(path)
        }
      } else {
        paths += exceptions.filter(files.contains).sorted()
      }
    }
    return paths.sorted()
  }

  private func add(_ path: String, to target: inout Target) {
    if let language = SourceFile.Language(path: path) {
      if !Exclusion.isPreview(path) { target.sources.append(SourceFile(path: path, language: language)) }
    } else if Exclusion.isManifestLike(path) {
      target.manifests.append(PropertyListReading.manifest(path, in: files))
    } else {
      target.resources.append(path)
    }
  }

  // MARK: Links

  private func linked(_ node: PropertyNode) -> [String] {
    var names: [String] = []
    for id in node["packageProductDependencies"]?.items.compactMap(\.string) ?? [] {
      if let name = objects[id]?["productName"]?.string { names.append(name) }
    }
    for phase in (node["buildPhases"]?.items.compactMap(\.string) ?? []).compactMap({ objects[$0] })
    where phase["isa"]?.string == "PBXFrameworksBuildPhase" {
      for file in (phase["files"]?.items.compactMap(\.string) ?? []).compactMap({ objects[$0] }) {
        let product = file["productRef"]?.string.flatMap { objects[$0]?["productName"]?.string }
        let reference = file["fileRef"]?.string.flatMap { objects[$0] }
        guard let name = product ?? reference?["path"]?.string ?? reference?["name"]?.string else { continue }
        names.append(Self.linkName(Path.name(name)))
      }
    }
    return names
  }

  /// `Core` of `Core.framework` and of `libCore.a`.
  private static func linkName(_ file: String) -> String {
    let stem = file.hasSuffix(".framework") || file.hasSuffix(".a") ? String(file.prefix { $0 != "." }) : file
    return stem.hasPrefix("lib") && file.hasSuffix(".a") ? String(stem.dropFirst(3)) : stem
  }
}
