// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Apple's names and raw strings: programs store and compare them. Every constant is an immutable string; it says
// nonisolated(unsafe) because NSString is not Sendable on Linux, and @safe so that no client has to say `unsafe`.

// MARK: Match keys: find only

/// Match key: how many items at most: One (the default), All, or a number.
@safe nonisolated(unsafe) public let kSecMatchLimit: CFString = "m_Limit"

/// Value of `kSecMatchLimit`: the first item, by itself.
@safe nonisolated(unsafe) public let kSecMatchLimitOne: CFString = "m_LimitOne"

/// Value of `kSecMatchLimit`: every item, in an array.
@safe nonisolated(unsafe) public let kSecMatchLimitAll: CFString = "m_LimitAll"

/// Match key of certificates and identities: a policy.
///
/// Not served yet: errSecUnimplemented.
@safe nonisolated(unsafe) public let kSecMatchPolicy: CFString = "m_Policy"

/// Match key: an array of persistent references, up to 1,024; only these items are found.
@safe nonisolated(unsafe) public let kSecMatchItemList: CFString = "m_ItemList"

/// Match key of the Mac: accepted, without effect.
@safe nonisolated(unsafe) public let kSecMatchSearchList: CFString = "m_SearchList"

/// Match key of certificates and identities: names of issuers, an array of data as `kSecAttrIssuer` has it, up to 1,024;
/// also those behind the stored certificates of a chain.
///
/// errSecUnimplemented with other classes.
@safe nonisolated(unsafe) public let kSecMatchIssuers: CFString = "m_Issuers"

/// Match key of certificates and identities: an e-mail address.
///
/// Not served yet: errSecUnimplemented with these classes, without effect on others.
@safe nonisolated(unsafe) public let kSecMatchEmailAddressIfPresent: CFString = "m_EmailAddressIfPresent"

/// Match key of certificates and identities: text that stands in the bytes of `kSecAttrSubject`.
@safe nonisolated(unsafe) public let kSecMatchSubjectContains: CFString = "m_SubjectContains"

/// Match key: whether `kSecMatchSubjectContains` takes upper and lower case of ASCII for the same; attributes are always
/// compared exactly.
@safe nonisolated(unsafe) public let kSecMatchCaseInsensitive: CFString = "m_CaseInsensitive"

/// Match key of certificates and identities: trusted ones only.
///
/// Not served yet: errSecUnimplemented with these classes, without effect on others.
@safe nonisolated(unsafe) public let kSecMatchTrustedOnly: CFString = "m_TrustedOnly"

/// Match key of certificates and identities: valid on a date, or now when null.
///
/// Not served yet: errSecUnimplemented with these classes, without effect on others.
@safe nonisolated(unsafe) public let kSecMatchValidOnDate: CFString = "m_ValidOnDate"

/// Match key of internet passwords: the server is this host, or ends with "." and this host, byte for byte.
///
/// errSecUnimplemented with other classes.
@safe nonisolated(unsafe) public let kSecMatchHostOrSubdomainOfHost: CFString = "m_HostOrSubdomainOfHost"

// MARK: Return keys

/// Return key: the secret, as `Data`.
@safe nonisolated(unsafe) public let kSecReturnData: CFString = "r_Data"

/// Return key: the attributes, as a dictionary.
@safe nonisolated(unsafe) public let kSecReturnAttributes: CFString = "r_Attributes"

/// Return key: a reference object.
///
/// Passwords have none; those of certificates, keys and identities are not there yet: errSecUnimplemented.
@safe nonisolated(unsafe) public let kSecReturnRef: CFString = "r_Ref"

/// Return key: 20 bytes that name the item for its whole life.
@safe nonisolated(unsafe) public let kSecReturnPersistentRef: CFString = "r_PersistentRef"

// MARK: Value keys

/// Value key: the secret, as `Data`; up to 16,777,216 bytes.
///
/// In a query it is no filter.
@safe nonisolated(unsafe) public let kSecValueData: CFString = "v_Data"

/// Value key: a reference object.
///
/// errSecParam: passwords have none, and those of certificates, keys and identities are not there yet.
@safe nonisolated(unsafe) public let kSecValueRef: CFString = "v_Ref"

/// Value key: a persistent reference; the class may then be left out.
@safe nonisolated(unsafe) public let kSecValuePersistentRef: CFString = "v_PersistentRef"

// MARK: Use keys

/// Use key of the Mac: errSecParam.
@safe nonisolated(unsafe) public let kSecUseItemList: CFString = "u_ItemList"

/// Use key: what a prompt is for, when the LAContext does not say it.
///
/// Deprecated by Apple.
@safe nonisolated(unsafe) public let kSecUseOperationPrompt: CFString = "u_OpPrompt"

/// Use key: true forbids a prompt.
///
/// Deprecated by Apple.
@safe nonisolated(unsafe) public let kSecUseNoAuthenticationUI: CFString = "u_NoAuthUI"

/// Use key: whether a prompt may be shown, one of the `kSecUseAuthenticationUI…` values.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUI: CFString = "u_AuthUI"

/// Value of `kSecUseAuthenticationUI`: a prompt may be shown.
///
/// The default.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUIAllow: CFString = "u_AuthUIA"

/// Value of `kSecUseAuthenticationUI`: errSecInteractionNotAllowed where a prompt would be needed.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUIFail: CFString = "u_AuthUIF"

/// Value of `kSecUseAuthenticationUI`: find leaves out items that would need a prompt; other calls answer errSecParam.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUISkip: CFString = "u_AuthUIS"

/// Use key: an LAContext of `LocalAuthentication`; anything else is errSecParam.
///
/// What it has shown already is not asked for again; what is asked for stays in it. One that forbids prompts answers
/// errSecInteractionNotAllowed where one would be needed, one that was invalidated errSecAuthFailed.
@safe nonisolated(unsafe) public let kSecUseAuthenticationContext: CFString = "u_AuthCtx"

/// Use key: chooses the store on the Mac; here there is one store, so it is accepted and ignored.
@safe nonisolated(unsafe) public let kSecUseDataProtectionKeychain: CFString = "nleg"

/// Use key of tvOS: accepted and ignored.
@safe nonisolated(unsafe) public let kSecUseUserIndependentKeychain: CFString = "u_UserIndependentKeychain"

/// Key of a dictionary of shared web credentials: the password.
@safe nonisolated(unsafe) public let kSecSharedPassword: CFString = "spwd"
