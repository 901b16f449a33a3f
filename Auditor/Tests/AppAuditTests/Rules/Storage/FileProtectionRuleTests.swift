import Testing

@testable import AppAudit

@Suite("Rule storage.no-file-protection")
struct FileProtectionRuleTests {
  @Test("each way to write without protection is found")
  func none() throws {
    try expectMarkedFindings(
      FileProtectionRule(),
      [
        "App/F.swift": """
        import Foundation
        try data.write(to: url, options: [.atomic, .noFileProtection]) // expect: storage.no-file-protection
        try files.setAttributes([.protectionKey: FileProtectionType.none], ofItemAtPath: path) // expect: storage.no-file-protection
        let attributes: [FileAttributeKey: Any] = [.protectionKey: FileProtectionType.none] // expect: storage.no-file-protection
        """,
        "App/F.m": """
        void write(NSData *data) {
          [data writeToFile:path options:NSDataWritingFileProtectionNone error:nil]; // expect: storage.no-file-protection
          id attributes = @{NSFileProtectionKey: NSFileProtectionNone}; // expect: storage.no-file-protection
        }
        """,
      ])
  }

  @Test("protection, comparisons and other members named none are silent")
  func protected() throws {
    try expectMarkedFindings(
      FileProtectionRule(),
      [
        "App/F.swift": """
        import Foundation
        try data.write(to: url, options: [.atomic, .completeFileProtection])
        try files.setAttributes([.protectionKey: FileProtectionType.complete], ofItemAtPath: path)
        if protection == FileProtectionType.none { warn() }
        let style: Style = .none
        // .noFileProtection
        let text = "noFileProtection"
        """,
        "App/F.m": """
        void write(NSData *data) { [data writeToFile:path options:NSDataWritingFileProtectionComplete error:nil]; }
        // NSFileProtectionNone
        """,
      ])
  }
}
