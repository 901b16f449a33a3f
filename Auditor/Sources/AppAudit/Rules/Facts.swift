import Foundation

/// What Apple's documentation says, from the JSON files beside the program.
enum Facts {
  /// The files that there are, without their ending.
  static let names = [
    "app-store-errors", "biometrics", "entitlements", "hashes", "injection", "keychain", "permissions",
    "privacy-manifest", "required-reasons", "sdks", "secrets", "transport-security", "usage-descriptions",
  ]

  /// - Parameter name: One of ``names``. ``problem(in:)`` was asked before: without its facts no rule says anything true.
  static func load<Content: Decodable>(_ name: String, as type: Content.Type) -> Content {
    do {
      guard let folder else { fatalError("the facts are not there") }
      return try JSONDecoder().decode(type, from: Data(contentsOf: folder.appendingPathComponent(name + ".json")))
    } catch {
      fatalError("the facts \(name) cannot be read: \(error)")
    }
  }

  /// What is missing or damaged in the folder of the facts; nil when all is there. The program ends with exit code 3 then.
  static func problem(in folder: URL? = folder) -> String? {
    guard let folder else { return "the folder auditor_AppAudit.resources is missing beside the program" }
    for name in names {
      guard let data = try? Data(contentsOf: folder.appendingPathComponent(name + ".json")),
        (try? JSONSerialization.jsonObject(with: data)) != nil
      else { return "the facts \(name) are missing or damaged" }
    }
    return nil
  }

  /// Beside the program, where building and installing put it; for tests, which are no program of ours, in the source.
  static let folder: URL? = [
    Bundle.main.bundleURL.appendingPathComponent("auditor_AppAudit.resources/Facts"),
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Facts"),
  ].first { FileManager.default.fileExists(atPath: $0.path) }
}
