import Foundation

/// The files below the folder that is audited, found once. Symbolic links to folders are not followed, so no loop exists.
struct ProjectFiles: Sendable {
  /// A larger file is not read: no source or property list that somebody wrote is as large.
  static let sizeBytesMax = 16 << 20
  /// More files than the largest public apps have, by a factor of ten.
  static let countMax = 500_000
  static let depthMax = 64

  /// Folders that hold what is built or fetched, never what a team writes. `Pods` and `Payload` are not among them.
  static let skippedFolders: Set<String> = [
    ".git", ".build", ".swiftpm", "DerivedData", "node_modules", ".bundle", "xcuserdata", "fastlane", "SourcePackages",
  ]

  /// Absolute, without a slash at its end.
  let root: String
  /// Relative paths of regular files, sorted.
  private(set) var paths: [String] = []
  /// Relative paths of folders, sorted.
  private(set) var folders: [String] = []
  private(set) var notes: [Note] = []
  private let known: Set<String>

  init(root: String) {
    var root = URL(fileURLWithPath: root).standardizedFileURL.path
    while root.count > 1, root.hasSuffix("/") { root.removeLast() }
    var walk = Walk(root: root)
    walk.enter("", depth: 0)
    self.root = root
    paths = walk.paths.sorted()
    folders = walk.folders.sorted()
    notes = walk.notes
    known = Set(walk.paths)
  }

  func contains(_ path: String) -> Bool { known.contains(path) }

  /// Those in `folder` or below it; all for the empty folder.
  func below(_ folder: String) -> [String] {
    folder.isEmpty ? paths : paths.filter { $0.hasPrefix(folder + "/") }
  }

  /// The bytes of a file, or why they cannot be had.
  func read(_ path: String) -> Result<[UInt8], ReadFailure> {
    Self.read(root + "/" + path)
  }

  static func read(_ path: String) -> Result<[UInt8], ReadFailure> {
    let files = FileManager.default
    var attributes = try? files.attributesOfItem(atPath: path)
    if attributes?[.type] as? FileAttributeType == .typeSymbolicLink {
      attributes = try? files.attributesOfItem(atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
    }
    guard let attributes, attributes[.type] as? FileAttributeType == .typeRegular else {
      return .failure(ReadFailure(reason: "is no regular file, or is gone"))
    }
    let size = (attributes[.size] as? NSNumber)?.intValue ?? 0
    // Most entries of the cache are empty.
    if size == 0 { return .success([]) }
    guard size <= sizeBytesMax else {
      return .failure(ReadFailure(reason: "\(size) bytes, and only \(sizeBytesMax) are read"))
    }
    do {
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? file.close() }
      // One more than allowed, so that a file that grew is seen.
      let data = try file.read(upToCount: sizeBytesMax + 1) ?? Data()
      guard data.count <= sizeBytesMax else { return .failure(ReadFailure(reason: "grew past \(sizeBytesMax) bytes")) }
      return .success(Array(data))
    } catch {
      return .failure(ReadFailure(reason: "cannot be read"))
    }
  }

  private struct Walk {
    let root: String
    var paths: [String] = []
    var folders: [String] = []
    var notes: [Note] = []

    mutating func enter(_ folder: String, depth: Int) {
      guard depth < ProjectFiles.depthMax else {
        notes.append(Note(path: folder, message: "nested deeper than \(ProjectFiles.depthMax) folders: left out"))
        return
      }
      let files = FileManager.default
      guard let names = try? files.contentsOfDirectory(atPath: folder.isEmpty ? root : root + "/" + folder) else {
        notes.append(Note(path: folder.isEmpty ? "." : folder, message: "the folder cannot be read"))
        return
      }
      for name in names.sorted() {
        let path = folder.isEmpty ? name : folder + "/" + name
        guard paths.count < ProjectFiles.countMax else {
          if notes.last?.path != "." {
            notes.append(Note(path: ".", message: "more than \(ProjectFiles.countMax) files: the rest is left out"))
          }
          return
        }
        let type = (try? files.attributesOfItem(atPath: root + "/" + path))?[.type] as? FileAttributeType
        if type == .typeDirectory {
          guard !ProjectFiles.skippedFolders.contains(name) else { continue }
          folders.append(path)
          enter(path, depth: depth + 1)
        } else if type == .typeRegular {
          paths.append(path)
        } else if type == .typeSymbolicLink {
          link(path)
        } else if type == nil {
          notes.append(Note(path: path, message: "cannot be read, or is gone"))
        }
      }
    }

    /// A link counts when it leads to a regular file inside the folder that is audited.
    private mutating func link(_ path: String) {
      let target = URL(fileURLWithPath: root + "/" + path).resolvingSymlinksInPath().path
      let type = (try? FileManager.default.attributesOfItem(atPath: target))?[.type] as? FileAttributeType
      if type == .typeRegular, target.hasPrefix(root + "/") {
        paths.append(path)
      } else {
        notes.append(Note(path: path, message: "a symbolic link that is not followed"))
      }
    }
  }
}

/// Why a file was not read.
struct ReadFailure: Error, Sendable {
  var reason: String
}

/// Paths with `/`, relative to the root.
enum Path {
  static func folder(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return String(path[..<slash])
  }

  static func name(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return path }
    return String(path[path.index(after: slash)...])
  }

  /// The part after the last dot of the name, or nothing.
  static func suffix(_ path: String) -> String {
    let name = name(path)
    guard let dot = name.lastIndex(of: ".") else { return "" }
    return String(name[name.index(after: dot)...])
  }

  /// Joins and resolves `.` and `..`; what leaves the root becomes nil.
  static func join(_ folder: String, _ path: String) -> String? {
    var parts = folder.split(separator: "/").map(String.init)
    for part in path.split(separator: "/") {
      switch part {
      case ".": continue
      case "..":
        guard !parts.isEmpty else { return nil }
        parts.removeLast()
      default: parts.append(String(part))
      }
    }
    return parts.joined(separator: "/")
  }
}
