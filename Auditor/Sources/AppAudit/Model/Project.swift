/// What is audited: the targets of a folder, and what could not be read.
struct Project: Sendable {
  /// The folder itself, absolute.
  var root: String
  var targets: [Target] = []
  /// Products of Swift packages, and the targets that each is made of.
  var products: [String: [String]] = [:]
  /// The versions that lock files hold.
  var pins: [Pin] = []
  /// What was left out and why; shown, and never a finding.
  var notes: [Note] = []
}

/// Something that the audit could not read, or did not.
public struct Note: Hashable, Sendable, Codable {
  /// The file or folder, relative to the folder that was audited.
  public var path: String
  /// What happened.
  public var message: String
}

/// What is built into one bundle, or linked into one.
struct Target: Sendable {
  enum Kind: String, Sendable, Codable {
    case app
    case appExtension
    case framework
    case staticLibrary
    /// A target of a Swift package: a library, whose manifest lies in a resource bundle.
    case package
    /// Never shipped, so never judged.
    case test
    case other
  }

  var name: String
  var kind: Kind
  /// The folder that its files are in, relative to the root; empty for the root itself.
  var folder = ""
  var sources: [SourceFile] = []
  /// The merged Info.plist of the Release configuration; nil where the target has none.
  var infoPlist: InfoPlist?
  var entitlements: [PropertyListFile] = []
  var manifests: [PrivacyManifest] = []
  /// Files copied into the bundle, relative to the root.
  var resources: [String] = []
  /// Names of the targets, packages, pods and frameworks that it links.
  var dependencies: [String] = []
  /// Other people's source inside the project.
  var isVendored = false
  /// Whether it was read from a built bundle instead of source.
  var isBuilt = false
  /// `SWIFT_ACTIVE_COMPILATION_CONDITIONS` of the Release configuration.
  var conditions: Set<String> = []
  /// `IPHONEOS_DEPLOYMENT_TARGET`, such as "16.0".
  var deploymentTarget: String?

  /// Whether what it links into is an app or extension of its own, and so has an Info.plist to be judged.
  var isBundle: Bool { kind == .app || kind == .appExtension }

  /// Whether its code becomes part of what links it.
  var isLinkedStatically: Bool { kind == .package || kind == .staticLibrary }
}

/// A file that is compiled.
struct SourceFile: Hashable, Sendable {
  enum Language: String, Sendable, Codable {
    case swift
    /// Objective-C, Objective-C++, C and C++: one lexer reads them all.
    case objectiveC

    init?(path: String) {
      switch path.split(separator: ".").last.map(String.init) ?? "" {
      case "swift": self = .swift
      case "m", "mm", "c", "h", "cc", "cpp", "cxx", "hpp": self = .objectiveC
      default: return nil
      }
    }
  }

  var path: String
  var language: Language
}

/// The Info.plist that is built: the file, and what build settings add to it.
struct InfoPlist: Sendable {
  /// The file, or the project file where build settings alone make it.
  var path: String
  /// Each top-level entry with the file that it comes from.
  var entries: [Entry]
  /// Whether all of it could be found; false where a generator or setting adds what is not in the folder.
  var isComplete = true

  struct Entry: Sendable {
    var key: String
    var node: PropertyNode
    var place: Place
  }

  subscript(key: String) -> Entry? { entries.last { $0.key == key } }
}

/// A privacy manifest, under whatever name.
struct PrivacyManifest: Sendable {
  var path: String
  /// Nil where the file is no property list; `problem` says why.
  var root: PropertyNode?
  var problem: PropertyListError?

  /// Apple's tools read a manifest of this name only.
  static let fileName = "PrivacyInfo.xcprivacy"
  var hasRightName: Bool { path.split(separator: "/").last.map(String.init) == Self.fileName }
}
