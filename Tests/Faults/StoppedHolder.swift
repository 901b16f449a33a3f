import Foundation
import ThumbturnKeychain
import ThumbturnVault

/// A program that is stopped, as by SIGSTOP or a debugger, while it holds the vault: every call of every other program must
/// answer in time, and truly.
struct StoppedHolder {
  enum Hold: String {
    /// Inside a transaction that has already deleted a record, with the writer lock.
    case writing
    /// Inside a read, with SQLite's lock on what it sees.
    case reading
  }

  /// The limit of a call: 5 seconds of waiting, and what a program needs to start.
  static let secondsMax = 6.0
  private static let kept = Name(service: "svc", account: "kept")
  private static let going = Name(service: "svc", account: "going")

  let setting: Setting
  let home: String

  init(_ setting: Setting) {
    self.setting = setting
    home = setting.diskScratch + "/stopped"
  }

  /// The program that is stopped: says that it holds the vault, and waits for a file.
  static func program(_ arguments: [String]) throws {
    guard arguments.count == 2, let hold = Hold(rawValue: arguments[1]) else {
      throw Fault("hold HOME writing|reading")
    }
    let home = arguments[0]
    let location = VaultLocation(home: home)
    let backend = LocalBackend(location: location)
    guard let reference = try backend.find(going.query, for: Caller()).first?.reference else { throw Fault("no item") }
    backend.close()
    let waits = {
      say("held")
      while unsafe access(home + ".go", F_OK) != 0 { usleep(1_000) }
    }
    let vault = Vault(location: location)
    switch hold {
    case .writing:
      try vault.write(mayCreate: false) { (writer) throws(VaultError) in
        try writer.delete(Identifier(reference.span))
        waits()
      }
    case .reading:
      try vault.read { (reader) throws(VaultError) in
        // "agrp"
        let code: InlineArray<4, UInt8> = [0x61, 0x67, 0x72, 0x70]
        let table = ItemClass.genericPassword.rawValue
        let group = try reader.keys.tag(table: table, code: code, Array("default".utf8).span)
        let all = RecordQuery(table: table, groups: [group])
        try reader.forEach(all, wantsSecret: false) { _ in
          waits()
          return .stop
        }
      }
    }
    vault.close()
  }

  func run() throws {
    for hold in [Hold.writing, .reading] {
      let longest = try run(hold)
      say(
        "stopped while \(hold.rawValue): longest call \(String(format: "%.2f", longest)) s, true answers, then as before"
      )
    }
  }

  /// The seconds of the longest call.
  private func run(_ hold: Hold) throws -> Double {
    defer { for path in [home, home + ".go"] { Files.remove(path) } }
    let mine = LocalBackend(location: VaultLocation(home: home))
    defer { mine.close() }
    for name in [Self.kept, Self.going] { try Change.set(name, Array(name.account.utf8)).run(on: mine) }
    let holder = try setting.start([setting.harness, "hold", home, hold.rawValue], home: home)
    defer { kill(holder.process, SIGKILL) }
    try holder.waitFor("held")
    guard kill(holder.process, SIGSTOP) == 0 else { throw Fault("the holder could not be stopped") }
    try holder.waitUntilStopped()
    let longest = try max(reads(mine), writes(mine, hold))
    try Files.write([], to: home + ".go")
    kill(holder.process, SIGCONT)
    let ending = try holder.wait()
    guard ending.exitCode == 0 else { throw Fault("the holder failed afterwards: \(ending.errorText)") }
    try after(hold)
    return longest
  }

  /// What is committed is found, and nothing else is waited for.
  private func reads(_ mine: LocalBackend) throws -> Double {
    let began = Date()
    let rest = try start([
      Call(["get", "svc", "kept"], says: "kept"), Call(["get", "svc", "going"], says: "going"),
      Call(["list"], says: "going"), Call(["status"], says: ""), Call(["check"], says: "no damage"),
    ])
    for backend in [mine, LocalBackend(location: VaultLocation(home: home))] {
      guard try backend.content().count == 2 else { throw Fault("a read saw what was not committed") }
    }
    return try max(end(rest, began), Date().timeIntervalSince(began))
  }

  /// All at once, so that the run does not wait for each. A writer in the way is an answer; a reader is none.
  private func writes(_ mine: LocalBackend, _ hold: Hold) throws -> Double {
    let isBusy = hold == .writing
    let began = Date()
    var calls = [
      Call(["set", "svc", "kept"], says: "", isBusy: isBusy), Call(["set", "svc", "new"], says: "", isBusy: isBusy),
      Call(["rm", "svc", "going"], says: "", isBusy: isBusy),
    ]
    if isBusy { calls.append(Call(["check", "--salvage", "--yes"], says: "", isBusy: true)) }
    let rest = try start(calls)
    var isRefused = false
    do throws(KeychainError) {
      try mine.update(Self.kept.query, with: ItemChange([.label: .text("label")]), for: Caller())
    } catch {
      guard error.code == .notAvailable else { throw error }
      isRefused = true
    }
    guard isRefused == isBusy else { throw Fault("an update in process: refused is \(isRefused)") }
    return try max(end(rest, began), Date().timeIntervalSince(began))
  }

  private func after(_ hold: Hold) throws {
    let began = Date()
    let setting = setting
    let home = home
    func run(_ arguments: [String]) throws -> Ending {
      try setting.run([setting.program] + arguments, input: Array("again".utf8), home: home)
    }
    guard try run(["get", "svc", "going"]).exitCode == 1 else { throw Fault("what the holder or rm deleted is there") }
    guard try run(["set", "svc", "kept"]).exitCode == 0, try run(["get", "svc", "kept"]).output == Array("again".utf8)
    else { throw Fault("after the holder went on a write does not work") }
    let newCode: Int32 = hold == .writing ? 1 : 0
    guard try run(["get", "svc", "new"]).exitCode == newCode else {
      throw Fault("a refused write is there, or a done one is not")
    }
    guard try run(["check"]).exitCode == 0 else { throw Fault("after the holder went on check finds damage") }
    guard Date().timeIntervalSince(began) < Self.secondsMax else {
      throw Fault("after the holder went on calls are slow")
    }
  }
}
