import Foundation
import ThumbturnCrypto

/// Reading and writing of whole files and folders, for pictures of a vault.
enum Files {
  static func read(_ path: String) throws -> [UInt8] {
    guard let bytes = FileManager.default.contents(atPath: path) else { throw Fault("cannot read \(path)") }
    return [UInt8](bytes)
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    do {
      let descriptor = try system_openat(system_currentFolder, path, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
      defer { system_close(descriptor) }
      try system_write(descriptor, bytes.span)
    } catch { throw Fault("cannot write \(path): \(error)") }
  }

  static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}

/// Folders and files below a home, by their paths in it.
struct Picture {
  var folders: [String] = []
  var files: [String: [UInt8]] = [:]
  /// Second names of files, and the first.
  var links: [String: String] = [:]

  init() {}

  /// A number for this picture and that number. Whole files at once: element by element takes longer than all else.
  func digest(and number: Int) -> Int {
    var hasher = Hasher()
    hasher.combine(folders)
    hasher.combine(links)
    hasher.combine(number)
    for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
      hasher.combine(name)
      hasher.combine(bytes.count)
      unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
    return hasher.finalize()
  }

  /// What stands on the disk now.
  init(of home: String) throws {
    guard FileManager.default.fileExists(atPath: home) else { return }
    for name in try FileManager.default.subpathsOfDirectory(atPath: home).sorted() {
      var isFolder: ObjCBool = false
      unsafe _ = FileManager.default.fileExists(atPath: home + "/" + name, isDirectory: &isFolder)
      if isFolder.boolValue { folders.append(name) } else { files[name] = try Files.read(home + "/" + name) }
    }
  }

  /// Puts it on the disk in place of whatever is there. An empty picture is no home at all.
  func put(at home: String) throws {
    Files.remove(home)
    guard !folders.isEmpty || !files.isEmpty else { return }
    for folder in [""] + folders.sorted() where unsafe mkdir(home + "/" + folder, 0o700) != 0 && errno != EEXIST {
      throw Fault("cannot make \(home)/\(folder): error \(errno)")
    }
    for (name, bytes) in files { try Files.write(bytes, to: home + "/" + name) }
    for (name, first) in links {
      try FileManager.default.linkItem(atPath: home + "/" + first, toPath: home + "/" + name)
    }
  }
}

/// Prints a line at once: whoever waits wants to see how far it is, and a program that is killed must have said it.
func say(_ line: String) { try? system_write(1, Array("\(line)\n".utf8).span) }
