import Glibc
import ThumbturnAgentClient
import ThumbturnCrypto

/// A listening socket as systemd makes it.
package enum RawListener {
  /// The descriptor of `agent.sock` in a folder.
  package static func make(in folder: String, queueCount: Int32 = 16) throws -> Int32 {
    let open = try system_openat(system_currentFolder, folder, flags: system_pathOnly | O_DIRECTORY)
    defer { system_close(open) }
    let socket = try system_socket()
    try system_bind(socket, open, SocketPlace.name)
    try system_listen(socket, queueCount: queueCount)
    return socket
  }

  /// Takes one connection and sends every packet back, until it is hung up: the least that a round trip costs.
  package static func echo(in folder: String) throws {
    let listening = try make(in: folder)
    print("READY")
    _ = fflush(nil)
    let socket = accept(listening, nil, nil)
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe recv(socket, &bytes, bytes.count, 0)
      guard count > 0, unsafe send(socket, bytes, count, 0) == count else { return }
    }
  }
}
