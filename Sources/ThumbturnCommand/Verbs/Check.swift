internal import ThumbturnKeychain
internal import ThumbturnVault

extension Command {
  /// `check`: what is damaged, and what is done about it.
  static func check(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) {
    let options = invocation.options
    try refuseAgent(in: context)
    if options.contains(.salvage) {
      guard !options.contains(.accept) else {
        throw CommandFailure(
          .usage, "--accept and --salvage exclude each other", hint: "usage: \(usageLine(.check))")
      }
      return try salvage(options, in: context)
    }
    let isAccepting = options.contains(.accept)
    let isJSON = options.contains(.json)
    let yes = options.contains(.yes)
    // Without the passcode locked records are checked by their tags only.
    let passcode =
      invocation.values[.fileDescriptor] == nil ? nil : try PasscodeInput(invocation, in: context).present()
    var report = try check(CheckRequest(movesMany: yes, accepts: isAccepting), passcode, in: context)
    if report.awaitingCount > 0 {
      try show(report, isJSON: isJSON, in: context)
      try Confirmation.ask(
        "move \(countText(report.awaitingCount, "damaged record")) of \(report.recordCount) to quarantine?",
        hint: "thumbturn check --yes moves the \(countText(report.awaitingCount, "damaged record")) to quarantine",
        in: context)
      report = try check(CheckRequest(movesMany: true, accepts: isAccepting), passcode, in: context)
      if !isJSON { try context.print("moved \(countText(report.movedCount, "damaged record")) to quarantine\n") }
    } else {
      try show(report, isJSON: isJSON, in: context)
    }
    guard !report.isDamaged else { throw CommandFailure(.failed, "the vault is damaged", hint: hint(report)) }
    for finding in report.findings {
      guard case .lockedRecords = finding else { continue }
      throw CommandFailure(
        .personNeeded, "locked records could not be checked whole",
        hint: "give the passcode: thumbturn check --fd N reads it from the open descriptor N")
    }
  }

  /// A check needs the vault for itself. Whatever else is wrong with the vault, the check tells.
  private static func refuseAgent(in context: CommandContext) throws(CommandFailure) {
    let location = try context.location()
    let process: Int32
    do throws(KeychainError) {
      _ = try context.makeBackend(location).status()
      return
    } catch {
      guard error.cause?.code == .seatTaken, let agent = try? context.findAgents(location).connect(),
        let summary = try? agent.summary()
      else { return }
      process = summary.process
    }
    throw CommandFailure(
      .refused, "an agent (process \(process)) holds the vault, and a check needs it alone",
      hint: "thumbturn lock --stop ends the agent; unlock again afterwards")
  }

  private static func check(
    _ request: CheckRequest, _ passcode: Passcode?, in context: CommandContext
  ) throws(CommandFailure) -> CheckReport {
    let progress = CheckProgress(context.errors)
    defer { progress.end() }
    return try context.withVault { vault throws(KeychainError) in
      if let passcode { try vault.unlock(passcode) }
      return try vault.check(request) { progress.show($0, of: $1) }
    }
  }

  private static func hint(_ report: CheckReport) -> String {
    if report.needsSalvage { return "thumbturn check --salvage brings back every record that still opens" }
    let isChanged = report.findings.contains { if case .recordsChanged = $0 { true } else { false } }
    if isChanged, !report.isAccepted {
      return "put the vault back from a backup; or thumbturn check --accept, if the records are right as they are now"
    }
    if report.damagedCount > 0 { return "store again what was damaged; quarantine.db keeps what is left of it" }
    for finding in report.findings {
      switch finding {
      case .orphanBoxes: return "thumbturn check --salvage makes a database without the boxes that belong to no record"
      case .quarantineUnreadable: return "move quarantine.db away; the vault does not need it"
      default: break
      }
    }
    return "put the vault folder and the device folder back from one backup"
  }

  private static func show(_ report: CheckReport, isJSON: Bool, in context: CommandContext) throws(CommandFailure) {
    if isJSON { return try printJSON(report, in: context) }
    var text = ""
    for finding in report.findings { text += escaped(finding.text) + "\n" }
    if report.movedCount > 0 { text += "moved \(countText(report.movedCount, "damaged record")) to quarantine\n" }
    if report.isAccepted { text += "accepted the records as they are now\n" }
    text += "checked \(countText(report.recordCount, "record")): \(report.isClean ? "no damage" : "damage")\n"
    try context.print(text)
  }

