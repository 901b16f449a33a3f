internal import ThumbturnKeychain
internal import ThumbturnVault

extension Command {
  /// `status`: first what is not protected, then where the vault is, who has it, and what is in it.
  static func status(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) {
    let location = try context.location()
    let seat: VaultSeat
    do {
      seat = try context.seat()
    } catch {
      // Whoever looks for the reason needs the places most.
      if !invocation.options.contains(.json) { try context.print(placesText(location)) }
      throw error
    }
    if invocation.options.contains(.json) {
      try printJSON(seat, location, in: context)
    } else {
      try context.print(statusText(seat, location))
    }
  }

  /// What is not protected (VAULT.md §1); each is a sentence without its full stop.
  static func unprotected(_ status: VaultStatus) -> [String] {
    var found = status.hasPasscode ? unprotectedByPasscode : unprotectedWithoutPasscode
    if status.isSimulated {
      found.insert(
        "a simulated finger: this vault is for trying things out, and whoever runs as this user says which finger is shown",
        at: 0)
    }
    found.append("root, and whoever can read this machine's memory or hibernation image, can read everything")
    if !status.isPresent || status.isMemoryLocked {
      found.append("a secret above 4 KiB may reach the swap: encrypt the swap")
    } else {
      found.append("keys and secrets may reach the swap, because no memory could be locked: encrypt the swap")
    }
    return found
  }

  private static let unprotectedWithoutPasscode = [
    "no passcode is set, and the device key is a file, not sealed in a TPM: whoever has the vault folder and the device "
      + "folder reads everything",
    "every process of this user can read everything; access groups are advisory",
  ]

  private static let unprotectedByPasscode = [
    "items of the classes always and always-this-device-only are under the device key alone, a file, not sealed in a TPM: "
      + "whoever has the vault folder and the device folder reads them",
    "of the other items, whoever has both folders can test names, and can try passcodes on a machine of their own: no count "
      + "of wrong ones stops that, only a long passcode does; older copies can be put back",
    "every process of this user can do the same while the vault is locked, and read everything that is unlocked; access "
      + "groups are advisory",
  ]

  private static func statusText(_ seat: VaultSeat, _ location: VaultLocation) -> String {
    let status = seat.status
    var text = "not protected at this version:\n"
    for line in unprotected(status) {
      text += "  - " + wrapped(line, indent: 4).dropFirst(4)
    }
    var rows = [("vault folder", escaped(location.vaultFolder))]
    if status.isPresent {
      rows += [
        ("device key", escaped(status.deviceKeyPath)),
        ("format", "\(status.format.major).\(status.format.minor)"),
        ("items", "\(status.itemCount)"),
        ("writable", status.writeRefusal.map { "no: \($0)" } ?? "yes"),
        ("memory locked", status.isMemoryLocked ? "yes" : "no"),
      ]
      if status.isSimulated { rows.append(("fingers", "simulated finger, by thumbturn finger simulate")) }
      rows += lockRows(seat)
    } else {
      rows += [
        ("device folder", escaped(location.deviceFolder)),
        ("vault", "none yet, the first thumbturn set makes one"),
      ]
    }
    text += "\n"
    for (name, value) in rows { text += name + String(repeating: " ", count: 15 - name.utf8.count) + value + "\n" }
    return text
  }

  private static func placesText(_ location: VaultLocation) -> String {
    "vault folder   \(escaped(location.vaultFolder))\ndevice folder  \(escaped(location.deviceFolder))\n\n"
  }

  private static func printJSON(
    _ seat: VaultSeat, _ location: VaultLocation, in context: CommandContext
  ) throws(CommandFailure) {
    let status = seat.status
    var out = try SecretOutput(context.output)
    try out.put("{\n  \"notProtected\":[")
    for (index, line) in unprotected(status).enumerated() {
      try out.put(index == 0 ? "\n    " : ",\n    ")
      try out.putJSON(line)
    }
    try out.put("\n  ],\n  \"present\":\(status.isPresent),\n  ")
    try out.putMember("vaultFolder", Array(location.vaultFolder.utf8).span)
    try out.put(",\n  ")
    try out.putMember("deviceFolder", Array(location.deviceFolder.utf8).span)
    if status.isPresent {
      try out.put(",\n  ")
      try out.putMember("deviceKey", Array(status.deviceKeyPath.utf8).span)
      try out.put(",\n  ")
      try out.putMember("vaultID", Array(status.vaultID.utf8).span)
      try out.put(",\n  \"format\":\"\(status.format.major).\(status.format.minor)\"")
      try out.put(",\n  \"items\":\(status.itemCount),\n  \"passcode\":\(status.hasPasscode)")
      try out.put(",\n  \"writable\":\(status.writeRefusal == nil)")
      try out.put(",\n  \"memoryLocked\":\(status.isMemoryLocked)")
      if status.isSimulated { try out.put(",\n  \"simulatedFinger\":true") }
      try out.putLock(seat)
    }
    try out.put("\n}\n")
    try out.flush()
  }
}
