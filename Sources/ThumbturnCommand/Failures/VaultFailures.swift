internal import ThumbturnCrypto
internal import ThumbturnVault

/// What the command line says of an error of the vault: what is wrong with which file, and what to do about it.
struct VaultFailureText: Hashable {
  let message: String
  let hint: String
  /// Where nothing is broken: thumbturn will not touch what it found, or was told of no place. Else nil, and the
  /// keychain's code decides.
  var refusal: ExitCode?

  init(_ error: VaultError, path: String?) {
    let subject = VaultFailureSubject(error, path: path)
    refusal = Self.refused.contains(error.code) ? .refused : error.code == .noPlace ? .usage : nil
    guard let row = Self.table.first(where: { $0.code == error.code }) else {
      message = "\(subject.name): \(error.reason)"
      hint = "look for this version's release notes"
      return
    }
    if let found = row.place?(subject) {
      message = found.message
      hint = found.hint
    } else {
      message = row.message(subject)
      hint = row.hint(subject)
    }
  }

  private init(message: String, hint: String) {
    self.message = message
    self.hint = hint
  }

  /// What thumbturn will not touch, or will not do.
  private static let refused: [VaultError.Code] = [
    .lockedOut, .newerFormat, .noPasscode, .passcodeIsSet, .unsafePlace, .wrongPasscode,
  ]

  struct Row {
    let code: VaultError.Code
    let message: (VaultFailureSubject) -> String
    let hint: (VaultFailureSubject) -> String
    /// Looks at the file for a more exact answer.
    var place: ((VaultFailureSubject) -> VaultFailureText?)?
  }

  /// One row for each code.
  static var table: [Row] { locked + files + contents + processes }

  private static let oneBackup = "put the vault folder and the device folder back from one backup"

  private static var locked: [Row] {
    [
      Row(
        code: .classKeyLocked, message: { _ in "the item is locked" },
        hint: { _ in "thumbturn unlock; what a job needs while locked is stored as after-first-unlock" }),
      Row(
        code: .classKeyMissing, message: { _ in "the item's protection class needs a passcode, and none is set" },
        hint: { _ in "set one: thumbturn passcode set" }),
      Row(
        code: .forkedInCall, message: { "this process cannot use the vault: \($0.reason)" },
        hint: { _ in "start the program again" }),
      Row(
        code: .lockedOut,
        message: { "too many wrong passcodes: none is tried for the next \(waitText($0.secondsToWait))" },
        hint: { _ in "wait; the time runs while the machine is on, and nothing makes it shorter" }),
      Row(
        code: .noPasscode, message: { _ in "no passcode is set, so nothing can be locked or unlocked" },
        hint: { _ in "set one: thumbturn passcode set" }),
      Row(
        code: .passcodeIsSet, message: { _ in "a passcode is set already" },
        hint: { _ in "change it: thumbturn passcode change" }),
      Row(
        code: .wrongPasscode,
        message: {
          $0.secondsToWait == 0
            ? "the passcode is wrong"
            : "the passcode is wrong, and no other is tried for the next \(waitText($0.secondsToWait))"
        },
        hint: { _ in "try again; there is no way to the items without it" }),
      Row(
        code: .seatTaken, message: { "another process holds the vault, and no agent answers: \($0.name)" },
        hint: { _ in
          "wait until that process is done, or end it; an agent is ended by thumbturn lock --stop, and one that does not answer by ending its process, thumbturnd"
        }),
    ]
  }

