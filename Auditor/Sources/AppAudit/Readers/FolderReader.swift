/// Reads a folder that holds no project: its files make one app, its extensions and embedded SDKs one target each.
struct FolderReader {
  let files: ProjectFiles
  private(set) var notes: [Note] = []

  init(files: ProjectFiles) { self.files = files }

  /// Endings of folders that are bundles, and what is built into them.
  private static let bundles: [String: Target.Kind] = ["app": .app, "appex": .appExtension, "framework": .framework]

  mutating func targets() -> [Target] {
    let shipped = files.paths.filter { !Exclusion.isTestOrPreview($0) }
    let bundleFolders = files.folders.filter { Self.bundles[Path.suffix($0)] != nil }
    let owners = bundleFolders + extensionFolders(shipped) + vendoredFolders(shipped)
    var groups: [String: [String]] = [:]
    for path in shipped { groups[Self.owner(of: path, among: owners), default: []].append(path) }
    for folder in bundleFolders where groups[folder] == nil { groups[folder] = [] }
    return groups.keys.sorted().map { target(folder: $0, paths: groups[$0] ?? []) }
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

  /// Other people's source with a manifest of its own is a bundle of its own.
  private func vendoredFolders(_ paths: [String]) -> [String] {
    var folders: Set<String> = []
    for path in paths where Path.name(path) == PrivacyManifest.fileName {
      let parts = path.split(separator: "/").map(String.init)
      guard let vendor = parts.firstIndex(where: Exclusion.vendorFolders.contains), vendor + 2 < parts.count else {
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
  static func read(_ path: String, in files: ProjectFiles, notes: inout [Note]) -> PropertyNode? {
    switch files.read(path) {
    case .failure(let failure): notes.append(Note(path: path, message: failure.reason))
    case .success(let bytes):
      do throws(PropertyListError) {
        return try PropertyList.read(bytes)
      } catch {
        notes.append(Note(path: path, message: "not a property list, line \(error.line): \(error.reason)"))
      }
    }
    return nil
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

  /// Whether it is a privacy manifest, or was meant to be one.
  static func isManifestLike(_ path: String) -> Bool {
    let name = Path.name(path)
    return name.hasSuffix(".xcprivacy") || name.hasSuffix(".xcprivacyinfo") || name.hasPrefix("PrivacyInfo.")
  }
}
