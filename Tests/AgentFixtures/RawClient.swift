import Glibc
package import ThumbturnAgentClient
import ThumbturnCrypto

/// A connection without manners: it sends what it is given.
package final class RawClient: Sendable {
  private let socket: Int32

  /// Connects, and says nothing.
  package init(_ place: SocketPlace) throws {
    let folder = try place.openFolder()
    defer { system_close(folder) }
    socket = try system_socket()
    try system_connect(socket, folder, SocketPlace.name, milliseconds: 300)
  }

  deinit { system_close(socket) }

  /// Sends a packet; false when there is no room or nobody there.
  @discardableResult
  package func send(_ bytes: [UInt8], passing descriptor: Int32? = nil) -> Bool {
    (try? system_send(socket, bytes.span, passing: descriptor)) ?? false
  }

  /// Says hello and waits for the answer.
  package func sayHello(_ vaultID: [UInt8] = Samples.vaultID) throws -> Bool {
    send(try Encoding.packet(Hello(vaultID: vaultID)))
    guard let answer = receive(seconds: 2), !answer.isEmpty else { return false }
    if case .hello = try? Encoding.reply(answer, to: .hello) { return true }
    return false
  }

  /// The next packet; empty when the other side hung up, nil when nothing comes within `seconds`.
  package func receive(seconds: Double = 5) -> [UInt8]? {
    let end = system_bootNanoseconds() + Int64(seconds * 1e9)
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var out = bytes.mutableSpan
    while (try? system_wait(socket, toSend: false, until: end)) == true {
      do {
        guard let packet = try system_receive(socket, into: &out) else { continue }
        if let descriptor = packet.descriptor { system_close(descriptor) }
        return Array(bytes.prefix(packet.count))
      } catch { return [] }
    }
    return nil
  }

  /// Sends a packet and waits for one, with as few system calls as there can be.
  package func echo(_ bytes: inout [UInt8]) -> Bool {
    guard unsafe Glibc.send(socket, bytes, bytes.count, 0) == bytes.count else { return false }
    return unsafe recv(socket, &bytes, bytes.count, 0) == bytes.count
  }

  /// Whether the other side hangs up within `seconds`; answers that come before are passed over.
  package func isHungUp(within seconds: Double = 5) -> Bool {
    let end = system_bootNanoseconds() + Int64(seconds * 1e9)
    while system_bootNanoseconds() < end {
      guard let packet = receive(seconds: seconds) else { return false }
      if packet.isEmpty { return true }
    }
    return false
  }

  /// Sends several descriptors with one packet, by hand: the socket of ours sends one at most.
  package func send(_ bytes: [UInt8], passing descriptor: Int32, times count: Int) -> Bool {
    var bytes = bytes
    let space = 16 + (4 * count + 7) / 8 * 8
    var control = [UInt8](repeating: 0, count: space)
    unsafe control.withUnsafeMutableBytes { place in
      unsafe place.storeBytes(of: 16 + 4 * count, as: Int.self)
      unsafe place.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
      unsafe place.storeBytes(of: 1, toByteOffset: 12, as: Int32.self)
      for index in 0..<count { unsafe place.storeBytes(of: descriptor, toByteOffset: 16 + 4 * index, as: Int32.self) }
    }
    let sent = unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe control.withUnsafeMutableBytes { control in
        var part = unsafe iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
        return unsafe withUnsafeMutablePointer(to: &part) { part in
          var message = unsafe msghdr()
          unsafe message.msg_iov = part
          unsafe message.msg_iovlen = 1
          unsafe message.msg_control = control.baseAddress
          unsafe message.msg_controllen = space
          return unsafe sendmsg(socket, &message, Int32(MSG_NOSIGNAL))
        }
      }
    }
    return sent == bytes.count
  }
}
