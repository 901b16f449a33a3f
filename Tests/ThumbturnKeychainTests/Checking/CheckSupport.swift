internal import Foundation
internal import Testing
internal import ThumbturnVault

@testable internal import ThumbturnKeychain

extension Scratch {
  /// Adds items `from`… whose secrets tell which they are; closed afterwards.
  func fill(_ numbers: Range<Int>, secretCount: Int = 20) throws {
    for number in numbers {
      let text = "secret \(number) " + String(repeating: "x", count: secretCount)
      _ = try backend.add(try password("service \(number)", "account \(number)", text), for: me)
    }
    backend.close()
  }

  /// What a check of a fresh process finds.
  func check(_ request: CheckRequest = CheckRequest()) throws -> CheckReport {
    let backend = another()
    defer { backend.close() }
    return try backend.check(request)
  }

  /// What a check finds that changes nothing.
  func look() throws -> CheckReport { try check(CheckRequest(moves: false)) }

  /// How many items a fresh process finds.
  func count() throws -> Int {
    do { return try another().find(query(), for: me).count } catch {
      guard error.code == .itemNotFound else { throw error }
      return 0
    }
  }

  /// Spoils the metadata box of a row.
  func spoil(_ rows: ClosedRange<Int>) throws {
    try Rows(home).run(
      "UPDATE items SET meta = zeroblob(length(meta)) WHERE id BETWEEN \(rows.lowerBound) AND \(rows.upperBound)")
  }
}

extension CheckReport {
  var listedRows: [Int64] {
    findings.compactMap { if case .damagedRecord(_, let row) = $0 { row } else { nil } }
  }
  var hasChangedRecords: Bool {
    findings.contains { if case .recordsChanged = $0 { true } else { false } }
  }
  var hasDamagedStructure: Bool {
    findings.contains { if case .structureDamaged = $0 { true } else { false } }
  }
}
