internal import ThumbturnSecurity

/// The statuses that cases name, by Apple's names.
enum StatusNames {
  static let codes: [String: OSStatus] = [
    "errSecSuccess": errSecSuccess,
    "errSecUnimplemented": errSecUnimplemented,
    "errSecDiskFull": errSecDiskFull,
    "errSecIO": errSecIO,
    "errSecParam": errSecParam,
    "errSecWrPerm": errSecWrPerm,
    "errSecAllocate": errSecAllocate,
    "errSecUserCanceled": errSecUserCanceled,
    "errSecBadReq": errSecBadReq,
    "errSecMissingEntitlement": errSecMissingEntitlement,
    "errSecRestrictedAPI": errSecRestrictedAPI,
    "errSecNotAvailable": errSecNotAvailable,
    "errSecReadOnly": errSecReadOnly,
    "errSecAuthFailed": errSecAuthFailed,
    "errSecDuplicateItem": errSecDuplicateItem,
    "errSecItemNotFound": errSecItemNotFound,
    "errSecDataTooLarge": errSecDataTooLarge,
    "errSecNoSuchAttr": errSecNoSuchAttr,
    "errSecInvalidItemRef": errSecInvalidItemRef,
    "errSecNoSuchClass": errSecNoSuchClass,
    "errSecInteractionNotAllowed": errSecInteractionNotAllowed,
    "errSecReadOnlyAttr": errSecReadOnlyAttr,
    "errSecInteractionRequired": errSecInteractionRequired,
    "errSecDataNotAvailable": errSecDataNotAvailable,
    "errSecDecode": errSecDecode,
    "errSecInternal": -26276,
  ]

  static func text(_ status: OSStatus) -> String {
    "\(codes.first { $0.value == status }?.key ?? "status") (\(status))"
  }
}
