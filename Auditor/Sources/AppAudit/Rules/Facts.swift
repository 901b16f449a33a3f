import Foundation

/// What Apple's documentation says, from the JSON files beside the program.
enum Facts {
  /// - Parameter name: The file's name without its ending.
  static func load<Content: Decodable>(_ name: String, as type: Content.Type) -> Content {
    do {
      return try JSONDecoder().decode(type, from: Data(contentsOf: folder.appendingPathComponent(name + ".json")))
    } catch {
      // Part of the program: without it nothing true can be said.
      fatalError("the facts \(name) cannot be read: \(error)")
    }
  }

  /// Beside the program where it is installed, else where the package manager put it.
  private static let folder: URL = {
    let installed = Bundle.main.bundleURL.appendingPathComponent("auditor_AppAudit.resources/Facts")
    if FileManager.default.fileExists(atPath: installed.path) { return installed }
    return Bundle.module.bundleURL.appendingPathComponent("Facts")
  }()
}
