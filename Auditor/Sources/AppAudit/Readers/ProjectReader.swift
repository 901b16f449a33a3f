/// Finds out what the folder is, and reads its targets.
enum ProjectReader {
  /// Projects and packages in one folder.
  private static let countMax = 500

  static func read(_ root: String) -> Project {
    let files = ProjectFiles(root: root)
    var project = Project(root: files.root, notes: files.notes)
    let own = files.paths.filter { !isVendored($0) && !Exclusion.isTestOrPreview($0) }
    var packageFolders: [String] = []
    for manifest in own.filter({ Path.name($0) == "Package.swift" }).prefix(countMax) {
      let reader = SwiftPackageReader(files: files, manifest: manifest)
      project.targets += reader.targets
      project.products.merge(reader.products) { $0 + $1 }
      project.notes += reader.notes
      if reader.isRead { packageFolders.append(reader.folder) }
    }
    var isXcode = false
    for path in own.filter({ $0.hasSuffix(".xcodeproj/project.pbxproj") }).prefix(countMax) {
      let reader = XcodeProjectReader(files: files, path: path)
      project.targets += reader.targets
      project.notes += reader.notes
      isXcode = isXcode || !reader.targets.isEmpty
    }
    if !isXcode {
      for path in own.filter({ ["project.yml", "project.yaml"].contains(Path.name($0)) }).prefix(countMax) {
        let reader = XcodeGenReader(files: files, path: path)
        project.targets += reader.targets
        project.notes += reader.notes
        isXcode = isXcode || !reader.targets.isEmpty
      }
    }
    var reader = FolderReader(files: files)
    if isXcode {
      var pods = reader.vendoredTargets()
      // With use_frameworks! each pod is a bundle of its own, and answers for itself.
      if own.contains(where: { Path.name($0) == "Podfile" && Self.makesFrameworks($0, files) }) {
        for index in pods.indices where pods[index].kind == .staticLibrary { pods[index].kind = .framework }
      }
      project.addPods(pods)
    } else if !packageFolders.contains("") {
      project.targets += reader.targets(outside: packageFolders)
    }
    project.notes += reader.notes
    return project
  }

  /// Whether a Podfile, read without running it, asks for dynamic frameworks.
  private static func makesFrameworks(_ path: String, _ files: ProjectFiles) -> Bool {
    guard case .success(let bytes) = files.read(path) else { return false }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).contains { line in
      let code = line.prefix { $0 != "#" }
      return code.contains("use_frameworks!") && !code.contains(":static")
    }
  }

  private static func isVendored(_ path: String) -> Bool {
    path.split(separator: "/").dropLast().contains { $0 == "Pods" || $0 == "Carthage" || $0 == "Checkouts" }
  }
}

extension Project {
  /// Pods are linked into every bundle, unless they are bundles themselves.
  fileprivate mutating func addPods(_ pods: [Target]) {
    let libraries = pods.filter(\.isLinkedStatically).map(\.name)
    for index in targets.indices where targets[index].isBundle { targets[index].dependencies += libraries }
    targets += pods
  }
}
