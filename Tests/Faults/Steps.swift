import Foundation
import ThumbturnKeychain
import ThumbturnVault

/// One call of the program, what was before it and what must be after it.
struct Step {
  let title: String
  let arguments: [String]
  let input: [UInt8]
  let picture: Picture
  let before: Content
  let after: Content
  /// What must stand on standard output when the program says that it did it.
  var output: [UInt8] = []
  /// What the program ends with when nothing disturbs it.
  var exitCode: Int32 = 0
  /// The program, when it is not `thumbturn`.
  var program: String?
  /// What else must hold where the vault is damaged before.
  var damaged: DamagedVault?

  /// Nil when the vault is as this step may leave it.
  ///
  /// - Parameter isDone: Whether the program said that it did what it was asked.
  func fault(at home: String, isDone: Bool) -> String? {
    let allowed = isDone ? [after] : [before, after]
    return damaged.map { $0.fault(at: home, allowed: allowed, isDone: isDone) }
      ?? Verdict.fault(at: home, allowed: allowed)
  }
}

/// The fixed script of mutations: creation, a new item, another secret, one of 1 MiB, a removal, and one among many.
enum Steps {
  private static let one = Name(service: "svc", account: "one")
  private static let two = Name(service: "svc", account: "two")

  static func make(_ setting: Setting, manyCount: Int = 200) throws -> [Step] {
    var generator = Generator(seed: 1)
    let changes: [(String, Change)] = [
      ("creation", .set(one, Array("secret one".utf8))), ("set new", .set(two, Array("secret two".utf8))),
      ("replace", .set(one, Array("another secret".utf8))),
      ("replace with 1 MiB", .set(two, generator.bytes(1 << 20))),
      ("replace 1 MiB with little", .set(two, Array("small".utf8))), ("rm", .remove(one)),
    ]
    let home = setting.scratch + "/script"
    defer { Files.remove(home) }
    var steps: [Step] = []
    var content: Content = [:]
    func add(_ title: String, _ change: Change) throws {
      let before = content
      change.apply(to: &content)
      let picture = try Picture(of: home)
      let (arguments, input) = call(change)
      steps.append(
        Step(title: title, arguments: arguments, input: input, picture: picture, before: before, after: content))
      let ending = try setting.run([setting.program] + arguments, input: input, home: home)
      guard ending.exitCode == 0 else { throw Fault("\(title): \(ending.errorText)") }
      let backend = LocalBackend(location: VaultLocation(home: home))
      defer { backend.close() }
      guard try backend.content() == content else { throw Fault("\(title): an acknowledged change is not there") }
    }
    for (title, change) in changes { try add(title, change) }
    let backend = LocalBackend(location: VaultLocation(home: home))
    for index in 0..<manyCount {
      let change = Change.set(Name(service: "many", account: "\(index)"), generator.bytes(40))
      try change.run(on: backend)
      change.apply(to: &content)
    }
    backend.close()
    try add("set over many", .set(Name(service: "many", account: "7"), Array("new".utf8)))
    return steps
  }

  /// Calls that only read, for errors that must not look like "not found".
  static func reading(after last: Step) -> [Step] {
    let name = Name(service: "many", account: "9")
    let get = Step(
      title: "get", arguments: ["get", name.service, name.account], input: [], picture: last.picture,
      before: last.before, after: last.before, output: last.before[name] ?? [])
    let list = Step(
      title: "list", arguments: ["list"], input: [], picture: last.picture, before: last.before, after: last.before)
    return [get, list]
  }

  /// Calls that mend a vault with damage in it.
  static func mending(_ setting: Setting) throws -> [Step] {
    let record = try DamagedVault(.record, setting)
    let head = try DamagedVault(.head, setting)
    let salvage = ["check", "--salvage", "--yes"]
    func step(
      _ title: String, _ vault: DamagedVault, _ arguments: [String], input: [UInt8] = [], after: Content? = nil,
      exitCode: Int32 = 0
    ) -> Step {
      Step(
        title: title, arguments: arguments, input: input, picture: vault.picture, before: vault.content,
        after: after ?? vault.content, exitCode: exitCode, damaged: vault)
    }
    let again = Array("stored again".utf8)
    let lost = DamagedVault.lost
    return [
      step("check --yes of a damaged record", record, ["check", "--yes"], exitCode: 5),
      step(
        "set over a damaged record", record, ["set", lost.service, lost.account], input: again,
        after: record.content.merging([lost: again]) { $1 }),
      step("check --accept", try DamagedVault(.deletedRecord, setting), ["check", "--accept"]),
      step("salvage of a damaged record", record, salvage), step("salvage without a head", head, salvage),
    ]
  }

  private static func call(_ change: Change) -> ([String], [UInt8]) {
    switch change {
    case .set(let name, let secret): (["set", name.service, name.account], secret)
    case .remove(let name): (["rm", name.service, name.account], [])
    case .setAll, .reopen: ([], [])
    }
  }
}