  private static var files: [Row] {
    [
      Row(
        code: .diskFull, message: { "no space is left for the \($0.name), nothing was changed" },
        hint: { _ in "make space and try again; reading needs 32 KiB too" }),
      Row(
        code: .inTheWay, message: { "the \($0.name) is in the way: \($0.reason)" },
        hint: { _ in "move it to another disk, or delete it, and try again; nothing was changed" }),
      Row(
        code: .inputOutput, message: { "reading or writing the \($0.name) failed: \($0.reason)" },
        hint: { $0.remedy ?? "check the disk and its permissions, then try again" }),
      Row(
        code: .missing, message: { "the \($0.name) is missing" },
        hint: {
          $0.part == .deviceKey || $0.part == .deviceFolder
            ? "put the file back from your backup; without one the secrets are lost: move the vault folder away to start anew"
            : "put the file back from your backup; to start anew without one, move the vault folder away"
        }, place: { $0.unfinishedSalvage }),
      Row(
        code: .noPlace, message: { "there is no place for a vault: \($0.reason)" },
        hint: {
          $0.part == nil
            ? "set THUMBTURN_HOME to an absolute path"
            : "the vault folder's path has at most 457 bytes: set THUMBTURN_HOME to a shorter one"
        }),
      Row(
        code: .noVault, message: { _ in "there is no vault yet" },
        hint: { _ in "the first thumbturn set makes one" }),
      Row(
        code: .notAllowed, message: { "no permission for the \($0.name): \($0.reason)" },
        hint: { _ in "run thumbturn as the user who owns the vault, or set THUMBTURN_HOME to a folder of yours" },
        place: { $0.foreignOwner }),
      Row(
        code: .readOnly, message: { "the \($0.name) cannot be written: \($0.reason)" },
        hint: { _ in "reading works; to store, make its disk and folder writable, or use the version that made it" }),
      Row(
        code: .unsafePlace, message: { "the \($0.name) is not safe: \($0.reason)" },
        hint: { _ in "move the vault to a folder of a local disk that only you can open, or set THUMBTURN_HOME to one"
        },
        place: { $0.foreignSalvage ?? $0.unsafePlace }),
    ]
  }

  private static var contents: [Row] {
    [
      Row(
        code: .damaged, message: { "the \($0.name) is damaged: \($0.reason)" },
        hint: { _ in "\(oneBackup); nothing was changed" },
        place: { $0.strayJournal ?? $0.foreignSalvage ?? $0.damagedDatabase }),
      Row(
        code: .damagedRecord, message: { _ in "an item is damaged; the others can be read" },
        hint: { _ in "thumbturn check tells which; \(oneBackup) to have it again" }),
      Row(
        code: .duplicate, message: { _ in "such an item exists already" },
        hint: { _ in "try again: another program added it just now" }),
      Row(
        code: .newerFormat, message: { "a newer version of thumbturn made the \($0.name), nothing was changed" },
        hint: { _ in "upgrade thumbturn" }),
      Row(
        code: .olderCopy, message: { "the \($0.name) is an older copy: \($0.reason)" },
        hint: { _ in
          "put the newest copy of the vault folder and the device folder back, both from one backup; without a newer one, "
            + "thumbturn vault accept-older"
        }),
      Row(
        code: .tooLarge, message: { _ in "the secret or the names are too large, nothing was stored" },
        hint: { _ in "a secret has at most 16777216 bytes; keep large data in an encrypted file, and its key here" }),
      Row(
        code: .wrongKey, message: { "the \($0.name) does not belong to this vault: \($0.reason)" },
        hint: { _ in oneBackup }),
    ]
  }

  private static var processes: [Row] {
    [
      Row(
        code: .outOfMemory, message: { _ in "the kernel gave no memory for secrets" },
        hint: { _ in "end other programs, or raise the limit (ulimit -v)" }),
      Row(
        code: .writerBusy,
        message: {
          switch $0.part {
          case .writerLock: "the \($0.name) was not free for 5 seconds, others use the vault; nothing was changed"
          case .attempts: "other tries of a passcode kept the \($0.name) for 30 seconds; nothing was changed"
          default: "the \($0.name) is in use: \($0.reason)"
          }
        },
        hint: { _ in "try again; if it stays so, end the process that holds the file" }),
    ]
  }

  fileprivate static func made(_ message: String, _ hint: String) -> VaultFailureText {
    VaultFailureText(message: message, hint: hint)
  }
}

/// A time to wait, as a person says it, and to the second.
func waitText(_ seconds: Int) -> String {
  let exact = seconds == 1 ? "1 second" : "\(seconds) seconds"
  guard seconds >= 120 else { return exact }
  return "\((seconds + 59) / 60) minutes (\(exact))"
}

/// The file that an error is about, as its text needs it.
struct VaultFailureSubject {
  let part: VaultError.Part?
  let path: String?
  let reason: String
  let secondsToWait: Int

