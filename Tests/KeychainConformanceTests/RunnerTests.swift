internal import ConformanceCases
internal import Foundation
internal import TestFixtures
internal import Testing

/// What the runner must not let pass.
@Suite("The runner of conformance cases")
struct RunnerTests {
  /// Each row is a case that must fail and a part of what must be said.
  private static let failing: [(steps: String, said: String)] = [
    (#"{"op": "look"}"#, "unknown op look"),
    (
      #"{"op": "find", "query": {"kSecClass": "kSecClassX"}, "expect": {"status": "errSecSuccess", "code": 0}}"#,
      "unknown constant kSecClassX"
    ),
    (
      #"{"op": "find", "query": {"kSecNo": 1}, "expect": {"status": "errSecSuccess", "code": 0}}"#,
      "unknown constant kSecNo"
    ),
    (
      #"{"op": "find", "query": {"$A": {"$what": 1}}, "expect": {"status": "errSecSuccess", "code": 0}}"#,
      "unknown constant $A"
    ),
    (
      #"{"op": "find", "query": {"kSecClass": {"$what": 1}}, "expect": {"status": "errSecSuccess", "code": 0}}"#,
      "unknown value $what"
    ),
    (#"{"op": "find", "query": {"kSecClass": null}, "expect": {"status": "errSecParam", "code": -50}}"#, "bare null"),
    (#"{"op": "find", "query": GENP, "expect": {"status": "errSecFine", "code": 0}}"#, "unknown status errSecFine"),
    (#"{"op": "find", "query": GENP, "expect": {"status": "errSecItemNotFound", "code": -25299}}"#, "another code"),
    (
      #"{"op": "find", "query": GENP, "expect": {"status": "errSecItemNotFound", "code": -25300, "also": 1}}"#,
      "unknown key also"
    ),
    (
      #"{"op": "find", "query": GENP, "expect": {"status": "errSecItemNotFound", "code": -25300, "shape": "nil"}}"#,
      "a result expected"
    ),
    (
      #"{"op": "find", "query": GENP, "more": {}, "expect": {"status": "errSecItemNotFound", "code": -25300}}"#,
      "unknown key more"
    ),
    (#"{"op": "find", "query": GENP}"#, "expect is no object"),
    (
      #"{"op": "find", "query": GENP, "expect": {"status": "errSecSuccess", "code": 0}}"#,
      "got errSecItemNotFound (-25300)"
    ),
    (#"{"op": "env", "set": {"moon": "full"}}"#, "unknown surroundings moon"),
    (#"{"op": "env", "set": {"lock": "ajar"}}"#, "unknown value of lock"),
    (#"{"op": "acl", "protection": "ak", "flags": ["x"], "expect": {"created": true}}"#, "unknown flag x"),
    (
      #"{"op": "acl", "protection": "ak", "flags": [], "expect": {"created": false}}"#,
      "expected nil, got an access control"
    ),
    (
      #"{"op": "add", "query": GENP, "expect": {"status": "errSecSuccess", "code": 0, "save": "p"}}"#,
      "a result to save"
    ),
    (
      #"{"op": "find", "query": {"kSecValuePersistentRef": {"$saved": "p"}}, "expect": {"status": "errSecParam", "code": -50}}"#,
      "nothing was saved as p"
    ),
    (
      #"{"op": "find", "query": {"kSecValueRef": {"$cert": "certX"}}, "expect": {"status": "errSecParam", "code": -50}}"#,
      "unknown certificate certX"
    ),
    (
      #"{"op": "find", "query": {"kSecValueRef": {"$key": "K2.public"}}, "expect": {"status": "errSecParam", "code": -50}}"#,
      "are not built"
    ),
  ]

  /// Each row is what is expected of a result that is another one.
  private static let results: [(returns: String, expect: String, said: String)] = [
    ("kSecReturnData", #""shape": "dict""#, "expected dict"),
    ("kSecReturnData", #""shape": "nil""#, "expected nil"),
    ("kSecReturnData", #""shape": "persistentRef""#, "expected persistentRef"),
    ("kSecReturnData", #""shape": "ref""#, "expected ref"),
    ("kSecReturnData", #""shape": "round""#, "unknown shape round"),
    ("kSecReturnData", #""value": {"$data": "y"}"#, "expected value"),
    ("kSecReturnData", #""value": "x""#, "expected value"),
    ("kSecReturnData", #""value": [{"$data": "x"}]"#, "expected value"),
    ("kSecReturnData", #""count": 1"#, "an array of 1"),
    ("kSecReturnData", #""has": {"kSecAttrAccount": "a"}"#, "expected kSecAttrAccount"),
    ("kSecReturnData", #""each": {"shape": "data"}"#, "expected an array"),
    ("kSecReturnAttributes", #""has": {"kSecAttrAccount": {"$data": "a"}}"#, "expected kSecAttrAccount"),
    ("kSecReturnAttributes", #""has": {"kSecAttrAccount": 1}"#, "expected kSecAttrAccount"),
    ("kSecReturnAttributes", #""has": {"kSecAttrLabel": {"$any": true}}"#, "expected kSecAttrLabel"),
    ("kSecReturnAttributes", #""has": {"kSecAttrCreator": 8}"#, "expected kSecAttrCreator"),
    ("kSecReturnAttributes", #""absent": ["kSecAttrAccount"]"#, "expected no kSecAttrAccount"),
    ("kSecReturnAttributes", #""each": {"size": 1}"#, "unknown key size"),
  ]

  @Test("what it does not know is a failure, and so is an answer that is another one")
  func failures() async {
    await #expect(processExitsWith: .success) {
      let scratch = try ScratchFolder("runner")
      let runner = CaseRunner(over: .memory, scratch: scratch.path)
      func expectFailure(_ steps: String, _ said: String) {
        let text = #"{"id": "x", "rule": "r", "steps": [STEPS]}"#.replacing("STEPS", with: steps)
          .replacing("GENP", with: #"{"kSecClass": "kSecClassGenericPassword"}"#)
        for one in ConformanceCase.all(in: Data(text.utf8)) {
          let failure = runner.run(one)
          #expect(failure?.description.contains(said) == true, "\(steps): \(failure?.description ?? "passed")")
        }
      }
      for (steps, said) in Self.failing { expectFailure(steps, said) }
      let added =
        #"{"op": "add", "query": {"kSecClass": "kSecClassGenericPassword", "kSecAttrAccount": "a", "kSecAttrCreator": 7, "kSecValueData": {"$data": "x"}}, "expect": {"status": "errSecSuccess", "code": 0}}, "#
      for (returns, expect, said) in Self.results {
        expectFailure(
          added
            + #"{"op": "find", "query": {"kSecClass": "kSecClassGenericPassword", "\#(returns)": true}, "expect": {"status": "errSecSuccess", "code": 0, \#(expect)}}"#,
          said)
      }
    }
  }

  @Test("a line that cannot be read is a case that fails")
  func malformed() async {
    await #expect(processExitsWith: .success) {
      let scratch = try ScratchFolder("runner")
      let runner = CaseRunner(over: .memory, scratch: scratch.path)
      let lines = [
        "{", "[]", #"{"id": "x", "rule": "r"}"#, #"{"id": "x", "rule": "r", "steps": []}"#,
        #"{"id": "x", "rule": "r", "steps": [1]}"#, #"{"id": "x", "rule": "r", "steps": [{}], "skip": true}"#,
      ]
      let cases = ConformanceCase.all(in: Data(lines.joined(separator: "\n\n").utf8))
      #expect(cases.count == lines.count)
      for one in cases { #expect(runner.run(one) != nil) }
    }
  }

  /// Each row is a step and what its case needs.
  @Test(
    "what a case needs is read from its own keys",
    arguments: [
      (#"{"op": "env", "set": {"lock": "locked"}}"#, [ConformanceCase.Need.lockStates]),
      (#"{"op": "env", "set": {"passcode": false}}"#, [.passcode]),
      (#"{"op": "env", "set": {"auth": "fail"}}"#, [.authentication]),
      (#"{"op": "env", "set": {"enrolment": "changed"}}"#, [.enrolment]),
      (#"{"op": "env", "set": {"biometryEnrolled": false}}"#, [.enrolment]),
      (#"{"op": "env", "set": {"groups": ["lock"]}}"#, []),
      (#"{"op": "add", "query": {"kSecValueRef": {"$cert": "certA"}}}"#, [.references]),
      (#"{"op": "add", "query": {"x": {"$array": [{"$key": "K1.public"}]}}}"#, [.references]),
      (#"{"op": "add", "query": {"kSecValueRef": {"$identity": "I1"}}}"#, [.references]),
      (#"{"op": "add", "query": {"x": {"$acl": {"protection": "ak", "flags": []}}}}"#, []),
      (#"{"op": "add", "query": {"x": {"$acl": {"protection": "ak", "flags": ["watch"]}}}}"#, [.constraints]),
      (#"{"op": "add", "query": {"x": {"$acl": {"protection": "akpu", "flags": []}}}}"#, [.passcode]),
      (#"{"op": "find", "query": {"x": "kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly"}}"#, [.passcode]),
      (#"{"op": "acl", "protection": "ak", "flags": ["userPresence"]}"#, []),
      (#"{"op": "find", "query": {"x": {"$authContext": {}}}}"#, []),
      (#"{"op": "find", "query": {"x": {"$authContext": {"authenticated": true}}}}"#, [.contexts]),
    ] as [(String, [ConformanceCase.Need])])
  func needs(step: String, needs: [ConformanceCase.Need]) throws {
    let line = #"{"id": "x", "rule": "r", "steps": [STEP]}"#.replacing("STEP", with: step)
    let one = try #require(ConformanceCase.all(in: Data(line.utf8)).first)
    #expect(one.needs == Set(needs))
  }

  @Test("every constant of the library can be named in a case")
  func constants() throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources/ThumbturnSecurity")
    let files = try #require(FileManager.default.enumerator(atPath: sources.path))
    var names: Set<String> = []
    for case let file as String in files where file.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
      for match in text.matches(of: /public let (kSec\w+): CFString/) { names.insert(String(match.1)) }
    }
    #expect(names.count > 100)
    #expect(names.subtracting(SymbolicNames.all).sorted() == [])
  }

  @Test("the program says how many passed, fails with a failing case, and knows the backends")
  func program() throws {
    let folder = try ScratchFolder("program")
    let path = folder.path + "/cases.jsonl"
    let fine =
      #"{"id": "fine", "rule": "r", "steps": [{"op": "acl", "protection": "ak", "flags": [], "expect": {"created": true}}]}"#
    try Data(fine.utf8).write(to: URL(fileURLWithPath: path))
    #expect(try Program.run([path]) == .init(status: 0, output: "1 passed, 0 failed\n", errors: ""))
    try Data((fine + "\n" + fine.replacing("true", with: "false")).utf8).write(to: URL(fileURLWithPath: path))
    let failing = try Program.run([path, "memory"])
    #expect(failing.status == 1)
    #expect(
      failing.output == "FAILED fine (r): step 1 acl: expected nil, got an access control\n1 passed, 1 failed\n")
    try Data().write(to: URL(fileURLWithPath: path))
    #expect(try Program.run([path]) == .init(status: 1, output: "0 passed, 0 failed\n", errors: ""))
    #expect(try Program.run([path, "other"]).status != 0)
    #expect(try Program.run([path + ".no"]).status != 0)
  }
}

/// The program of the same build.
private struct Program: Equatable {
  let status: Int32
  let output: String
  let errors: String

  static func run(_ arguments: [String]) throws -> Program {
    let process = Process()
    process.executableURL = Bundle.module.bundleURL.deletingLastPathComponent().appendingPathComponent("Conformance")
    process.arguments = arguments
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let said = output.fileHandleForReading.readDataToEndOfFile()
    let complained = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Program(
      status: process.terminationStatus, output: String(decoding: said, as: UTF8.self),
      errors: String(decoding: complained, as: UTF8.self))
  }
}
