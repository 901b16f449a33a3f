/// Pods that lie in the project itself: a Podfile names their folder, and a podspec there says what they are made of.
struct LocalPodReader {
  struct Pod {
    var target: Target
    /// The targets that link it; nil where every bundle is taken to.
    var users: Set<String>?
    /// Manifests that CocoaPods copies into the bundle that links the pod.
    var copied: [PrivacyManifest] = []
  }

  private let files: ProjectFiles
  private(set) var pods: [Pod] = []
  private(set) var notes: [Note] = []
  /// All files of the pods, which so belong to nothing else.
  var paths: Set<String> {
    Set(
      pods.flatMap { pod in
        pod.target.sources.map(\.path) + pod.target.resources + pod.target.manifests.map(\.path)
          + pod.copied.map(\.path)
      })
  }
  /// Patterns of one podspec.
  private static let patternsMax = 500
  /// Files times patterns of all pods together: some seconds of work, and many times what large apps have.
  static let comparisonsMax = 500_000
  private var comparisons = 0

  /// - Parameters:
  ///   - podfiles: Paths of the Podfiles.
  ///   - isDynamic: Whether one of them asks for frameworks.
  init(files: ProjectFiles, podfiles: [String], isDynamic: Bool) {
    self.files = files
    var wanted: [String: Podfile.Pod] = [:]
    for path in podfiles {
      guard case .success(let bytes) = files.read(path), let podfile = Podfile(bytes) else {
        notes.append(Note(path: path, message: "cannot be read: its local pods are left out"))
        continue
      }
      if podfile.isComputed {
        notes.append(Note(path: path, message: "the path or target of a pod is computed: such pods are left out"))
      }
      var missing = 0
      for pod in podfile.pods {
        guard let place = podspec(of: pod, in: Path.folder(path)) else {
          missing += 1
          continue
        }
        var pod = pod
        if let former = wanted[place] {
          pod.subspecs = former.subspecs.isEmpty || pod.subspecs.isEmpty ? [] : pod.subspecs.union(former.subspecs)
          pod.targets = pod.targets.flatMap { own in former.targets.map(own.union) }
        }
        wanted[place] = pod
      }
      if missing > 0 {
        notes.append(Note(path: path, message: "the podspecs of \(missing) local pods are not in the folder"))
      }
    }
    for (place, pod) in wanted.sorted(by: { $0.key < $1.key }) { read(pod, place, isDynamic) }
  }

  private func podspec(of pod: Podfile.Pod, in folder: String) -> String? {
    guard !pod.path.hasPrefix("/"), !pod.path.hasPrefix("~"), let base = Path.join(folder, pod.path) else { return nil }
    let inside = base.isEmpty ? "" : base + "/"
    return [base, inside + pod.name + ".podspec.json", inside + pod.name + ".podspec"].first {
      ($0.hasSuffix(".podspec") || $0.hasSuffix(".podspec.json")) && files.contains($0)
    }
  }

  /// The podspec; where Ruby computes it what CocoaPods made of it, when that is in the folder.
  private func spec(_ place: String, _ name: String) -> Podspec? {
    guard case .success(let bytes) = files.read(place) else { return nil }
    let spec = place.hasSuffix(".json") ? Podspec(json: bytes) : Podspec(ruby: bytes)
    if let spec, spec.allComputed.isEmpty { return spec }
    let made = files.paths.filter { $0.hasSuffix("Pods/Local Podspecs/\(name).podspec.json") }
    if made.count == 1, case .success(let bytes) = files.read(made[0]), let known = Podspec(json: bytes) {
      return known
    }
    return spec
  }

  private mutating func read(_ pod: Podfile.Pod, _ place: String, _ isDynamic: Bool) {
    guard var spec = spec(place, pod.name) else {
      notes.append(Note(path: place, message: "is no podspec that can be read: the pod is left out"))
      return
    }
    let computed = spec.allComputed.sorted()
    guard computed.isEmpty else {
      let what = computed.joined(separator: ", ")
      notes.append(Note(path: place, message: "computes \(what), which is not run: the pod is left out"))
      return
    }
    spec.name = pod.name
    let chosen = spec.selected(pod.subspecs)
    let folder = Path.folder(place)
    var target = Target(name: pod.name, kind: isDynamic && !chosen.isStatic ? .framework : .staticLibrary)
    target.folder = folder
    target.dependencies = chosen.dependencies.map { String($0.prefix { $0 != "/" }) }
    let below = files.below(folder).filter { !Exclusion.isPreview($0) && !$0.split(separator: "/").contains("Pods") }
    let patterns = chosen.sources + chosen.excluded + chosen.bundled + chosen.resources
    guard patterns.count <= Self.patternsMax else {
      notes.append(Note(path: place, message: "has more than \(Self.patternsMax) patterns: the pod is left out"))
      return
    }
    comparisons += below.count * patterns.reduce(0) { $0 + FilePattern($1).count }
    guard comparisons <= Self.comparisonsMax else {
      notes.append(Note(path: place, message: "too many patterns for so many files: the pod is left out"))
      return
    }
    var found = Pod(target: target, users: pod.targets)
    let sources = Set(matching(chosen.sources, below, folder, chosen.excluded, isSource: true))
    for path in sources.sorted() {
      guard let language = SourceFile.Language(path: path) else { continue }
      found.target.sources.append(SourceFile(path: path, language: language))
    }
    for path in matching(chosen.bundled, below, folder, chosen.excluded, isSource: false) {
      add(path, to: &found.target.manifests, or: &found.target.resources)
    }
    for path in matching(chosen.resources, below, folder, chosen.excluded, isSource: false)
    where !sources.contains(path) {
      // A framework is a bundle; a static library is none, and what it brings lands in the app's.
      if found.target.kind == .framework {
        add(path, to: &found.target.manifests, or: &found.target.resources)
      } else {
        add(path, to: &found.copied, or: &found.target.resources)
      }
    }
    pods.append(found)
  }

  private func add(_ path: String, to manifests: inout [PrivacyManifest], or resources: inout [String]) {
    if Exclusion.isManifestLike(path) {
      if !manifests.contains(where: { $0.path == path }) {
        manifests.append(PropertyListReading.manifest(path, in: files))
      }
    } else {
      resources.append(path)
    }
  }

  /// A folder among sources means the files in it, among resources and exclusions all below it.
  private func matching(
    _ patterns: [String], _ paths: [String], _ folder: String, _ excluded: [String], isSource: Bool
  ) -> [String] {
    let wanted = patterns.map { FilePattern($0) }
    let unwanted = excluded.map { FilePattern($0) }
    guard !wanted.isEmpty else { return [] }
    return paths.filter { path in
      let own = folder.isEmpty ? path : String(path.dropFirst(folder.count + 1))
      let isWanted = wanted.contains { pattern in
        if pattern.matches(own) { return true }
        return isSource
          ? pattern.matches(Path.folder(own)) && !Path.folder(own).isEmpty : pattern.matchesFolder(of: own)
      }
      return isWanted && !unwanted.contains { $0.matches(own) || $0.matchesFolder(of: own) }
    }
  }
}
