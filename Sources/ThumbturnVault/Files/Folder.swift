internal import Glibc
internal import ThumbturnCrypto

/// One of the two folders of a vault, open and checked: it is no link, it is ours, and closed to others.
///
/// Every file in it is reached through the open descriptor, so that nobody can exchange the folder in between.
final class Folder: Sendable {
  let descriptor: Int32
  let part: VaultError.Part

  private init(descriptor: Int32, part: VaultError.Part) {
    self.descriptor = descriptor
    self.part = part
  }
  deinit { system_close(descriptor) }

  /// Opens the folder, or returns nil when it is not there.
  static func open(_ path: String, part: VaultError.Part) throws(VaultError) -> Folder? {
    do {
      let descriptor = try system_openat(system_currentFolder, path, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
      let folder = Folder(descriptor: descriptor, part: part)
      try folder.check()
      return folder
    } catch let error as SystemError {
      switch error {
      case .missing: return nil
      // O_DIRECTORY with O_NOFOLLOW answers ENOTDIR for a link.
      case .isLink, .notAFolder: throw VaultError(.unsafePlace, "the folder is a link or no folder", part: part)
      default: throw VaultError(error, part: part)
      }
    } catch let error as VaultError {
      throw error
    } catch {
      throw VaultError(.inputOutput, "the folder cannot be opened", part: part)
    }
  }

  /// Opens the folder, and makes it and its parents when they are not there, for this user alone. All their names are on
  /// the disk when this returns, also those that a process made that was killed right after.
  static func make(_ path: String, part: VaultError.Part) throws(VaultError) -> Folder {
    var at = path.startIndex
    while at < path.endIndex {
      let next = path[path.index(after: at)...].firstIndex(of: "/") ?? path.endIndex
      let parent = String(path[..<next])
      do {
        try system_mkdirat(system_currentFolder, parent, mode: 0o700)
        // The umask can only have taken bits away: give the owner's back.
        try system_fchmodat(system_currentFolder, parent, mode: 0o700)
      } catch .exists {
      } catch {
        throw VaultError(error, part: part)
      }
      do { try synchronizeParent(of: parent) } catch { throw VaultError(error, part: part) }
      at = next
    }
    guard let folder = try open(path, part: part) else {
      throw VaultError(.inputOutput, "the folder vanished after it was made", part: part)
    }
    return folder
  }

  /// Returns when the name of a folder is on the disk: without it everything in the folder would be lost. A parent that
  /// cannot be read, or that lies on a file system without this, was not made by us.
  private static func synchronizeParent(of path: String) throws(SystemError) {
    let end = path.lastIndex(of: "/") ?? path.startIndex
    let parent = end == path.startIndex ? "/" : String(path[..<end])
    do {
      let descriptor = try system_openat(system_currentFolder, parent, flags: O_RDONLY | O_DIRECTORY)
      defer { system_close(descriptor) }
      try system_fsync(descriptor)
    } catch {
      guard [.refused, .notSupported].contains(error) else { throw error }
    }
  }

  private func check() throws(VaultError) {
    let facts = try facts()
    guard facts.owner == system_user() else {
      throw VaultError(.unsafePlace, "the folder belongs to another user", part: part)
    }
    guard facts.mode & 0o077 == 0 else {
      throw VaultError(.unsafePlace, "the folder is open to other users", part: part)
    }
    guard !system_isOnRemoteFileSystem(descriptor) else {
      throw VaultError(.unsafePlace, "the folder lies on a network or FUSE file system", part: part)
    }
  }

  func facts() throws(VaultError) -> FileFacts {
    do { return try system_fstat(descriptor) } catch { throw VaultError(error, part: part) }
  }

  /// Facts of a file, or nil when it is not there.
  func facts(of name: String) throws(VaultError) -> FileFacts? {
    do { return try system_fstatat(descriptor, name) } catch .missing { return nil } catch {
      throw VaultError(error, part: part, fileName: name)
    }
  }

  func names() throws(VaultError) -> [String] {
    do { return try system_names(in: descriptor, countMax: 10_000) } catch { throw VaultError(error, part: part) }
  }

  /// Why no new file can be made in it; nil when one can.
  func writeRefusal() throws(VaultError) -> VaultError? {
    do { try system_faccessat(descriptor, ".", writing: true) } catch {
      switch error {
      case .readOnly: return VaultError(.readOnly, "the disk is read-only", part: part)
      case .refused, .notPermitted: return VaultError(.readOnly, "the folder has no write permission", part: part)
      default: throw VaultError(error, part: part)
      }
    }
    return nil
  }

  /// Opens a file of ours: a regular file, no link, ours, closed to others. Nil when it is not there.
  func open(_ name: String, as filePart: VaultError.Part, writing: Bool = false) throws(VaultError) -> Int32? {
    let descriptor: Int32
    do {
      // Without O_NONBLOCK a FIFO in this place would block for ever.
      descriptor = try system_openat(
        self.descriptor, name, flags: (writing ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK)
    } catch {
      switch error {
      case .missing: return nil
      case .isLink: throw VaultError(.unsafePlace, "the file is a link", part: filePart, fileName: name)
      // Only who opens it to write is told so at once.
      case .isFolder: throw VaultError(.unsafePlace, "no regular file", part: filePart, fileName: name)
      default: throw VaultError(error, part: filePart, fileName: name)
      }
    }
    do {
      let facts = try system_fstat(descriptor)
      try Self.check(facts, as: filePart, name)
    } catch let error as VaultError {
      system_close(descriptor)
      throw error
    } catch {
      system_close(descriptor)
      throw VaultError(.inputOutput, "the file cannot be asked", part: filePart, fileName: name)
    }
    return descriptor
  }

  /// That a file is a regular one, ours, and closed to others.
  static func check(_ facts: FileFacts, as part: VaultError.Part, _ name: String) throws(VaultError) {
    guard facts.kind == .file else { throw VaultError(.unsafePlace, "no regular file", part: part, fileName: name) }
    guard facts.owner == system_user() else {
      throw VaultError(.unsafePlace, "the file belongs to another user", part: part, fileName: name)
    }
    guard facts.mode & 0o077 == 0 else {
      throw VaultError(.unsafePlace, "the file is open to other users", part: part, fileName: name)
    }
  }

  /// Makes a file that must not exist yet, for this user alone, and returns it open for writing.
  func create(_ name: String, as filePart: VaultError.Part) throws(VaultError) -> Int32 {
    do {
      let descriptor = try system_openat(
        self.descriptor, name, flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
      // The umask can only have taken bits away: give the owner's back.
      try system_fchmod(descriptor, mode: 0o600)
      return descriptor
    } catch { throw VaultError(error, part: filePart, fileName: name) }
  }

  /// Makes a file with these bytes, on the disk when this returns; its name is only so after ``synchronize()``.
  func write(_ bytes: Span<UInt8>, to name: String, as filePart: VaultError.Part) throws(VaultError) {
    let file = try create(name, as: filePart)
    defer { system_close(file) }
    do {
      try system_write(file, bytes)
      try system_fsync(file)
    } catch { throw VaultError(error, part: filePart, fileName: name) }
  }

  func link(_ old: String, to new: String, as filePart: VaultError.Part) throws(VaultError) {
    do { try system_linkat(descriptor, old, new) } catch { throw VaultError(error, part: filePart, fileName: new) }
  }

  func rename(_ old: String, to new: String, as filePart: VaultError.Part) throws(VaultError) {
    do { try system_renameat(descriptor, old, new) } catch { throw VaultError(error, part: filePart, fileName: new) }
  }

  /// Removes a file; one that is not there is no error.
  func remove(_ name: String) throws(VaultError) {
    do { try system_unlinkat(descriptor, name) } catch .missing {} catch {
      throw VaultError(error, part: part, fileName: name)
    }
  }

  /// Returns when the names in this folder are on the disk.
  func synchronize() throws(VaultError) {
    #if PLANT_NO_FOLDER_FSYNC
      PlantedFault.noFolderFsync.touch()
    #else
      do { try system_fsync(descriptor) } catch { throw VaultError(error, part: part) }
    #endif
  }

  /// The folder's absolute path without links, for SQLite, which takes no descriptor; checked to be this folder still.
  func resolvedPath() throws(VaultError) -> String {
    do {
      let path: String
      do { path = try system_path(of: descriptor) } catch .missing { throw VaultError.noProc(part) }
      let there = try system_fstatat(system_currentFolder, path)
      let here = try system_fstat(descriptor)
      guard there.device == here.device, there.inode == here.inode else {
        throw VaultError(.unsafePlace, "the folder was exchanged", part: part)
      }
      return path
    } catch let error as VaultError { throw error } catch {
      throw VaultError(.inputOutput, "the folder's path cannot be found", part: part)
    }
  }
}

extension VaultError {
  /// What a failed system call means to the vault.
  init(_ error: SystemError, part: Part, fileName: String? = nil, fileID: String = #fileID, line: UInt = #line) {
    let (code, reason): (Code, StaticString) =
      switch error {
      case .full, .overQuota: (.diskFull, "no space left on the disk")
      case .readOnly: (.readOnly, "the disk is read-only")
      case .refused, .notPermitted: (.notAllowed, "the file system refused")
      case .isLink: (.unsafePlace, "a link stands where a file of the vault belongs")
      case .tooManyFiles, .tooManyFilesOfAll: (.inputOutput, "too many files are open")
      case .nameTooLong: (.noPlace, "the path is too long")
      default: (.inputOutput, "the system gave an error")
      }
    self.init(code, reason, part: part, fileName: fileName, fileID: fileID, line: line)
  }
}
