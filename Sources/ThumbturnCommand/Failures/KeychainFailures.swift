internal import ThumbturnKeychain
internal import ThumbturnVault

/// What the command line makes of an error of the keychain: one row for each code.
struct KeychainFailureRow {
  let code: KeychainError.Code
  let exitCode: ExitCode
  /// The text when no error of the vault says more.
  let message: String
  let hint: String?

  private init(_ code: KeychainError.Code, _ exitCode: ExitCode, _ message: String, hint: String? = nil) {
    self.code = code
    self.exitCode = exitCode
    self.message = message
    self.hint = hint
  }

  static let table: [KeychainFailureRow] = [
    .init(
      .authenticationFailed, .personNeeded, "what the item needs was not shown, or no passcode is set",
      hint: "thumbturn doctor says what is missing"),
    .init(
      .dataTooLarge, .refused, "the secret has more than 16777216 bytes, nothing was stored",
      hint: "keep large data in an encrypted file, and its key here"),
    .init(.decode, .failed, "an item is damaged", hint: "put the vault folder back from a backup"),
    .init(.diskFull, .failed, "no space is left on the disk, nothing was changed", hint: "make space and try again"),
    .init(
      .duplicateItem, .refused, "such an item exists already", hint: "try again: another program added it just now"),
    .init(
      .inputOutput, .failed, "reading or writing the vault failed",
      hint: "check the disk and its permissions, then try again"),
    .init(
      .interactionNotAllowed, .personNeeded, "the item cannot be read now, because a person would have to be asked",
      hint: "unlock the vault first, or store what a job needs as after-first-unlock"),
    .init(
      .itemNotFound, .notFound, "there is no such item", hint: "thumbturn list shows the items"),
    .init(
      .missingEntitlement, .refused, "this program may not use that access group",
      hint: "use a group that belongs to it"),
    .init(.noSuchAttribute, .usage, "the item class has no such attribute"),
    .init(.noSuchClass, .usage, "there is no such item class"),
    .init(
      .notAllowed, .refused, "the file system does not permit it",
      hint: "run thumbturn as the user who owns the vault"),
    .init(
      .notAvailable, .failed, "the vault cannot be opened", hint: "thumbturn status shows where it should be"),
    .init(.outOfMemory, .failed, "out of memory", hint: "end other programs, or raise the limit (ulimit -v)"),
    .init(.parameter, .usage, "a value is not valid for this item"),
    .init(
      .readOnly, .refused, "the vault cannot be written",
      hint: "reading works; make its disk and folder writable to store"),
    .init(.restricted, .refused, "an app clip may not do that"),
    .init(.unimplemented, .refused, "this version cannot do that yet"),
    .init(.userCanceled, .personNeeded, "the person cancelled"),
  ]

  /// The row of a code; a code that is newer than the table is an error of the vault.
  static func of(_ code: KeychainError.Code) -> KeychainFailureRow {
    table.first { $0.code == code } ?? .init(code, .failed, "the vault failed (\(code))")
  }
}

extension CommandFailure {
  /// What is printed for an error of the keychain in a vault at `location`.
  init(_ error: KeychainError, in location: VaultLocation?) {
    let row = KeychainFailureRow.of(error.code)
    guard let cause = error.cause else {
      self.init(row.exitCode, row.message, hint: row.hint)
      return
    }
    let text = VaultFailureText(cause, path: location?.path(of: cause))
    // An item that is damaged is not one that nobody stored: who goes on as if there were none may lose it.
    let exitCode = cause.code == .damagedRecord ? .failed : row.exitCode
    self.init(text.refusal ?? exitCode, text.message, hint: text.hint)
  }
}
