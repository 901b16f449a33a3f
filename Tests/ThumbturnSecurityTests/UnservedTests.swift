internal import Foundation
internal import Testing
@testable internal import ThumbturnSecurity

@Suite("Names that are there for the compiler")
struct UnservedTests {
  @Test("say that they are not served, and touch nothing")
  func statuses() {
    var items: CFArray?
    #expect(SecPKCS12Import(Data() as CFData, [:] as CFDictionary, &items) == errSecUnimplemented)
    var access: SecAccess?
    #expect(SecAccessCreate("d", nil, &access) == errSecUnimplemented)
    #expect(SecCodeCheckValidity(SecCode(), [], nil) == errSecUnimplemented)
    #expect(items == nil && access == nil)
    var answers: [Int?] = []
    SecAddSharedWebCredential("example.com", "me", "secret") { answers.append($0?.code) }
    #expect(answers == [-4])
    #expect(CFGetTypeID(SecPolicyCreateBasicX509()) == SecPolicyGetTypeID())
  }

  @Test("a generated password has Apple's form, all kinds of characters, and is another one each time")
  func password() {
    var seen: Set<String> = []
    for _ in 0..<200 {
      let password = SecCreateSharedWebCredentialPassword().map(String.init) ?? ""
      #expect(password.split(separator: "-").map(\.count) == [3, 3, 3, 3])
      #expect(password.contains(where: \.isUppercase) && password.contains(where: \.isLowercase))
      #expect(password.contains(where: \.isNumber) && !password.contains { "0O1lI".contains($0) })
      seen.insert(password)
    }
    #expect(seen.count == 200)
  }

  @Test("bytes from memory are a copy")
  func bytes() {
    var memory: [UInt8] = [1, 2, 3]
    let data = CFDataCreateWithBytesNoCopy(kCFAllocatorDefault, memory, 3, kCFAllocatorNull)
    memory[0] = 9
    #expect(data as Data? == Data([1, 2, 3]))
    #expect(CFDataCreateWithBytesNoCopy(nil, nil, 0, nil) as Data? == Data())
    #expect(CFDataCreateWithBytesNoCopy(nil, nil, 1, nil) == nil)
    #expect(CFDataCreateWithBytesNoCopy(nil, memory, -1, nil) == nil)
  }

