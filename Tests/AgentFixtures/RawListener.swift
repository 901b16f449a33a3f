import Glibc
import ThumbturnAgentClient
import ThumbturnCrypto

/// A listening socket as systemd makes it.
package enum RawListener {
  /// The descriptor of `agent.sock` in a folder.
  package static func make(in folder: String) throws -> Int32 {
    let open = try system_openat(system_currentFolder, folder, flags: system_pathOnly | O_DIRECTORY)
    defer { system_close(open) }
    let socket = try system_socket()
    try system_bind(socket, open, SocketPlace.name)
    try system_listen(socket, queueCount: 16)
    return socket
  }
}
