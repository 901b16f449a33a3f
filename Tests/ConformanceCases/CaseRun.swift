internal import Foundation
internal import ThumbturnKeychain
@_spi(Testing) internal import ThumbturnSecurity

/// Why a case failed.
public struct CaseFailure: Sendable, CustomStringConvertible {
  /// The case's name.
  public let id: String
  private let rule: String
  /// Counted from 1; nil where the case could not even be read.
  private let step: Int?
  private let op: String
  private let reason: String

  init(_ one: ConformanceCase, step: Int? = nil, op: String = "", _ reason: String) {
    id = one.id
    rule = one.rule
    self.step = step
    self.op = op
    self.reason = reason
  }

  /// One line: the case, the step, what was expected and what came.
  public var description: String {
    "\(id) (\(rule)): " + (step.map { "step \($0) \(op): " } ?? "") + reason
  }
}

/// Runs cases through the four functions of this process; so only one run at a time, and in a process without other calls.
public final class CaseRunner {
  private let kind: CaseBackend
  private let scratch: String
  private let fixtures: Fixtures
  private var count = 0
  /// For the whole run: it takes longer to start than a case takes.
  private var reader: RealReader?

  /// - Parameters:
  ///   - backend: What to run over; one that is built.
  ///   - scratch: A folder that exists, best in memory; a vault for each case is made and removed in it.
  public init(over backend: CaseBackend, scratch: String) {
    precondition(backend.isBuilt)
    kind = backend
    self.scratch = scratch
    fixtures = Fixtures(folder: scratch + "/fixtures")
  }

  private func makeStore() throws(Problem) -> any CaseStore {
    guard kind != .memory else { return MemoryStore() }
    let template = "\(scratch)/template"
    if !FileManager.default.fileExists(atPath: template) { try LocalStore.makeTemplate(at: template) }
    let home = "\(scratch)/case-\(count)"
    if kind == .local { return try LocalStore(home: home, template: template) }
    if kind == .fprintd, reader == nil { reader = try RealReader() }
    return try AgentStore(home: home, template: template, reader: reader)
  }

  /// Runs one case over an empty keychain; nil when it passed.
  public func run(_ one: ConformanceCase) -> CaseFailure? {
    if let problem = one.problem { return CaseFailure(one, problem) }
    count += 1
    let store: any CaseStore
    do throws(Problem) { store = try makeStore() } catch { return CaseFailure(one, error.text) }
    var values = CaseValues(fixtures: fixtures)
    values.authenticate = { (context) throws(Problem) in try store.authenticate(context) }
    var state = CaseState(store: store, values: values)
    defer {
      store.end()
      useKeychainBackend(nil)
    }
    state.useCaller()
    for (index, step) in one.steps.enumerated() {
      var op = "?"
      do {
        op = try step.text("op")
        guard let difference = try state.run(op, step) else { continue }
        return CaseFailure(
          one, step: index + 1, op: op, "expected \(difference.expected), got \(difference.got)")
      } catch {
        return CaseFailure(one, step: index + 1, op: op, error.text)
      }
    }
    return nil
  }
}

/// One case while it runs.
private struct CaseState {
  let store: any CaseStore
  var values: CaseValues
  private var groups = ["G1", "G2"]
  private var appClip: String?

  init(store: any CaseStore, values: CaseValues) {
    self.store = store
    self.values = values
  }

  func useCaller() {
    useKeychainBackend(store.backend, for: Caller(accessGroups: groups, appClipGroup: appClip))
  }

  mutating func run(_ op: String, _ step: [String: JSON]) throws(Problem) -> Expectation.Difference? {
    switch op {
    case "env":
      try step.expectOnly(["op", "set"], in: "the step")
      for (key, value) in try step.object("set").sorted(by: { $0.key < $1.key }) { try set(key, value) }
      return nil
    case "acl":
      try step.expectOnly(["op", "protection", "flags", "expect"], in: "the step")
      return try makeAccessControl(step)
    case "add", "find", "delete":
      try step.expectOnly(["op", "query", "expect"], in: "the step")
      return try call(op, step, try values.dictionary(try step.object("query")))
    case "update":
      try step.expectOnly(["op", "query", "update", "expect"], in: "the step")
      return try call(op, step, try values.dictionary(try step.object("query")))
    default: throw Problem("unknown op \(op)")
    }
  }

  private mutating func call(
    _ op: String, _ step: [String: JSON], _ query: [String: Any]
  ) throws(Problem) -> Expectation.Difference? {
    let expectation = try Expectation(try step.object("expect"), values)
    var result: CFTypeRef?
    let status: OSStatus
    switch op {
    case "add": status = SecItemAdd(query as CFDictionary, &result)
    case "find": status = SecItemCopyMatching(query as CFDictionary, &result)
    case "update":
      let change = try values.dictionary(try step.object("update"))
      status = SecItemUpdate(query as CFDictionary, change as CFDictionary)
    default: status = SecItemDelete(query as CFDictionary)
    }
    if let difference = try expectation.difference(status: status, result: result) { return difference }
    if expectation.object["save"] != nil {
      guard let result else { return .init(expected: "a result to save", got: "nil") }
      values.saved[try expectation.object.text("save")] = result
    }
    return nil
  }

  private mutating func set(_ key: String, _ value: JSON) throws(Problem) {
    switch key {
    case "groups":
      groups = try ["groups": value].texts("groups")
      useCaller()
    case "appClip":
      appClip = try ["appClip": value].text("appClip")
      useCaller()
    case "lock", "passcode", "auth", "biometryEnrolled", "enrolment": try store.set(key, value)
    default: throw Problem("unknown surroundings \(key)")
    }
  }

  private func makeAccessControl(_ step: [String: JSON]) throws(Problem) -> Expectation.Difference? {
    let expect = try step.object("expect")
    try expect.expectOnly(["created"], in: "expect")
    guard case .boolean(let wanted)? = expect["created"] else { throw Problem("created is no boolean") }
    let isMade = try values.makeAccessControl(step) != nil
    guard isMade != wanted else { return nil }
    return .init(expected: wanted ? "an access control" : "nil", got: isMade ? "an access control" : "nil")
  }
}
