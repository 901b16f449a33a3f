/// Reads a folder that holds no project: its files make one app, its extensions and embedded SDKs one target each.
struct FolderReader {
  let files: ProjectFiles
  private(set) var notes: [Note] = []

  init(files: ProjectFiles) { self.files = files }

  /// Endings of folders that are bundles, and what is built into them.
  private static let bundles: [String: Target.Kind] = ["app": .app, "appex": .appExtension, "framework": .framework]

  /// Folders of other people's source alone, for a project that has its own list of the rest.
  mutating func vendoredTargets() -> [Target] {
    let pods = files.paths.filter { path in
      !Exclusion.isTestOrPreview(path) && path.split(separator: "/").contains { $0 == "Pods" }
    }
    let owners = vendoredFolders(pods)
    var groups: [String: [String]] = [:]
    for path in pods { groups[Self.owner(of: path, among: owners), default: []].append(path) }
    return owners.map { target(folder: $0, paths: groups[$0] ?? []) }.filter { !$0.sources.isEmpty }
  }

  /// - Parameters:
  ///   - packages: Folders whose files belong to Swift packages.
  ///   - taken: Files of local pods.
  mutating func targets(outside packages: [String] = [], without taken: Set<String> = []) -> [Target] {
    let shipped = files.paths.filter { path in
      !Exclusion.isTestOrPreview(path) && !taken.contains(path) && !packages.contains { path.hasPrefix($0 + "/") }
    }
    guard packages.isEmpty || shipped.contains(where: { SourceFile.Language(path: $0) != nil }) else { return [] }
    let bundleFolders = files.folders.filter { Self.bundles[Path.suffix($0)] != nil }
    let owners = bundleFolders + extensionFolders(shipped) + vendoredFolders(shipped)
    var groups: [String: [String]] = [:]
    for path in shipped { groups[Self.owner(of: path, among: owners), default: []].append(path) }
    for folder in bundleFolders where groups[folder] == nil { groups[folder] = [] }
    var targets = groups.keys.sorted().map { target(folder: $0, paths: groups[$0] ?? []) }
    // Without a project nobody says what links what: every bundle is taken to link every library.
    let libraries = targets.filter(\.isLinkedStatically).map(\.name)
    for index in targets.indices where targets[index].isBundle { targets[index].dependencies = libraries }
    return targets
  }

  /// The innermost of `folders` that the file is in; the root where it is in none.
  private static func owner(of path: String, among folders: [String]) -> String {
    folders.filter { path.hasPrefix($0 + "/") }.max { $0.count < $1.count } ?? ""
  }

  private mutating func extensionFolders(_ paths: [String]) -> [String] {
    paths.compactMap { path in
      guard Path.name(path) == "Info.plist", Self.bundles[Path.suffix(Path.folder(path))] == nil,
        !Path.folder(path).isEmpty,
        let root = PropertyListReading.read(path, in: files, notes: &notes),
        root["NSExtension"] != nil || root["EXAppExtensionAttributes"] != nil
      else { return nil }
      return Path.folder(path)
    }
  }

  /// Each folder of other people's source is a target of its own: with a manifest a bundle, without one a static library.
  private func vendoredFolders(_ paths: [String]) -> [String] {
    var folders: Set<String> = []
    for path in paths {
      let parts = path.split(separator: "/").map(String.init)
      guard let vendor = parts.firstIndex(where: Exclusion.vendorFolders.contains), vendor + 2 < parts.count else {
        continue
      }
      if ["Target Support Files", "Headers", "Local Podspecs", "Pods.xcodeproj"].contains(parts[vendor + 1]) {
        continue
      }
      folders.insert(parts[...(vendor + 1)].joined(separator: "/"))
    }
    return folders.sorted()
  }

  private mutating func target(folder: String, paths: [String]) -> Target {
    let built = Self.bundles[Path.suffix(folder)]
    let parts = folder.split(separator: "/").map(String.init)
    let isVendored = parts.contains(where: Exclusion.vendorFolders.contains)
    var target = Target(
      name: folder.isEmpty
        ? Path.name(files.root) : built == nil ? Path.name(folder) : String(Path.name(folder).prefix { $0 != "." }),
      kind: built ?? (folder.isEmpty ? .app : isVendored ? .framework : .appExtension))
    target.folder = folder
    target.isVendored = isVendored
    target.isBuilt = built != nil
    for path in paths { add(path, to: &target) }
    if isVendored, built == nil, target.manifests.isEmpty { target.kind = .staticLibrary }
    return target
  }

