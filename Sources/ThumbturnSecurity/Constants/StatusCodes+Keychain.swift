// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Apple's names and numbers (SecBase.h).
// No call of this version returns these; they are here so that a program's table of statuses compiles.

/// Op wr (-49).
public let errSecOpWr: OSStatus = -49

/// Bad req (-909).
public let errSecBadReq: OSStatus = -909

/// Internal component (-2070).
public let errSecInternalComponent: OSStatus = -2070

/// Core foundation unknown (-4960).
public let errSecCoreFoundationUnknown: OSStatus = -4960

/// No such keychain (-25294).
public let errSecNoSuchKeychain: OSStatus = -25294

/// Invalid keychain (-25295).
public let errSecInvalidKeychain: OSStatus = -25295

/// Duplicate keychain (-25296).
public let errSecDuplicateKeychain: OSStatus = -25296

/// Duplicate callback (-25297).
public let errSecDuplicateCallback: OSStatus = -25297

/// Invalid callback (-25298).
public let errSecInvalidCallback: OSStatus = -25298

/// Buffer too small (-25301).
public let errSecBufferTooSmall: OSStatus = -25301

/// Invalid item ref (-25304).
public let errSecInvalidItemRef: OSStatus = -25304

/// Invalid search ref (-25305).
public let errSecInvalidSearchRef: OSStatus = -25305

/// No default keychain (-25307).
public let errSecNoDefaultKeychain: OSStatus = -25307

/// Read only attr (-25309).
public let errSecReadOnlyAttr: OSStatus = -25309

/// Wrong sec version (-25310).
public let errSecWrongSecVersion: OSStatus = -25310

/// Key size not allowed (-25311).
public let errSecKeySizeNotAllowed: OSStatus = -25311

/// No storage module (-25312).
public let errSecNoStorageModule: OSStatus = -25312

/// No certificate module (-25313).
public let errSecNoCertificateModule: OSStatus = -25313

/// No policy module (-25314).
public let errSecNoPolicyModule: OSStatus = -25314

/// Interaction required (-25315).
public let errSecInteractionRequired: OSStatus = -25315

/// Data not available (-25316).
public let errSecDataNotAvailable: OSStatus = -25316

/// Data not modifiable (-25317).
public let errSecDataNotModifiable: OSStatus = -25317

/// Create chain failed (-25318).
public let errSecCreateChainFailed: OSStatus = -25318

/// Invalid prefs domain (-25319).
public let errSecInvalidPrefsDomain: OSStatus = -25319

/// In dark wake (-25320).
public let errSecInDarkWake: OSStatus = -25320

/// ACL not simple (-25240).
public let errSecACLNotSimple: OSStatus = -25240

/// Policy not found (-25241).
public let errSecPolicyNotFound: OSStatus = -25241

/// Invalid trust setting (-25242).
public let errSecInvalidTrustSetting: OSStatus = -25242

/// No access for item (-25243).
public let errSecNoAccessForItem: OSStatus = -25243

/// Invalid owner edit (-25244).
public let errSecInvalidOwnerEdit: OSStatus = -25244

/// Trust not available (-25245).
public let errSecTrustNotAvailable: OSStatus = -25245

/// Unsupported format (-25256).
public let errSecUnsupportedFormat: OSStatus = -25256

/// Unknown format (-25257).
public let errSecUnknownFormat: OSStatus = -25257

/// Key is sensitive (-25258).
public let errSecKeyIsSensitive: OSStatus = -25258

/// Multiple priv keys (-25259).
public let errSecMultiplePrivKeys: OSStatus = -25259

/// Passphrase required (-25260).
public let errSecPassphraseRequired: OSStatus = -25260

/// Invalid password ref (-25261).
public let errSecInvalidPasswordRef: OSStatus = -25261

/// Invalid trust settings (-25262).
public let errSecInvalidTrustSettings: OSStatus = -25262

/// No trust settings (-25263).
public let errSecNoTrustSettings: OSStatus = -25263

/// Pkcs12 verify failure (-25264).
public let errSecPkcs12VerifyFailure: OSStatus = -25264

/// Not signer (-26267).
public let errSecNotSigner: OSStatus = -26267
