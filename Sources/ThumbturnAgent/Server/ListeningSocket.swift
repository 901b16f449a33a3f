#if !SANITIZE_THREAD
  internal import Synchronization
#endif
internal import Glibc
public import ThumbturnAgentClient
internal import ThumbturnCrypto
public import ThumbturnVault

/// The socket on which the agent listens; closed when the server that it was given to ends, or with this object.
public final class ListeningSocket: Sendable {
  let descriptor: Int32
  /// The place of a socket that was made here, and the number of its file, so that no other's is removed.
  private let made: (place: SocketPlace, inode: UInt64)?
  private let isOpen = Mutex(true)

  private init(_ descriptor: Int32, made: (place: SocketPlace, inode: UInt64)?) {
    self.descriptor = descriptor
    self.made = made
  }

  deinit { close() }

  /// Takes no more connections, and removes the socket that was made here.
  func close() {
    let wasOpen = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    guard wasOpen else { return }
    system_close(descriptor)
    guard let made, let folder = try? made.place.openFolder() else { return }
    defer { system_close(folder) }
    guard let facts = try? system_fstatat(folder, SocketPlace.name), facts.inode == made.inode else { return }
    try? system_unlinkat(folder, SocketPlace.name)
  }

  /// Makes the socket, for this user alone, and its folder when that is missing. A socket that nobody listens on any more is
  /// replaced; so the caller must hold the vault's seat, which keeps a second agent from doing the same.
  ///
  /// - Throws: ``VaultError/Code/seatTaken`` when an agent listens there, ``VaultError/Code/unsafePlace``,
  ///   ``VaultError/Code/noPlace`` when the folder's parent is missing.
  public static func make(at place: SocketPlace) throws(VaultError) -> ListeningSocket {
    do throws(SystemError) {
      try system_mkdirat(system_currentFolder, place.folder, mode: 0o700)
      try system_fchmodat(system_currentFolder, place.folder, mode: 0o700)
    } catch {
      // Whatever is wrong with a folder that is there is said when it is opened.
      if error == .missing { throw VaultError(.noPlace, "there is no place for the folder of the agent's socket") }
    }
    let folder = try place.openFolder()
    defer { system_close(folder) }
    try removeStale(at: place, folder)
    do throws(SystemError) {
      let socket = try system_socket()
      do throws(SystemError) {
        try system_bind(socket, folder, SocketPlace.name)
        try system_fchmodat(folder, SocketPlace.name, mode: 0o600)
        try system_listen(socket, queueCount: ServerLimits.backlogCount)
        try system_makeNonblocking(socket)
        let inode = try system_fstatat(folder, SocketPlace.name).inode
        return ListeningSocket(socket, made: (place, inode))
      } catch {
        system_close(socket)
        throw error
      }
    } catch {
      if error == .addressInUse { throw VaultError(.seatTaken, "another agent makes its socket") }
      throw VaultError(.inputOutput, "the agent's socket cannot be made")
    }
  }

  /// The socket that systemd hands over to this process; nil when it hands over none. It takes the variables of the hand-over
  /// out of the environment, so it must be called before there is a second thread, and once.
  ///
  /// - Throws: ``VaultError/Code/unsafePlace`` for anything but one listening socket of our kind.
  public static func handedOver() throws(VaultError) -> ListeningSocket? {
    guard let (first, count) = system_handedOver() else { return nil }
    guard count == 1, system_isListening(first) else {
      throw VaultError(.unsafePlace, "what was handed over is not one listening socket for packets")
    }
    do throws(SystemError) { try system_makeNonblocking(first) } catch {
      throw VaultError(.inputOutput, "the socket that was handed over cannot be used")
    }
    return ListeningSocket(first, made: nil)
  }

  private static func removeStale(at place: SocketPlace, _ folder: Int32) throws(VaultError) {
    do throws(SystemError) {
      guard try system_fstatat(folder, SocketPlace.name).kind == .other else {
        throw SystemError.exists
      }
    } catch {
      if error == .missing { return }
      throw VaultError(.unsafePlace, "a file stands where the agent's socket belongs")
    }
    guard !place.isAnswered(in: folder) else { throw VaultError(.seatTaken, "another agent listens") }
    do throws(SystemError) { try system_unlinkat(folder, SocketPlace.name) } catch {
      guard error == .missing else { throw VaultError(.inputOutput, "an old socket cannot be removed") }
    }
  }
}
