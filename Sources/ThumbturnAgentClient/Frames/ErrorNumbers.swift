package import ThumbturnKeychain
package import ThumbturnVault

// The numbers that codes of errors have between agent and client. They are for ever: a new code takes a new one.

extension KeychainError.Code {
  /// The number of this code.
  package var wireNumber: UInt16 {
    switch base {
    case .authenticationFailed: 1
    case .dataTooLarge: 2
    case .decode: 3
    case .diskFull: 4
    case .duplicateItem: 5
    case .inputOutput: 6
    case .interactionNotAllowed: 7
    case .itemNotFound: 8
    case .missingEntitlement: 9
    case .noSuchAttribute: 10
    case .noSuchClass: 11
    case .notAllowed: 12
    case .notAvailable: 13
    case .outOfMemory: 14
    case .parameter: 15
    case .readOnly: 16
    case .restricted: 17
    case .unimplemented: 18
    case .userCanceled: 19
    }
  }

  /// The code with a number, or nil.
  package init?(wireNumber: UInt64) {
    guard let code = Self.all.first(where: { UInt64($0.wireNumber) == wireNumber }) else { return nil }
    self = code
  }
}

extension VaultError.Code {
  /// Every code has one row; a test looks for one that has none.
  private static let wireNumbers: [(code: VaultError.Code, number: UInt16)] = [
    (.classKeyLocked, 1), (.classKeyMissing, 2), (.damaged, 3), (.damagedRecord, 4), (.diskFull, 5), (.duplicate, 6),
    (.forkedInCall, 7), (.inputOutput, 8), (.missing, 9), (.newerFormat, 10), (.noPlace, 11), (.noVault, 12),
    (.notAllowed, 13), (.olderCopy, 14), (.outOfMemory, 15), (.readOnly, 16), (.seatTaken, 17), (.tooLarge, 18),
    (.unsafePlace, 19), (.wrongKey, 20), (.writerBusy, 21), (.inTheWay, 22), (.lockedOut, 23), (.noPasscode, 24),
    (.passcodeIsSet, 25), (.wrongPasscode, 26),
  ]

  /// The number of this code; nil for one without a row, which is a mistake of ours.
  package var wireNumber: UInt16? { Self.wireNumbers.first { $0.code == self }?.number }

  /// The code with a number, or nil.
  package init?(wireNumber: UInt64) {
    guard let row = Self.wireNumbers.first(where: { UInt64($0.number) == wireNumber }) else { return nil }
    self = row.code
  }
}

extension VaultError.Part {
  package var wireNumber: UInt16 {
    switch self {
    case .database: 1
    case .deviceFolder: 2
    case .deviceKey: 3
    case .keybag: 4
    case .seatLock: 5
    case .vaultFolder: 6
    case .writerLock: 7
    case .attempts: 8
    }
  }

  /// The part with a number, or nil.
  package init?(wireNumber: UInt64) {
    switch wireNumber {
    case 1: self = .database
    case 2: self = .deviceFolder
    case 3: self = .deviceKey
    case 4: self = .keybag
    case 5: self = .seatLock
    case 6: self = .vaultFolder
    case 7: self = .writerLock
    case 8: self = .attempts
    default: return nil
    }
  }
}
