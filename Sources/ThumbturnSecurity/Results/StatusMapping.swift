internal import ThumbturnKeychain

/// Apple's status for an error of the keychain: one row for each code (SECITEM.md §15).
func status(of error: KeychainError) -> OSStatus {
  switch error.code.base {
  case .authenticationFailed: errSecAuthFailed
  case .dataTooLarge: errSecDataTooLarge
  case .decode: errSecDecode
  case .diskFull: errSecDiskFull
  case .duplicateItem: errSecDuplicateItem
  case .inputOutput: errSecIO
  case .interactionNotAllowed: errSecInteractionNotAllowed
  case .itemNotFound: errSecItemNotFound
  case .missingEntitlement: errSecMissingEntitlement
  case .noSuchAttribute: errSecNoSuchAttr
  case .noSuchClass: errSecNoSuchClass
  case .notAllowed: errSecWrPerm
  case .notAvailable: errSecNotAvailable
  case .outOfMemory: errSecAllocate
  case .parameter: errSecParam
  case .readOnly: errSecReadOnly
  case .restricted: errSecRestrictedAPI
  case .unimplemented: errSecUnimplemented
  case .userCanceled: errSecUserCanceled
  }
}
