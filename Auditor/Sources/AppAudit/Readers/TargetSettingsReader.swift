import Foundation

/// Puts together what build settings say of a target: the Info.plist and the entitlements of the Release configuration.
struct TargetSettingsReader {
  let files: ProjectFiles
  let settings: BuildSettings
  /// The folder that paths in settings are relative to.
  let base: String
  /// The file that the settings come from, for what stands in them alone.
  let projectFile: String
  private(set) var notes: [Note] = []

  init(files: ProjectFiles, settings: BuildSettings, base: String, projectFile: String) {
    self.files = files
    self.settings = settings
    self.base = base
    self.projectFile = projectFile
  }

  mutating func finish(_ target: inout Target) {
    target.infoPlist = infoPlist()
    if let path = settings["CODE_SIGN_ENTITLEMENTS"].flatMap(located) {
      if files.contains(path), let root = PropertyListReading.read(path, in: files, notes: &notes) {
        target.entitlements = [PropertyListFile(path: path, root: substituted(root))]
      }
    }
    // The Info.plist and entitlements are no resources of the bundle, even where the folder holds them.
    let own = [target.infoPlist?.path].compactMap { $0 } + target.entitlements.map(\.path)
    target.resources.removeAll { own.contains($0) }
  }

  /// A path of a setting, relative to the root; nil where it leaves it or hangs on what is not known.
  private func located(_ value: String) -> String? {
    let path = value.trimmingCharacters(in: CharacterSet(charactersIn: "\" "))
    guard !path.isEmpty, !path.contains("$") else { return nil }
    // `$(SRCROOT)/…` has become `/…`.
    return Path.join(base, path)
  }

  private mutating func infoPlist() -> InfoPlist? {
    var plist: InfoPlist?
    if let setting = settings["INFOPLIST_FILE"], !setting.trimmed.isEmpty {
      if let path = located(setting), files.contains(path) {
        let isPreprocessed = settings["INFOPLIST_PREPROCESS"] == "YES"
        if let root = PropertyListReading.read(path, in: files, isPreprocessed: isPreprocessed, notes: &notes) {
          plist = InfoPlist(path: path, root: substituted(root))
        }
      } else {
        notes.append(Note(path: projectFile, message: "the Info.plist \(setting) is not in the folder"))
        plist = InfoPlist(path: projectFile, entries: [], isComplete: false)
      }
    }
    let prefix = "INFOPLIST_KEY_"
    let keys = settings.values.keys.filter { $0.hasPrefix(prefix) }.sorted()
    let isGenerated = settings["GENERATE_INFOPLIST_FILE"] == "YES"
    guard isGenerated || plist != nil else { return nil }
    var merged = plist ?? InfoPlist(path: projectFile, entries: [])
    // What the file says goes over what the setting says.
    for key in keys where isGenerated {
      let name = String(key.dropFirst(prefix.count))
      guard merged[name] == nil, let value = settings[key] else { continue }
      let node = PropertyNode(
        value: value == "YES" ? .boolean(true) : value == "NO" ? .boolean(false) : .string(value), line: 0)
      merged.entries.append(InfoPlist.Entry(key: name, node: node, place: Place(path: projectFile, line: 0)))
    }
    return merged
  }

  /// `$(NAME)` in strings put in.
  private func substituted(_ node: PropertyNode) -> PropertyNode {
    var node = node
    switch node.value {
    case .string(let text): node.value = .string(settings.resolve(text))
    case .array(let items): node.value = .array(items.map(substituted))
    case .dictionary(let entries):
      node.value = .dictionary(entries.map { PropertyEntry(key: $0.key, line: $0.line, node: substituted($0.node)) })
    default: break
    }
    return node
  }
}
