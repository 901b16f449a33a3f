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
    let podfiles = own.filter { Path.name($0) == "Podfile" }.prefix(countMax)
    let isDynamic = podfiles.contains { makesFrameworks($0, files) }
    let local = LocalPodReader(files: files, podfiles: Array(podfiles), isDynamic: isDynamic)
    project.notes += local.notes
    let locks = LockFileReader(files: files, paths: own)
    project.pins = locks.pins
    project.notes += locks.notes
    var reader = FolderReader(files: files)
    if isXcode {
      var pods = reader.vendoredTargets()
      // With use_frameworks! each pod is a bundle of its own, and answers for itself.
      if isDynamic {
        for index in pods.indices where pods[index].kind == .staticLibrary { pods[index].kind = .framework }
      }
      project.addPods(pods)
    } else if !packageFolders.contains("") {
      project.targets += reader.targets(outside: packageFolders, without: local.paths)
    }
    project.notes += reader.notes
    project.add(local.pods, areTargetsNamed: isXcode)
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

  /// Pods of the project itself. Where it is a package as well, the app is built with the pod.
  ///
  /// - Parameter areTargetsNamed: Whether targets have the names that a Podfile calls them by.
  fileprivate mutating func add(_ pods: [LocalPodReader.Pod], areTargetsNamed: Bool) {
    for pod in pods {
      let sources = Set(pod.target.sources.map(\.path))
      targets.removeAll { other in
        other.kind == .package && other.name == pod.target.name
          && other.sources.contains { sources.contains($0.path) }
      }
      for index in targets.indices {
        let users = areTargetsNamed ? pod.users : nil
        let isUser = users.map { $0.contains(targets[index].name) } ?? targets[index].isBundle
        guard isUser else { continue }
        targets[index].dependencies.append(pod.target.name)
        let own = Set(targets[index].manifests.map(\.path))
        targets[index].manifests += pod.copied.filter { !own.contains($0.path) }
      }
    }
    targets += pods.map(\.target)
  }
}