  init(_ error: VaultError, path: String?) {
    part = error.part
    secondsToWait = error.secondsToWait
    self.path = path
    reason = error.reason
  }

  /// What the file is and where: `device key /home/…/d0-…`.
  var name: String { path.map { "\(role) \($0)" } ?? role }

  private var role: String {
    switch part {
    case .attempts: "file of attempts"
    case .database: "database"
    case .deviceFolder: "device folder"
    case .deviceKey: "device key"
    case .keybag: "keybag"
    case .seatLock: "seat lock"
    case .vaultFolder: "vault folder"
    case .writerLock: "writer lock"
    case nil: "vault"
    }
  }

  /// What helps against a failure that is not the disk's.
  var remedy: String? {
    switch reason {
    case "too many files are open": "close files that are not needed, or raise the limit (ulimit -n), then try again"
    // What it does not tell apart: a limit of this process, and a file that it may not open.
    case "SQLite cannot open it": "check its permissions, and the limit of open files (ulimit -n), then try again"
    case "the proc file system is not mounted at /proc": "mount it, as root: mount -t proc proc /proc"
    default: nil
    }
  }

  /// A rollback journal, which SQLite would obey and which no vault has.
  var strayJournal: VaultFailureText? {
    guard let path, path.hasSuffix("-journal") else { return nil }
    return VaultFailureText.made(
      "a rollback journal lies beside the database, and no vault ever has one: \(path)",
      "somebody put it there; move it away and try again, nothing was changed")
  }

  /// A database that a salvage can be tried on.
  var damagedDatabase: VaultFailureText? {
    // What a salvage itself says.
    let isTried = reason.hasPrefix("nothing in it opens") || reason.hasPrefix("its pages lead a salvage")
    guard part == .database, !isTried else { return nil }
    return VaultFailureText.made(
      "the \(name) is damaged: \(reason)",
      "thumbturn check --salvage brings back what still opens; or put the vault folder and the device folder back from "
        + "one backup; nothing was changed")
  }

  /// What lies where a salvage that was cut off left the new database, and is none.
  var foreignSalvage: VaultFailureText? {
    guard part == .database, let path, path.hasSuffix(".salvage") || path.hasSuffix(".salvage-wal") else { return nil }
    return VaultFailureText.made(
      "what should be a salvage's new database cannot be put in place: \(path): \(reason)",
      "move it away, and put the database back: the newest vault-….damaged-….db beside it, or your backup; "
        + "nothing was changed")
  }

  /// A database whose place is empty because a salvage was cut off.
  var unfinishedSalvage: VaultFailureText? {
    guard part == .database, let path, path.hasSuffix(".db"),
      (try? system_fstatat(system_currentFolder, path.dropLast(3) + ".salvage")) != nil
    else { return nil }
    return VaultFailureText.made(
      "the \(name) is missing, because a salvage was cut off", "thumbturn check --salvage finishes it")
  }

  /// Another user owns it.
  var foreignOwner: VaultFailureText? {
    guard let path, let facts = try? system_fstatat(system_currentFolder, path), facts.owner != system_user() else {
      return nil
    }
    return VaultFailureText.made(
      "the \(name) belongs to user \(facts.owner), and this is user \(system_user())",
      "run thumbturn as its owner, or as root: chown \(facts.kind == .folder ? "-R " : "")\(system_user()) \(shellWord(path))"
    )
  }

  /// It is a link, another user's, or open to others.
  var unsafePlace: VaultFailureText? {
    guard let path, let facts = try? system_fstatat(system_currentFolder, path) else { return nil }
    if facts.kind == .link {
      return VaultFailureText.made(
        "the \(name) is a symbolic link, and links are not followed",
        "put the real one in its place, or set THUMBTURN_HOME or the XDG folders to where it is")
    }
    if let foreignOwner { return foreignOwner }
    if facts.kind != .folder, reason.hasSuffix("no folder") {
      return VaultFailureText.made("the \(name) is a file and no folder", "move it away")
    }
    guard facts.mode & 0o077 != 0 else { return nil }
    let right = facts.kind == .folder ? "700" : "600"
    return VaultFailureText.made(
      "the \(name) is open to other users: its mode is \(String(facts.mode, radix: 8))",
      "run: chmod \(right) \(shellWord(path))")
  }
}
