internal import ThumbturnCrypto

/// How a database can be reached here.
enum DatabaseAccess: Sendable {
  case readWrite
  /// The folder is read-only here, and others may write: their shared memory is there.
  case readOnly
  /// The folder is read-only here, and there is no log, and so no shared memory: SQLite reads the file as if nobody could
  /// change it.
  case still(StillDatabase)

  /// - Parameter isFolderWritable: Whether anybody can write it meanwhile, whatever this program may do.
  init(to name: String, in folder: Folder, isFolderWritable: Bool) throws(VaultError) {
    if isFolderWritable {
      self = .readWrite
    } else if let still = try StillDatabase(name, in: folder) {
      self = .still(still)
    } else {
      self = .readOnly
    }
  }

  var isStill: Bool { if case .still = self { true } else { false } }
  var isReadWrite: Bool { if case .readWrite = self { true } else { false } }
}

/// A database that is read as if nobody could change it. Somebody may, where the folder is not read-only (another mount,
/// another user), so it is looked at before and after each call.
struct StillDatabase: Sendable {
  /// What changes when somebody writes it.
  private struct Stamp: Equatable {
    let inode: UInt64
    let sizeBytes: Int64
    let changedNanoseconds: Int64
  }

  private let name: String
  private let folder: Folder
  private let first: Stamp

  /// Nil when the database has a log, or is gone.
  init?(_ name: String, in folder: Folder) throws(VaultError) {
    guard let first = try Self.stamp(name, in: folder) else { return nil }
    self.name = name
    self.folder = folder
    self.first = first
  }

  /// Whether it is as it was when it was opened. Every writer makes a log first.
  func isUnchanged() throws(VaultError) -> Bool { try Self.stamp(name, in: folder) == first }

  private static func stamp(_ name: String, in folder: Folder) throws(VaultError) -> Stamp? {
    if try folder.facts(of: name + "-wal") != nil { return nil }
    guard let facts = try folder.facts(of: name) else { return nil }
    return Stamp(inode: facts.inode, sizeBytes: facts.sizeBytes, changedNanoseconds: facts.changedNanoseconds)
  }
}
