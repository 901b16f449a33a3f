import Foundation
import Testing
import ThumbturnKeychain
import ThumbturnVault

@testable import ThumbturnCommand

@Suite("Errors of the vault")
struct VaultFailureTests {
  static let location = VaultLocation(home: "/h")

  static let rows: [(VaultError, ExitCode, String)] = [
    (VaultError(.classKeyLocked, "r"), .personNeeded, "the item is locked"),
    (
      VaultError(.classKeyMissing, "r"), .personNeeded,
      "the item's protection class needs a passcode, and none is set"
    ),
    (VaultError(.damaged, "r", part: .keybag), .failed, "the keybag /h/vault/keybag is damaged: r"),
    (VaultError(.damagedRecord, "r"), .failed, "an item is damaged; the others can be read"),
    (
      VaultError(.diskFull, "r", part: .database, fileName: "vault-1.db"), .failed,
      "no space is left for the database /h/vault/vault-1.db, nothing was changed"
    ),
    (VaultError(.duplicate, "r"), .refused, "such an item exists already"),
    (
      VaultError(.inputOutput, "r", part: .writerLock), .failed,
      "reading or writing the writer lock /h/vault/writer.lock failed: r"
    ),
    (
      VaultError(.missing, "r", part: .deviceKey, fileName: "d0-1"), .failed,
      "the device key /h/device/d0-1 is missing"
    ),
    (
      VaultError(.newerFormat, "r", part: .keybag), .refused,
      "a newer version of thumbturn made the keybag /h/vault/keybag, nothing was changed"
    ),
    (VaultError(.inTheWay, "r", part: .deviceKey), .failed, "the device key /h/device is in the way: r"),
    (
      VaultError(.lockedOut, "r", part: .attempts, secondsToWait: 899), .refused,
      "too many wrong passcodes: none is tried for the next 15 minutes (899 seconds)"
    ),
    (VaultError(.noPasscode, "r"), .refused, "no passcode is set, so nothing can be locked or unlocked"),
    (VaultError(.passcodeIsSet, "r"), .refused, "a passcode is set already"),
    (VaultError(.wrongPasscode, "r"), .refused, "the passcode is wrong"),
    (
      VaultError(.wrongPasscode, "r", secondsToWait: 60), .refused,
      "the passcode is wrong, and no other is tried for the next 60 seconds"
    ),
    (VaultError(.noPlace, "r"), .usage, "there is no place for a vault: r"),
    (VaultError(.noVault, "r"), .notFound, "there is no vault yet"),
    (
      VaultError(.notAllowed, "r", part: .vaultFolder), .refused,
      "no permission for the vault folder /h/vault: r"
    ),
    (VaultError(.olderCopy, "r", part: .keybag), .failed, "the keybag /h/vault/keybag is an older copy: r"),
    (VaultError(.outOfMemory, "r"), .failed, "the kernel gave no memory for secrets"),
    (
      VaultError(.readOnly, "r", part: .vaultFolder), .refused,
      "the vault folder /h/vault cannot be written: r"
    ),
    (VaultError(.forkedInCall, "r", part: .database), .failed, "this process cannot use the vault: r"),
    (
      VaultError(.seatTaken, "r", part: .seatLock), .failed,
      "another process holds the vault, and no agent answers: seat lock /h/vault/seat.lock"
    ),
    (VaultError(.tooLarge, "r"), .refused, "the secret or the names are too large, nothing was stored"),
    (
      VaultError(.unsafePlace, "r", part: .deviceFolder), .refused,
      "the device folder /h/device is not safe: r"
    ),
    (
      VaultError(.wrongKey, "r", part: .deviceKey, fileName: "d0-1"), .failed,
      "the device key /h/device/d0-1 does not belong to this vault: r"
    ),
    (
      VaultError(.writerBusy, "r", part: .writerLock), .failed,
      "the writer lock /h/vault/writer.lock was not free for 5 seconds, others use the vault; nothing was changed"
    ),
  ]

  @Test("name the file and the remedy", arguments: rows)
  func text(error: VaultError, exitCode: ExitCode, message: String) {
    let failure = CommandFailure(KeychainError(error), in: Self.location)
    #expect(failure.exitCode == exitCode)
    #expect(failure.message == message)
    #expect(failure.hint?.isEmpty == false)
    #expect(failure.hint?.hasSuffix(".") == false)
  }

  @Test("are all in the tables, once")
  func complete() {
    #expect(Set(Self.rows.map(\.0.code)) == Set(VaultError.Code.all))
    #expect(Set(VaultFailureText.table.map(\.code)) == Set(VaultError.Code.all))
    #expect(VaultFailureText.table.count == VaultError.Code.all.count)
  }

  @Test("name the ways out when the device key is gone")
  func missingKey() {
    let error = VaultError(.missing, "r", part: .deviceKey, fileName: "d0-1")
    #expect(
      VaultFailureText(error, path: "/h/device/d0-1").hint
        == "put the file back from your backup; without one the secrets are lost: move the vault folder away to start anew"
    )
  }

  @Test("look at an unsafe place and give the command that mends it")
  func unsafePlace() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "thumbturn it's \(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func text(_ name: String) -> VaultFailureText {
      VaultFailureText(VaultError(.unsafePlace, "r", part: .vaultFolder), path: folder + name)
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
    #expect(text("").message == "the vault folder \(folder) is open to other users: its mode is 777")
    #expect(text("").hint == "run: chmod 700 '\(folder.replacing("'", with: "'\\''"))'")

    try Data().write(to: URL(filePath: folder + "/file"))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder + "/file")
    #expect(text("/file").hint.hasPrefix("run: chmod 600 "))
    try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: folder + "/file")
    #expect(text("/link").message == "the vault folder \(folder)/link is a symbolic link, and links are not followed")
    #expect(text("/nothing").message == "the vault folder \(folder)/nothing is not safe: r")
  }

  @Test("say who kept what for how long, and nothing that is not so")
  func busy() {
    func message(_ reason: StaticString, _ part: VaultError.Part) -> String {
      VaultFailureText(VaultError(.writerBusy, reason, part: part), path: "/p").message
    }
    #expect(
      message("r", .attempts)
        == "other tries of a passcode kept the file of attempts /p for 30 seconds; nothing was changed"
    )
    #expect(
      message("a call that had begun still runs", .vaultFolder)
        == "the vault folder /p is in use: a call that had begun still runs")
  }

  @Test("show no control character of a path")
  func controlCharacters() {
    let failure = CommandFailure(
      KeychainError(VaultError(.missing, "r", part: .keybag)), in: VaultLocation(home: "/a\u{1b}[2J\nthumbturn: ok"))
    #expect(
      failure.text.hasPrefix(
        "thumbturn: error: the keybag /a\\u{1b}[2J\\u{a}thumbturn: ok/vault/keybag is missing\nthumbturn: hint: "))
  }
}
