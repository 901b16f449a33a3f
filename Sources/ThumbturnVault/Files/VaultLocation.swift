internal import Glibc
internal import ThumbturnShims

/// The two folders of a vault: the vault itself, and the key of this device, which must not lie beside it.
public struct VaultLocation: Hashable, Sendable {
  /// Absolute path of the folder with keybag, database and locks.
  public let vaultFolder: String
  /// Absolute path of the folder with the device key.
  public let deviceFolder: String

  /// A vault in `home/vault` with its device key in `home/device`.
  ///
  /// - Parameter home: An absolute path.
  public init(home: String) {
    vaultFolder = home + "/vault"
    deviceFolder = home + "/device"
  }

  init(vaultFolder: String, deviceFolder: String) {
    self.vaultFolder = vaultFolder
    self.deviceFolder = deviceFolder
  }

  /// The user's vault: under `THUMBTURN_HOME` when it is set, else `$XDG_DATA_HOME/thumbturn/vault` and
  /// `$XDG_STATE_HOME/thumbturn/device`, with the defaults of the XDG base directory specification.
  ///
  /// The environment is ignored in a program with raised rights (AT_SECURE). Relative XDG paths are ignored, as that
  /// specification asks; a relative THUMBTURN_HOME is an error, because the vault would move with the current folder.
  ///
  /// - Throws: ``VaultError/Code/noPlace``.
  public static func standard() throws(VaultError) -> VaultLocation {
    if let home = try environment("THUMBTURN_HOME") {
      guard home.hasPrefix("/") else { throw VaultError(.noPlace, "THUMBTURN_HOME is not an absolute path") }
      return VaultLocation(home: home.count > 1 && home.hasSuffix("/") ? String(home.dropLast()) : home)
    }
    func base(_ name: String, _ fallback: String) throws(VaultError) -> String {
      if let path = try environment(name), path.hasPrefix("/") { return path }
      if let home = try environment("HOME"), home.hasPrefix("/") { return home + fallback }
      guard let home = accountHome() else { throw VaultError(.noPlace, "this user has no home folder") }
      return home + fallback
    }
    return VaultLocation(
      vaultFolder: try base("XDG_DATA_HOME", "/.local/share") + "/thumbturn/vault",
      deviceFolder: try base("XDG_STATE_HOME", "/.local/state") + "/thumbturn/device")
  }

  /// The path that an error is about, where it is about a file.
  public func path(of error: VaultError) -> String? {
    switch error.part {
    case .attempts: "\(deviceFolder)/\(error.fileName ?? "attempts")"
    case .database: error.fileName.map { "\(vaultFolder)/\($0)" } ?? vaultFolder
    case .deviceFolder: error.fileName.map { "\(deviceFolder)/\($0)" } ?? deviceFolder
    case .deviceKey: error.fileName.map { "\(deviceFolder)/\($0)" } ?? deviceFolder
    case .keybag: "\(vaultFolder)/\(error.fileName ?? "keybag")"
    case .seatLock: "\(vaultFolder)/seat.lock"
    case .vaultFolder: error.fileName.map { "\(vaultFolder)/\($0)" } ?? vaultFolder
    case .writerLock: "\(vaultFolder)/writer.lock"
    case nil: nil
    }
  }

  private static func environment(_ name: String) throws(VaultError) -> String? {
    guard !isSecureExecution(), let value = unsafe getenv(name) else { return nil }
    // A repaired text would be another folder.
    guard let text = unsafe String(validatingCString: value) else {
      throw VaultError(.noPlace, "a path in the environment is no valid UTF-8")
    }
    return text.isEmpty ? nil : text
  }

  private static func accountHome() -> String? {
    var account = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16_384)
    guard unsafe getpwuid_r(geteuid(), &account, &buffer, buffer.count, &found) == 0, unsafe found != nil,
      let home = unsafe account.pw_dir
    else { return nil }
    return unsafe String(validatingCString: home).flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}
