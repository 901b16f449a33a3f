import Synchronization
import Testing
import ThumbturnKeychain

@testable import ThumbturnCommand

@Suite("Errors of the keychain")
struct KeychainFailureTests {
  static let rows: [(KeychainError.Code, ExitCode)] = [
    (.authenticationFailed, .personNeeded),
    (.dataTooLarge, .refused),
    (.decode, .failed),
    (.diskFull, .failed),
    (.duplicateItem, .refused),
    (.inputOutput, .failed),
    (.interactionNotAllowed, .personNeeded),
    (.itemNotFound, .notFound),
    (.missingEntitlement, .refused),
    (.noSuchAttribute, .usage),
    (.noSuchClass, .usage),
    (.notAllowed, .refused),
    (.notAvailable, .failed),
    (.outOfMemory, .failed),
    (.parameter, .usage),
    (.readOnly, .refused),
    (.restricted, .refused), (.unimplemented, .refused), (.userCanceled, .personNeeded),
  ]

  @Test("have one exit code each", arguments: rows)
  func exitCode(code: KeychainError.Code, expected: ExitCode) throws {
    #expect(KeychainFailureRow.of(code).exitCode == expected)
    let vault = FakeBackend()
    vault.state.withLock { $0.errors = [KeychainError(code)] }
    let outcome = try runCommand(["get", "a", "b"], on: vault)
    #expect(outcome.exitCode == expected.rawValue)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("thumbturn: error: "))
  }

  @Test("are all in the tables, once")
  func complete() {
    #expect(Set(Self.rows.map(\.0)) == Set(KeychainError.Code.all))
    #expect(Set(KeychainFailureRow.table.map(\.code)) == Set(KeychainError.Code.all))
    #expect(KeychainFailureRow.table.count == KeychainError.Code.all.count)
  }

  @Test("read as our messages do", arguments: KeychainError.Code.all)
  func style(code: KeychainError.Code) {
    let row = KeychainFailureRow.of(code)
    for text in [row.message, row.hint].compactMap({ $0 }) {
      #expect(!text.hasSuffix("."))
      #expect(text.prefix(1) == text.prefix(1).lowercased())
    }
  }

  @Test("have the exit codes that scripts rely on")
  func numbers() { #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5]) }
}
