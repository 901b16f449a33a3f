internal import ThumbturnKeychain
internal import ThumbturnVault

extension Command {
  /// `check --salvage`: tells what still opens, asks, and puts it in place.
  static func salvage(_ options: Set<Option>, in context: CommandContext) throws(CommandFailure) {
    let isJSON = options.contains(.json)
    let found = try context.withVault { vault throws(KeychainError) in try vault.salvage(replacing: nil) }
    if found.isReplaced {
      if isJSON { return try printJSON(found, isFinished: true, in: context) }
      let kept = found.keptPath.map { "the old database is kept: \(escaped($0))" } ?? "no old database is kept"
      return try context.print("finished the salvage that was cut off\n\(kept)\n")
    }
    if !isJSON { try context.print(text(found)) }
    if !options.contains(.yes) {
      if isJSON { try printJSON(found, isFinished: false, in: context) }
      try Confirmation.ask(
        "replace the database by these records? The old one is kept.",
        hint: "thumbturn check --salvage --yes replaces the database and keeps the old one", in: context)
    }
    let done = try context.withVault { vault throws(KeychainError) in try vault.salvage(replacing: found) }
    guard done.isReplaced else {
      throw CommandFailure(
        .failed, "the vault changed meanwhile, nothing was replaced", hint: "try again while no other program uses it")
    }
    if isJSON {
      if options.contains(.yes) { try printJSON(done, isFinished: false, in: context) }
    } else {
      let kept = done.keptPath.map { "the old database is kept: \(escaped($0))" } ?? "no old database is kept"
      try context.print("replaced; \(kept)\n")
    }
  }

  private static func text(_ report: SalvageReport) -> String {
    var text = "\(report.recordCount) records open"
    if let count = report.expectedCount { text += ", of \(count) that there should be" }
    if report.isComplete {
      text += "\ncomplete and current\n"
    } else {
      text += "\nnot complete, or not current: some may be lost, older, or deleted ones that are back\n"
      if report.formerCount > 0 { text += "\(report.formerCount) of them were found only in pages written over\n" }
    }
    for uuid in report.lockedUUIDs { text += "locked, copied as it is: record \(uuid)\n" }
    return text
  }

  private static func printJSON(
    _ report: SalvageReport, isFinished: Bool, in context: CommandContext
  ) throws(CommandFailure) {
    var out = try SecretOutput(context.output)
    try out.put("{\n  \"finished\":\(isFinished)")
    if !isFinished {
      try out.put(",\n  \"records\":\(report.recordCount),\n  \"former\":\(report.formerCount)")
      if let count = report.expectedCount { try out.put(",\n  \"expected\":\(count)") }
      try out.put(",\n  \"complete\":\(report.isComplete),\n  \"locked\":[")
      for (index, uuid) in report.lockedUUIDs.enumerated() {
        if index > 0 { try out.put(",") }
        try out.putJSON(uuid)
      }
      try out.put("]")
    }
    if let kept = report.keptPath {
      try out.put(",\n  ")
      try out.putMember("kept", Array(kept.utf8).span)
    }
    try out.put("\n}\n")
    try out.flush()
  }
}
