internal import Glibc
internal import ThumbturnCrypto
internal import ThumbturnShims
public import ThumbturnVault

/// Where the agent's socket is (VAULT.md §7).
public struct SocketPlace: Hashable, Sendable {
  /// The socket's name in its folder.
  package static let name = "agent.sock"

  /// Absolute path of the folder that holds the socket.
  public let folder: String

  /// The socket `agent.sock` in a folder.
  ///
  /// - Parameter folder: An absolute path.
  public init(folder: String) { self.folder = folder }

  /// Absolute path of the socket.
  public var path: String { "\(folder)/\(Self.name)" }

  /// The socket of this user's agent: in `THUMBTURN_HOME` when it is set, else in `thumbturn` below the runtime folder. That
  /// is `XDG_RUNTIME_DIR` when it is this user's, else `/run/user/UID`.
  ///
  /// The environment is ignored in a program with raised rights (AT_SECURE).
  ///
  /// - Throws: ``VaultError/Code/noPlace`` for a THUMBTURN_HOME that is no absolute path.
  public static func standard() throws(VaultError) -> SocketPlace {
    if let home = environment("THUMBTURN_HOME") {
      guard home.hasPrefix("/") else { throw VaultError(.noPlace, "THUMBTURN_HOME is not an absolute path") }
      return SocketPlace(folder: home.count > 1 && home.hasSuffix("/") ? String(home.dropLast()) : home)
    }
    if let runtime = environment("XDG_RUNTIME_DIR"), runtime.hasPrefix("/"),
      let facts = try? system_fstatat(system_currentFolder, runtime), facts.kind == .folder,
      facts.owner == system_user()
    {
      return SocketPlace(folder: runtime + "/thumbturn")
    }
    return SocketPlace(folder: "/run/user/\(getuid())/thumbturn")
  }

  private static func environment(_ name: String) -> String? {
    guard !isSecureExecution(), let value = unsafe getenv(name) else { return nil }
    return unsafe String(validatingCString: value).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Opens the folder: no link, this user's, closed to others. Whoever opens it closes it.
  ///
  /// - Throws: ``VaultError/Code/unsafePlace``; ``VaultError/Code/noPlace`` when it is not there.
  package func openFolder() throws(VaultError) -> Int32 {
    let descriptor: Int32
    let facts: FileFacts
    do throws(SystemError) {
      descriptor = try system_openat(
        system_currentFolder, folder, flags: system_pathOnly | O_DIRECTORY | O_NOFOLLOW)
    } catch {
      switch error {
      case .missing: throw VaultError(.noPlace, "there is no folder for the agent's socket")
      case .isLink, .notAFolder:
        throw VaultError(.unsafePlace, "the folder of the agent's socket is a link or no folder")
      default: throw VaultError(.notAllowed, "the folder of the agent's socket cannot be opened")
      }
    }
    do throws(SystemError) { facts = try system_fstat(descriptor) } catch {
      system_close(descriptor)
      throw VaultError(.inputOutput, "the folder of the agent's socket cannot be asked")
    }
    guard facts.owner == system_user(), facts.mode & 0o077 == 0 else {
      system_close(descriptor)
      throw VaultError(.unsafePlace, "the folder of the agent's socket is another user's, or open to others")
    }
    return descriptor
  }
}

extension SocketPlace {
  /// Whether somebody listens on the socket in the open folder, or is too busy to say so.
  package func isAnswered(in folder: Int32) -> Bool {
    guard let socket = try? system_socket() else { return true }
    defer { system_close(socket) }
    do throws(SystemError) {
      try system_connect(socket, folder, Self.name, milliseconds: ClientLimits.connectMilliseconds)
      return true
    } catch { return error != .refusedConnection && error != .missing }
  }
}
