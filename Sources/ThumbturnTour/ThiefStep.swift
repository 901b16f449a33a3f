import Foundation
import Security

/// Step 7: somebody has copied every file.
///
/// What do the bytes tell?
enum ThiefStep {
  private static let rowBytes = 64

  static func run(in scratch: Scratch) throws(TourFailure) {
    Narration.step(7, "What the vault's files tell a thief")
    let token = TokenSteps.second
    let saved = KeychainManager.shared.save(
      Data(token.utf8), service: TokenSteps.service, account: TokenSteps.account, label: TokenSteps.label)
    Narration.call("SecItemAdd", saved.add)
    try Narration.expect(saved == (errSecSuccess, nil), "the token was not saved")

    let files = scratch.files()
    for file in files { Narration.say("\(padded(file.content.count)) bytes  \(file.name)") }
    try Narration.expect(!files.isEmpty, "there is no file to search")
    for (what, text) in [
      ("service", TokenSteps.service), ("account", TokenSteps.account), ("label", TokenSteps.label), ("secret", token),
    ] {
      let hits = names(of: scratch.files(), containing: text)
      try Narration.expect(hits.isEmpty, "the \(what) stands readable in \(hits.joined(separator: ", "))")
      Narration.say("\(what): in none of them")
    }
    try proveSearch(in: scratch, token)
    showRow(files)
    Narration.say("Take the folder device/ as well and you hold the key: no passcode is set here.")
  }

  /// A search that finds nothing proves something only if it finds what is there.
  private static func proveSearch(in scratch: Scratch, _ token: String) throws(TourFailure) {
    let planted = "planted.txt"
    let path = "\(scratch.path)/\(planted)"
    let isWritten = FileManager.default.createFile(atPath: path, contents: Data("password = \(token)\n".utf8))
    let hits = names(of: scratch.files(), containing: token)
    try? FileManager.default.removeItem(atPath: path)
    try Narration.expect(isWritten && hits == [planted], "the search does not find a plain copy")
    Narration.say("a plain copy, planted to test the search: found")
  }

  /// The bytes of the database that look the least like text: a piece of a sealed row.
  private static func showRow(_ files: [(name: String, content: Data)]) {
    let windows = files.filter { $0.name.contains(".db") }.flatMap { file in
      stride(from: 0, to: max(0, file.content.count - rowBytes), by: rowBytes).map { start in
        [UInt8](file.content.dropFirst(start).prefix(rowBytes))
      }
    }
    guard let row = windows.max(by: { Set($0).count < Set($1).count }) else { return }
    Narration.say("a piece of the row looks like this:")
    for start in stride(from: 0, to: row.count, by: 32) {
      let digits = row[start..<min(start + 32, row.count)].map { hexadecimal($0) }
      Narration.say("  \(digits.joined())")
    }
  }

  private static func names(of files: [(name: String, content: Data)], containing text: String) -> [String] {
    files.filter { $0.content.range(of: Data(text.utf8)) != nil }.map(\.name)
  }

  private static func padded(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: " ", count: max(0, 8 - digits.count)) + digits
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}
