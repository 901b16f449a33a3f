import Foundation
package import ThumbturnAgent
import ThumbturnCrypto
package import ThumbturnVault

/// What the tests' own agent reads from files of its home, and what they write there.
package enum VaultSeams {
  /// The surroundings of the agent of a home.
  package static func surroundings(_ home: String) -> AgentSurroundings {
    var surroundings = AgentSurroundings()
    surroundings.vault.cost = .least
    surroundings.vault.moment = { moment(home) }
    surroundings.nanoseconds = { moment(home).nanoseconds }
    surroundings.groups = ProgramGroups(
      programs: {
        guard let bytes = FileManager.default.contents(atPath: "\(home)/programs.json") else { return ProgramsFile() }
        return ProgramsFile([UInt8](bytes)) ?? .unusable
      },
      identify: { peer in
        let text = FileManager.default.contents(atPath: "\(home)/cgroups").map { String(decoding: $0, as: UTF8.self) }
        let line = text?.split(separator: "\n").first { $0.hasPrefix("\(peer.process) ") }
        guard let cgroup = line?.split(separator: " ").last else { return (.plain, nil) }
        return (ProgramIdentity(cgroup: "0::/\(cgroup)"), nil)
      })
    surroundings.sensor = ScriptedSensor(home)
    surroundings.prompter = ScriptedPrompter(home)
    return surroundings
  }

  private static func moment(_ home: String) -> BootMoment {
    guard let text = FileManager.default.contents(atPath: "\(home)/clock"), text.count > 33 else { return .now() }
    let words = String(decoding: text, as: UTF8.self).split(separator: " ")
    let digits = words[0].compactMap(\.hexDigitValue)
    guard digits.count == 32, let nanoseconds = Int64(words[1]) else { return .now() }
    let bytes = (0..<16).map { UInt8(digits[2 * $0] * 16 + digits[2 * $0 + 1]) }
    return BootMoment(bootID: Identifier(bytes.span), nanoseconds: nanoseconds)
  }

  /// Sets the clock of a home's agent.
  package static func setClock(_ home: String, _ moment: BootMoment) throws {
    let text = "\(moment.bootID.hexadecimal) \(moment.nanoseconds)"
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(home)/clock"), options: .atomic)
  }
}
