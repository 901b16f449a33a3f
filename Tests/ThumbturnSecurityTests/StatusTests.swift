internal import Foundation
internal import Testing
internal import ThumbturnKeychain
@testable internal import ThumbturnSecurity

@Suite("Statuses")
struct StatusTests {
  /// One row for each code of the keychain.
  static let rows: [(KeychainError.Code, OSStatus)] = [
    (.authenticationFailed, -25293), (.dataTooLarge, -25302), (.decode, -26275), (.diskFull, -34),
    (.duplicateItem, -25299), (.inputOutput, -36), (.interactionNotAllowed, -25308), (.itemNotFound, -25300),
    (.missingEntitlement, -34018), (.noSuchAttribute, -25303), (.noSuchClass, -25306), (.notAllowed, -61),
    (.notAvailable, -25291), (.outOfMemory, -108), (.parameter, -50), (.readOnly, -25292), (.restricted, -34020),
    (.unimplemented, -4), (.userCanceled, -128),
  ]

  @Test("every code of the keychain becomes its status in all four calls", arguments: rows)
  func mapping(code: KeychainError.Code, expected: OSStatus) {
    let keychain = TestKeychain(FailingBackend(code: code))
    #expect(status(of: KeychainError(code)) == expected)
    #expect(keychain.add(password()).status == expected)
    #expect(keychain.find(password()).status == expected)
    #expect(keychain.update(password(), [:]) == expected)
    #expect(keychain.delete(password()) == expected)
  }

  @Test("the table has every code")
  func everyCode() {
    #expect(Set(Self.rows.map(\.0.base)) == Set(KeychainError.Code.Base.allCases))
    #expect(Set(Self.rows.map(\.1)).count == Self.rows.count)
  }

  @Test("every status that is returned has a text of its own")
  func messages() {
    var texts: Set<String> = []
    for (_, code) in Self.rows {
      guard let text = SecCopyErrorMessageString(code, nil).map(String.init) else {
        Issue.record("no text for \(code)")
        continue
      }
      #expect(!text.hasPrefix("OSStatus"))
      texts.insert(text)
    }
    #expect(texts.count == Self.rows.count)
    #expect(SecCopyErrorMessageString(errSecSuccess, nil) == "Success.")
    #expect(SecCopyErrorMessageString(-67671, nil) == "OSStatus -67671")
  }
}