  private static func printJSON(_ report: CheckReport, in context: CommandContext) throws(CommandFailure) {
    var out = try SecretOutput(context.output)
    try out.put("{\n  \"records\":\(report.recordCount),\n  \"clean\":\(report.isClean)")
    try out.put(",\n  \"damaged\":\(report.damagedCount),\n  \"moved\":\(report.movedCount)")
    try out.put(",\n  \"awaitingConfirmation\":\(report.awaitingCount),\n  \"accepted\":\(report.isAccepted)")
    try out.put(",\n  \"findings\":[")
    for (index, finding) in report.findings.enumerated() {
      try out.put(index == 0 ? "\n    {\"kind\":" : ",\n    {\"kind\":")
      try out.putJSON(finding.kind)
      for (name, number) in finding.numbers {
        try out.put(",")
        try out.putName(name)
        try out.put("\(number)")
      }
      if let (name, text) = finding.word {
        try out.put(",")
        try out.putMember(name, Array(text.utf8).span)
      }
      try out.put("}")
    }
    try out.put(report.findings.isEmpty ? "]\n}\n" : "\n  ]\n}\n")
    try out.flush()
  }
}

/// So many of something.
func countText(_ count: Int, _ one: String, _ many: String? = nil) -> String {
  "\(count) \(count == 1 ? one : many ?? one + "s")"
}

extension CheckFinding {
  /// A line for a person.
  var text: String {
    switch self {
    case .damagedRecord(let uuid, let row): "damaged: record \(uuid.isEmpty ? "without uuid" : uuid) (row \(row))"
    case .moreDamagedRecords(let count): "damaged: \(countText(count, "more record"))"
    case .recordsChanged(let expected, let found):
      "changed: there should be \(expected) records and there are \(found); some were put back, exchanged or deleted"
    case .structureDamaged(let count):
      "structure: \(countText(count, "problem")) of the database's pages or indexes; searches may miss records"
    case .unreadable: "unreadable: the database cannot be read to its end"
    case .orphanBoxes(let count): "orphans: \(countText(count, "box that belongs", "boxes that belong")) to no record"
    case .lockedRecords(let count):
      "locked: \(countText(count, "record")) could only be checked by tags; the passcode is needed for more"
    case .strayFile(let path): "stray file, left alone: \(path)"
    case .keptFile(let path): "old database, kept by a salvage: \(path)"
    case .quarantined(let count): "quarantine: \(countText(count, "damaged record"))"
    case .quarantineUnreadable: "quarantine: the file cannot be read"
    }
  }

  /// Its name in JSON.
  var kind: String {
    switch self {
    case .damagedRecord: "damagedRecord"
    case .moreDamagedRecords: "moreDamagedRecords"
    case .recordsChanged: "recordsChanged"
    case .structureDamaged: "structureDamaged"
    case .unreadable: "unreadable"
    case .orphanBoxes: "orphanBoxes"
    case .lockedRecords: "lockedRecords"
    case .strayFile: "strayFile"
    case .keptFile: "keptFile"
    case .quarantined: "quarantined"
    case .quarantineUnreadable: "quarantineUnreadable"
    }
  }

  fileprivate var numbers: [(String, Int)] {
    switch self {
    case .damagedRecord(_, let row): [("row", Int(row))]
    case .moreDamagedRecords(let count), .structureDamaged(let count), .orphanBoxes(let count),
      .lockedRecords(let count), .quarantined(let count):
      [("count", count)]
    case .recordsChanged(let expected, let found): [("expected", expected), ("found", found)]
    case .unreadable, .strayFile, .keptFile, .quarantineUnreadable: []
    }
  }

  fileprivate var word: (String, String)? {
    switch self {
    case .damagedRecord(let uuid, _): uuid.isEmpty ? nil : ("uuid", uuid)
    case .strayFile(let path), .keptFile(let path): ("path", path)
    default: nil
    }
  }
}
