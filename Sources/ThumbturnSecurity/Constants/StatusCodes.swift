// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Apple's names and numbers (SecBase.h).

/// Success (0).
public let errSecSuccess: OSStatus = 0

/// Not served here, or not yet (-4).
public let errSecUnimplemented: OSStatus = -4

/// No space left on the disk; nothing was changed (-34).
public let errSecDiskFull: OSStatus = -34

/// Reading or writing the vault failed (-36).
public let errSecIO: OSStatus = -36

/// A value of a wrong type, an unknown key, or a combination that is not valid (-50).
public let errSecParam: OSStatus = -50

/// The file system refused (-61).
public let errSecWrPerm: OSStatus = -61

/// Out of memory (-108).
public let errSecAllocate: OSStatus = -108

/// The user cancelled (-128).
public let errSecUserCanceled: OSStatus = -128

/// The program has no access group, or names one that is not its own (-34018).
public let errSecMissingEntitlement: OSStatus = -34018

/// This program is restricted (-34020).
public let errSecRestrictedAPI: OSStatus = -34020

/// The vault cannot be opened (-25291).
public let errSecNotAvailable: OSStatus = -25291

/// The vault cannot be written (-25292).
public let errSecReadOnly: OSStatus = -25292

/// Authentication failed, or nothing could authenticate (-25293).
public let errSecAuthFailed: OSStatus = -25293

/// An item with the same key exists (-25299).
public let errSecDuplicateItem: OSStatus = -25299

/// Nothing matches (-25300).
public let errSecItemNotFound: OSStatus = -25300

/// The secret has more than 16,777,216 bytes (-25302).
public let errSecDataTooLarge: OSStatus = -25302

/// The item class has no such attribute (-25303).
public let errSecNoSuchAttr: OSStatus = -25303

/// Unknown item class, or reference and class differ (-25306).
public let errSecNoSuchClass: OSStatus = -25306

/// The item is locked, or a person would have to be asked (-25308).
public let errSecInteractionNotAllowed: OSStatus = -25308

/// A record cannot be decoded (-26275).
public let errSecDecode: OSStatus = -26275

/// Internal error (-67671).
public let errSecInternalError: OSStatus = -67671
