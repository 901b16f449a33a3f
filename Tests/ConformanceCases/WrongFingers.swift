/// Wrong fingers at the real fprintd, asked for by the tests' own agent. As root.
public enum WrongFingers {
  /// What each step answers: wrong fingers until the reader is locked, the right one, the passcode, the right one.
  public static func run(scratch: String) throws -> [String] {
    let template = "\(scratch)/template"
    try LocalStore.makeTemplate(at: template)
    let store = try AgentStore(home: "\(scratch)/fingers", template: template, reader: RealReader())
    defer { store.end() }
    try store.set("auth", .text("fail"))
    var answers = [store.finger(), store.finger()]
    try store.set("auth", .text("success"))
    answers.append(store.finger())
    try store.set("lock", .text("unlocked"))
    answers.append(store.finger())
    return answers
  }
}
