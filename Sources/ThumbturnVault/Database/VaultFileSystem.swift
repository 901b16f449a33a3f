internal import CSQLite
internal import Glibc

/// SQLite's file system for a vault's databases: the usual one, less what a vault never has.
///
/// A vault's database is always in WAL mode. A rollback journal beside it was planted: SQLite would follow the path that
/// is written in it, and delete that file. Looking for one before SQLite opens the database is not enough, because another
/// program can put it there in between, or later. So here a journal is never seen, never opened and never removed,
/// whatever the database's own bytes say of its mode.
enum VaultFileSystem {
  static let name: StaticString = "thumbturn-vault"

  /// The only files that SQLite may open; temporary ones it keeps in memory.
  private static let allowed = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL
  private static let kinds =
    SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_TEMP_DB | SQLITE_OPEN_TEMP_JOURNAL
    | SQLITE_OPEN_TRANSIENT_DB | SQLITE_OPEN_SUBJOURNAL | SQLITE_OPEN_SUPER_JOURNAL

  private typealias FileSystem = UnsafeMutablePointer<sqlite3_vfs>

  /// Made once and never taken away: connections of any thread use it. Whether SQLite took it.
  private static let isRegistered: Bool = {
    guard let usual = unsafe usual else { return false }
    let made = FileSystem.allocate(capacity: 1)
    unsafe made.initialize(to: usual.pointee)
    unsafe made.pointee.pNext = nil
    unsafe made.pointee.zName = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    unsafe made.pointee.xOpen = { _, path, file, flags, outFlags in
      unsafe VaultFileSystem.open(path, file, flags, outFlags)
    }
    unsafe made.pointee.xDelete = { _, path, mustSynchronize in unsafe VaultFileSystem.remove(path, mustSynchronize) }
    unsafe made.pointee.xAccess = { _, path, question, answer in
      unsafe VaultFileSystem.access(path, question, answer)
    }
    return unsafe sqlite3_vfs_register(made, 0) == SQLITE_OK
  }()

  /// The one with the locks of fcntl(2), whatever the program has made SQLite's default.
  private static var usual: FileSystem? { unsafe sqlite3_vfs_find("unix") }

  /// Makes ``name`` known to SQLite.
  static func register() throws(VaultError) {
    guard isRegistered else {
      throw VaultError(.inputOutput, "this SQLite has no file system of its usual kind", part: .database)
    }
  }

  private static func open(
    _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    // Without methods SQLite does not close what was never opened.
    unsafe file?.pointee.pMethods = nil
    guard flags & kinds & ~allowed == 0, let path = unsafe path, let usual = unsafe usual,
      let open = unsafe usual.pointee.xOpen
    else { return SQLITE_CANTOPEN }
    return unsafe open(usual, path, file, flags | SQLITE_OPEN_NOFOLLOW, outFlags)
  }

  /// At the end of the last connection its write-ahead log is removed; nothing else ever is.
  private static func remove(_ path: UnsafePointer<CChar>?, _ mustSynchronize: Int32) -> Int32 {
    guard unsafe hasSuffix(path, "-wal"), let usual = unsafe usual, let remove = unsafe usual.pointee.xDelete else {
      // SQLITE_IOERR_DELETE, which is a computed macro.
      return SQLITE_IOERR | 10 << 8
    }
    return unsafe remove(usual, path, mustSynchronize)
  }

  private static func access(
    _ path: UnsafePointer<CChar>?, _ question: Int32, _ answer: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard unsafe hasSuffix(path, "-wal"), let usual = unsafe usual, let access = unsafe usual.pointee.xAccess else {
      unsafe answer?.pointee = 0
      return SQLITE_OK
    }
    return unsafe access(usual, path, question, answer)
  }

  private static func hasSuffix(_ path: UnsafePointer<CChar>?, _ suffix: StaticString) -> Bool {
    guard let path = unsafe path else { return false }
    let count = unsafe strlen(path)
    guard count >= suffix.utf8CodeUnitCount else { return false }
    let end = unsafe path + (count - suffix.utf8CodeUnitCount)
    return unsafe memcmp(end, suffix.utf8Start, suffix.utf8CodeUnitCount) == 0
  }
}
