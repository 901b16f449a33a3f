/// Who asks, as the kernel knows it: nothing of it is what the program says of itself.
struct PromptedProgram: Hashable, Sendable {
  /// The longest name that a prompt shows, in characters.
  private static let nameCountMax = 64

  /// The last part of the path of its file, without what is no visible character.
  let name: String
  /// Its process.
  let process: Int32
  /// What keeps it apart from other programs; a process of which nothing is known is only equal to itself.
  let identity: String

  init(_ peer: AgentPeer, _ facts: (identity: ProgramIdentity, executable: String?)) {
    process = peer.process
    let file = facts.executable.map { $0.split(separator: "/").last.map(String.init) ?? $0 } ?? ""
    let visible = String(
      String.UnicodeScalarView(
        file.unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: "?"
          default: scalar
          }
        }))
    name = visible.isEmpty ? "an unknown program" : String(visible.prefix(Self.nameCountMax))
    identity =
      switch facts.identity {
      case .app(let app): "app \(app)"
      case .unit(let unit): "unit \(unit)"
      case .plain: facts.executable.map { "file \($0)" } ?? "process \(peer.process)"
      }
  }
}
