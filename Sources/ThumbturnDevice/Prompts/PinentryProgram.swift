/// An installed pinentry: the program that shows a prompt and reads what is typed.
struct PinentryProgram: Hashable {
  /// Where one is looked for, in this order; nowhere else, and never in a client's PATH. The first is what the machine's
  /// administrator chose.
  static let paths = ["", "-gnome3", "-qt", "-qt5", "-gtk-2", "-curses", "-tty"].map { "/usr/bin/pinentry" + $0 }

  /// Where it is, without links.
  let path: String
  /// Whether it can show something on a display.
  let isGraphical: Bool

  /// Nil when there is none, or when somebody but root could replace it.
  init?(_ path: String, mayBelongToAnyone: Bool = false) {
    guard let real = system_realPath(path), let facts = system_facts(real), facts.isFile, facts.isExecutable else {
      return nil
    }
    guard mayBelongToAnyone || Self.belongsToRoot(real) else { return nil }
    self.path = real
    isGraphical = !real.hasSuffix("-curses") && !real.hasSuffix("-tty")
  }

  /// The first that can show something at a place.
  static func find(_ paths: [String], needsDisplay: Bool, mayBelongToAnyone: Bool) -> PinentryProgram? {
    for path in paths {
      guard let program = PinentryProgram(path, mayBelongToAnyone: mayBelongToAnyone) else { continue }
      if program.isGraphical || !needsDisplay { return program }
    }
    return nil
  }

  /// Whether a file and each folder above it belong to root, and nobody else may write them.
  static func belongsToRoot(_ path: String, facts: (String) -> FileFacts? = { system_facts($0) }) -> Bool {
    var path = Substring(path)
    while true {
      guard let facts = facts(path.isEmpty ? "/" : String(path)), facts.owner == 0, !facts.isWritableByOthers else {
        return false
      }
      guard let slash = path.lastIndex(of: "/") else { return path.isEmpty }
      path = path[..<slash]
    }
  }
}
