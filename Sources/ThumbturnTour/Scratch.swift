import Foundation

/// A folder for this tour only, with `THUMBTURN_HOME` pointing into it: the user's own vault is never touched.
struct Scratch: Sendable {
  /// Absolute path of the folder.
  let path: String

  /// Makes the folder and sets the variable; to be called before the first keychain call, which looks it up.
  init() throws(TourFailure) {
    let temporary = URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath().path
    path = "\(temporary)/thumbturn-tour-\(UUID().uuidString)"
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw TourFailure(
        message: "no scratch folder can be made in \(temporary)", hint: "set TMPDIR to a folder that you may write")
    }
    guard unsafe setenv("THUMBTURN_HOME", path, 1) == 0 else {
      remove()
      throw TourFailure(message: "the environment cannot be changed")
    }
  }

  /// Removes the folder with everything in it.
  func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// Removes the folder also when a signal ends the tour; only SIGKILL leaves it.
  ///
  /// On a thread of its own: the tour itself waits for its children, and a signal must not wait for it.
  func removeOnSignals() -> [any DispatchSourceSignal] {
    [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        remove()
        _exit(128 + number)
      }
      source.resume()
      return source
    }
  }

  /// Every file in the folder, by its path relative to it.
  func files() -> [(name: String, content: Data)] {
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return names.sorted().compactMap { name in
      guard let content = try? Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")) else { return nil }
      return (name, content)
    }
  }
}