  /// Apple's strings, written down once more; where two names share a string, both are here.
  private let strings: [(CFString, String)] = [
    (kSecClassAppleSharePassword, "apls"), (kSecAttrTombstone, "tomb"), (kSecAttrSHA1, "sha1"),
    (kSecAttrMultiUser, "musr"), (kSecAttrUUID, "UUID"), (kSecAttrPersistantReference, "persistref"),
    (kSecAttrSharingGroup, "ggrp"), (kSecAttrSharingGroupNone, ""), (kSecAttrSysBound, "sysb"),
    (kSecAttrPCSPlaintextServiceIdentifier, "pcss"), (kSecAttrPCSPlaintextPublicKey, "pcsk"),
    (kSecAttrPCSPlaintextPublicIdentity, "pcsi"), (kSecAttrAlias, "alis"), (kSecAttrNoLegacy, "nleg"),
    (kSecAttrDeriveSyncIDFromItemAttributes, "dspk"), (kSecAttrTokenOID, "toid"),
    (kSecAttrTokenIDAppleKeyStore, "com.apple.setoken:aks"), (kSecAttrTokenIDSecureElement, "com.apple.secelemtoken"),
    (kSecAttrScriptCode, "scrp"), (kSecAttrHasCustomIcon, "cusi"), (kSecDataInetExtraNotes, "binn"),
    (kSecDataInetExtraHistory, "bini"), (kSecDataInetExtraClientDefined0, "bin0"),
    (kSecDataInetExtraClientDefined1, "bin1"), (kSecDataInetExtraClientDefined2, "bin2"),
    (kSecDataInetExtraClientDefined3, "bin3"), (kSecAttrAccess, "acls"), (kSecAttrVolume, "volm"),
    (kSecAttrAddress, "addr"), (kSecAttrAFPServerSignature, "afps"), (kSecAttrCRLType, "crlt"),
    (kSecAttrCRLEncoding, "crle"), (kSecAttrAccessibleAlwaysPrivate, "dk"),
    (kSecAttrAccessibleAlwaysThisDeviceOnlyPrivate, "dku"), (kSecAttrAccessibleUntilReboot, "f"),
    (kSecAttrIsPrivate, "priv"), (kSecAttrIsModifiable, "modi"), (kSecAttrKeyCreator, "crtr"),
    (kSecAttrStartDate, "sdat"), (kSecAttrEndDate, "edat"), (kSecAttrWasAlwaysSensitive, "asen"),
    (kSecAttrWasNeverExtractable, "next"), (kSecAttrCanSignRecover, "snrc"), (kSecAttrCanVerifyRecover, "vyrc"),
    (kSecAttrSecureEnclaveKeyBlob, "toid"), (kSecAttrKeyTypeDSA, "43"), (kSecAttrKeyTypeAES, "2147483649"),
    (kSecAttrKeyTypeDES, "14"), (kSecAttrKeyType3DES, "17"), (kSecAttrKeyTypeRC2, "23"), (kSecAttrKeyTypeRC4, "25"),
    (kSecAttrKeyTypeCAST, "56"), (kSecAttrKeyTypeECDSA, "73"), (kSecAttrKeyTypeECSECPrimeRandomPKA, "2147483678"),
    (kSecAttrKeyTypeSecureEnclaveAttestation, "2147483679"),
    (kSecAttrKeyTypeSecureEnclaveAnonymousAttestation, "2147483680"), (kSecAttrKeyTypeEd25519, "105"),
    (kSecAttrKeyTypeX25519, "106"), (kSecAttrKeyTypeEd448, "107"), (kSecAttrKeyTypeX448, "108"),
    (kSecAttrKeyTypeKyber, "109"), (kSecAttrKeyTypeMLKEM, "110"), (kSecAttrKeyTypeMLDSA, "111"),
    (kSecAttrKeySizeKyber768, "768"), (kSecAttrKeySizeKyber1024, "1024"), (kSecAttrKeySizeMLKEM768, "768"),
    (kSecAttrKeySizeMLKEM1024, "1024"), (kSecAttrKeySizeMLDSA65, "65"), (kSecAttrKeySizeMLDSA87, "87"),
    (kSecKeyApplePayEnabled, "applepay"), (kSecKeyOSBound, "osbound"), (kSecKeySealedHashesBound, "sealedhashesbound"),
    (kSecUseTombstones, "u_Tomb"), (kSecUseCredentialReference, "u_CredRef"),
    (kSecUseSystemKeychain, "u_SystemKeychain"), (kSecUseSystemKeychainAlways, "u_SystemKeychainAlways"),
    (kSecUseSystemKeychainAlwaysDarwinOSOnlyUnavailableOnMacOS, "u_SystemKeychainAlways"),
    (kSecUseSyncBubbleKeychain, "u_SyncBubbleKeychain"), (kSecUseCallerName, "u_CallerName"),
    (kSecUseTokenRawItems, "u_TokenRawItems"), (kSecUseCertificatesWithMatchIssuers, "u_CertWithIssuers"),
    (kSecImportExportPassphrase, "passphrase"), (kSecImportItemLabel, "label"), (kSecImportItemKeyID, "keyid"),
    (kSecImportItemTrust, "trust"), (kSecImportItemCertChain, "chain"), (kSecImportItemIdentity, "identity"),
    (kSecPasswordMaxLength, "PasswordMaxLength"), (kSecPasswordMinLength, "PasswordMaxLength"),
    (kSecPasswordAllowedCharacters, "PasswordAllowedCharacters"),
    (kSecPasswordRequiredCharacters, "PasswordRequiredCharacters"),
  ]

  @Test("constants that Apple keeps private have Apple's strings")
  func constants() {
    for (constant, string) in strings { #expect(String(constant) == string) }
  }
}
