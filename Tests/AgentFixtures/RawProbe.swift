import Glibc
import ThumbturnAgentClient
import ThumbturnCrypto

/// What another user finds at the socket, when folder and socket let it in.
package enum RawProbe {
  /// Whether a connection is taken, and hung up without an answer to its hello.
  package static func isRefused(_ folder: String) -> Bool {
    guard let descriptor = try? system_openat(system_currentFolder, folder, flags: system_pathOnly | O_DIRECTORY),
      let socket = try? system_socket(),
      (try? system_connect(socket, descriptor, SocketPlace.name, milliseconds: 300)) != nil,
      let hello = try? Encoding.packet(Hello(vaultID: Samples.vaultID))
    else { return false }
    _ = try? system_send(socket, hello.span, passing: nil)
    guard (try? system_wait(socket, toSend: false, until: system_bootNanoseconds() + 5_000_000_000)) == true else {
      return false
    }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var out = bytes.mutableSpan
    do { return try system_receive(socket, into: &out)?.count == 0 } catch { return true }
  }
}
