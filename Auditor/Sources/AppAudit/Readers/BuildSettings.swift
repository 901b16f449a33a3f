import Foundation

/// Build settings of one configuration, as far as they decide what is built in.
struct BuildSettings: Sendable {
  /// Substitutions inside substitutions, and the length of what comes out.
  private static let depthMax = 16
  private static let lengthMax = 64 << 10

  private(set) var values: [String: String] = [:]

  /// Adds a setting over those of before; `$(inherited)` means the former value. A condition other than an iPhone's is
  /// not met: `KEY[sdk=iphonesimulator*]`, `KEY[config=Debug]`.
  mutating func set(_ name: String, _ value: String) {
    let key = String(name.prefix { $0 != "[" })
    for condition in name.dropFirst(key.count).split(separator: "[") {
      let parts = condition.dropLast(condition.hasSuffix("]") ? 1 : 0).split(separator: ",")
      for part in parts where !Self.isMet(String(part)) { return }
    }
    let former = values[key] ?? ""
    values[key] =
      String(
        value.replacingOccurrences(of: "$(inherited)", with: former).replacingOccurrences(
          of: "${inherited}", with: former
        )
        .prefix(Self.lengthMax))
  }

  private static func isMet(_ condition: String) -> Bool {
    let sides = condition.split(separator: "=", maxSplits: 1).map(String.init)
    guard sides.count == 2 else { return true }
    switch sides[0] {
    case "sdk": return sides[1] == "*" || sides[1].hasPrefix("iphoneos")
    case "arch": return sides[1] == "*" || sides[1].hasPrefix("arm64")
    case "config": return sides[1] == "*" || sides[1].hasPrefix("Release")
    default: return true
    }
  }

  /// The value of a setting with all it refers to put in; nil where it is not set.
  subscript(key: String) -> String? { values[key].map { resolve($0) } }

  /// Puts in `$(NAME)` and `${NAME}`; what is not known stays as it is.
  func resolve(_ text: String) -> String { resolve(text, depth: 0) }

  private func resolve(_ text: String, depth: Int) -> String {
    guard depth < Self.depthMax, text.contains("$") else { return text }
    var result = ""
    var rest = Substring(text)
    while let dollar = rest.firstIndex(of: "$"), result.utf8.count < Self.lengthMax {
      result += rest[..<dollar]
      rest = rest[dollar...]
      let open = rest.dropFirst().first
      guard open == "(" || open == "{", let end = rest.firstIndex(of: open == "(" ? ")" : "}") else {
        result += "$"
        rest = rest.dropFirst()
        continue
      }
      let inner = rest[rest.index(dollar, offsetBy: 2)..<end]
      let name = String(inner.prefix { $0 != ":" })
      if let value = values[name] {
        result += resolve(value, depth: depth + 1)
      } else {
        result += rest[dollar...end]
      }
      rest = rest[rest.index(after: end)...]
    }
    return String((result + rest).prefix(Self.lengthMax))
  }
}

/// Reads `.xcconfig` files and those that they include.
struct ConfigurationFileReader {
  private static let depthMax = 16
  let files: ProjectFiles
  private(set) var notes: [Note] = []

  init(files: ProjectFiles) { self.files = files }

  mutating func read(_ path: String, into settings: inout BuildSettings, depth: Int = 0) {
    guard depth < Self.depthMax else {
      notes.append(Note(path: path, message: "configuration files include each other too deep"))
      return
    }
    guard case .success(let bytes) = files.read(path) else {
      notes.append(Note(path: path, message: "the configuration file cannot be read"))
      return
    }
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let text = Self.withoutComment(String(line)).trimmed
      if text.hasPrefix("#include") {
        let isOptional = text.hasPrefix("#include?")
        let parts = text.split(separator: "\"")
        guard parts.count >= 2, let other = Path.join(Path.folder(path), String(parts[1])) else { continue }
        if files.contains(other) {
          read(other, into: &settings, depth: depth + 1)
        } else if !isOptional {
          notes.append(Note(path: path, message: "includes \(parts[1]), which is not there"))
        }
      } else if let equals = Self.assignment(in: text) {
        settings.set(String(text[..<equals]).trimmed, String(text[text.index(after: equals)...]).trimmed)
      }
    }
  }

  /// The `=` that is not inside the brackets of a condition.
  private static func assignment(in text: String) -> String.Index? {
    var depth = 0
    for index in text.indices {
      if text[index] == "[" { depth += 1 }
      if text[index] == "]" { depth -= 1 }
      if text[index] == "=", depth <= 0 { return index }
    }
    return nil
  }

  /// `//` begins a comment, also in an address: that is why such files write `https:/$()/`.
  private static func withoutComment(_ line: String) -> String {
    guard let comment = line.range(of: "//") else { return line }
    return String(line[..<comment.lowerBound])
  }
}