  private mutating func add(_ path: String, to target: inout Target) {
    let name = Path.name(path)
    if let language = SourceFile.Language(path: path) {
      target.sources.append(SourceFile(path: path, language: language))
    } else if Path.suffix(path) == "entitlements" {
      if let root = PropertyListReading.read(path, in: files, notes: &notes) {
        target.entitlements.append(PropertyListFile(path: path, root: root))
      }
    } else if Exclusion.isManifestLike(path) {
      target.manifests.append(PropertyListReading.manifest(path, in: files))
    } else if name == "Info.plist" || name.hasSuffix("-Info.plist"), Path.suffix(Path.folder(path)) != "lproj" {
      if let root = PropertyListReading.read(path, in: files, notes: &notes), target.infoPlist == nil {
        target.infoPlist = InfoPlist(path: path, root: root)
      }
    } else {
      target.resources.append(path)
    }
  }
}

extension InfoPlist {
  /// That of a file alone.
  init(path: String, root: PropertyNode) {
    self.path = path
    entries = root.entries.map { Entry(key: $0.key, node: $0.node, place: Place(path: path, line: $0.line)) }
  }
}

/// Reading property lists of a project, with a note where one cannot be read.
enum PropertyListReading {
  /// - Parameter isPreprocessed: Whether `#if` and its relatives stand in it (INFOPLIST_PREPROCESS).
  static func read(
    _ path: String, in files: ProjectFiles, isPreprocessed: Bool = false, notes: inout [Note]
  ) -> PropertyNode? {
    switch files.read(path) {
    case .failure(let failure): notes.append(Note(path: path, message: failure.reason))
    case .success(let bytes):
      do throws(PropertyListError) {
        return try PropertyList.read(isPreprocessed ? preprocessed(bytes) : bytes)
      } catch {
        notes.append(Note(path: path, message: "not a property list, line \(error.line): \(error.reason)"))
      }
    }
    return nil
  }

  /// Without directives and the lines that they leave out; what hangs on an unknown macro stays. Lines keep their number.
  private static func preprocessed(_ bytes: [UInt8]) -> [UInt8] {
    var conditions = CConditions()
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line -> ArraySlice<UInt8> in
      let start = line.drop { $0 == 0x20 || $0 == 0x09 }
      guard start.first == UInt8(ascii: "#") else { return conditions.isActive ? line : [] }
      let words = String(decoding: start.dropFirst(), as: UTF8.self).trimmed.split(
        maxSplits: 1, whereSeparator: \.isWhitespace)
      if let name = words.first {
        conditions.directive(String(name), words.count > 1 ? String(words[1]).trimmed : "")
      }
      return []
    }
    return Array(lines.joined(separator: [0x0A]))
  }

  static func manifest(_ path: String, in files: ProjectFiles) -> PrivacyManifest {
    switch files.read(path) {
    case .failure(let failure):
      return PrivacyManifest(path: path, problem: PropertyListError(line: 0, reason: failure.reason))
    case .success(let bytes):
      do throws(PropertyListError) {
        return PrivacyManifest(path: path, root: try PropertyList.read(bytes))
      } catch {
        return PrivacyManifest(path: path, problem: error)
      }
    }
  }
}

/// What is not shipped, by its path.
enum Exclusion {
  /// Folders of other people's source.
  static let vendorFolders: Set<String> = ["Pods", "Carthage", "Vendor", "vendor", "ThirdParty", "Checkouts"]

  static func isTestOrPreview(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    for folder in parts.dropLast() {
      if folder.hasSuffix("Tests") || folder == "Test" || folder == "test" || folder == "tests" || folder == "Specs"
        || folder == "Preview Content" || folder == "PreviewContent" || folder == "Mocks"
        || folder.hasSuffix(".playground")
      {
        return true
      }
    }
    let name = parts.last ?? ""
    return name.hasSuffix("Tests.swift") || name.hasSuffix("Tests.m")
  }

  /// Folders of files for Xcode's previews, which are not shipped.
  static func isPreview(_ path: String) -> Bool {
    path.split(separator: "/").dropLast().contains { $0 == "Preview Content" || $0 == "PreviewContent" }
  }

  /// Whether it is a privacy manifest, or was meant to be one.
  static func isManifestLike(_ path: String) -> Bool {
    let name = Path.name(path)
    return name.hasSuffix(".xcprivacy") || name.hasSuffix(".xcprivacyinfo") || name.hasPrefix("PrivacyInfo.")
  }
}
