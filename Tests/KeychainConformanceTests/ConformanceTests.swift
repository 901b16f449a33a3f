internal import ConformanceCases
internal import Foundation
internal import Glibc
internal import TestFixtures
internal import Testing
internal import ThumbturnCrypto

/// The specification's cases over every backend that is built. Each run in a process of its own, because the four
/// functions have one backend for the whole process.
@Suite("Conformance")
struct ConformanceTests {
  @Test("the cases are those of the specification, byte for byte")
  func unchanged() throws {
    let file = try Cases.file()
    var digest = InlineArray<32, UInt8>(repeating: 0)
    var span = digest.mutableSpan
    try sha256([UInt8](file).span, into: &span)
    let hex = digest.indices.map { digest[$0] }.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(hex == "8ac4f2fac2bb56a40f9204a31e3d0bd401fe988383cf99f6b85e86d4667e700c")
    #expect(ConformanceCase.all(in: file).count == 180)
  }

  @Test("every case that needs nothing that is missing passes over the vault in this process")
  func local() async { await #expect(processExitsWith: .success) { try Cases.run(over: .local) } }

  @Test("every case that needs nothing that is missing passes over an agent in another process")
  func agent() async { await #expect(processExitsWith: .success) { try Cases.run(over: .agent) } }

  @Test("every case that needs nothing that is missing passes over memory: locks and prompts among them")
  func memory() async { await #expect(processExitsWith: .success) { try Cases.run(over: .memory) } }

  /// Those in which somebody is asked, or in which it matters what is enrolled.
  static let peopleCases = ["auth-03", "auth-04", "auth-10", "auth-14", "auth-15", "auth-16", "auth-18"]

  @Test("the cases in which somebody is asked pass over an agent with the real fprintd")
  func fprintd() async {
    guard geteuid() == 0 else {
      print("skipped: the cases with the real fprintd need root")
      #expect(ProcessInfo.processInfo.environment["THUMBTURN_REQUIRE_ALL"] == nil, "it needs root")
      return
    }
    await #expect(processExitsWith: .success) {
      try Cases.run(over: .fprintd, named: ConformanceTests.peopleCases)
    }
  }

  @Test("three wrong fingers at the real fprintd end one evaluation, five lock it until the passcode")
  func wrongFingers() throws {
    guard geteuid() == 0 else {
      print("skipped: the real fprintd needs root")
      #expect(ProcessInfo.processInfo.environment["THUMBTURN_REQUIRE_ALL"] == nil, "it needs root")
      return
    }
    let scratch = try ScratchFolder("fingers")
    #expect(
      try WrongFingers.run(scratch: scratch.path)
        == ["authenticationFailed", "biometryLockout", "biometryLockout", "recognised"])
  }

  @Test("the other cases are pending, by name", arguments: CaseBackend.allCases)
  func pending(backend: CaseBackend) throws {
    let all = ConformanceCase.all(in: try Cases.file())
    let pending = all.filter { !$0.needs.isDisjoint(with: backend.missing) }
    print("pending over \(backend.rawValue): \(pending.count) of \(all.count)")
    for one in pending {
      let needs = one.needs.intersection(backend.missing).sorted().map(\.rawValue).joined(separator: ", ")
      print("  pending: \(one.id) (\(one.rule)) needs \(needs)")
    }
    #expect(all.count - pending.count >= 131)
  }
}

/// The file of cases that comes with these tests.
enum Cases {
  static func file() throws -> Data {
    let url = try #require(Bundle.module.url(forResource: "conformance-open", withExtension: "jsonl"))
    return try Data(contentsOf: url)
  }

  /// - Parameter names: Those that are wanted, each of which must be there; nil is every one that needs nothing missing.
  static func run(over backend: CaseBackend, named names: [String]? = nil) throws {
    let scratch = try ScratchFolder("conformance")
    let runner = CaseRunner(over: backend, scratch: scratch.path)
    let all = ConformanceCase.all(in: try file()).filter { $0.needs.isDisjoint(with: backend.missing) }
    let ready = names.map { names in all.filter { names.contains($0.id) } } ?? all
    #expect(ready.count >= names?.count ?? 131)
    for one in ready {
      if let failure = runner.run(one) { Issue.record("\(backend.rawValue): \(failure)") }
    }
  }
}
