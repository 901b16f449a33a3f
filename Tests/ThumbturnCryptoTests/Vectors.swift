internal import Foundation

/// Published test vectors: blocks of lines "name hexadecimal", read from this target's resources.
enum Vectors {
  static func load(_ name: String) throws -> [[String: [UInt8]]] {
    guard let url = Bundle.module.url(forResource: name, withExtension: "txt", subdirectory: "Vectors") else {
      throw CocoaError(.fileNoSuchFile)
    }
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    return lines.filter { !$0.hasPrefix("#") }.split(separator: "").map { block in
      Dictionary(
        uniqueKeysWithValues: block.map { line in
          let words = line.split(separator: " ")
          return (String(words[0]), words.count > 1 ? bytes(words[1]) : [])
        })
    }
  }

  static func bytes(_ hexadecimal: Substring) -> [UInt8] {
    let digits = hexadecimal.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
