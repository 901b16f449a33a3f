import Glibc
import ThumbturnAgentClient
import ThumbturnCrypto
import ThumbturnShims

/// The least that could serve clients without manners: one thread, one answer for everything, no limits of time.
///
/// Who attacks it takes about as much of the machine as who attacks the agent; what an honest client of the agent loses
/// beside it is what sharing the machine costs.
package enum RawSink {
  /// Serves for ever.
  package static func run(in folder: String) throws {
    let listening = try RawListener.make(in: folder, queueCount: 512)
    let answer = try Encoding.packet(ReplyMessage.hello(Hello(vaultID: Samples.vaultID))).bytes
    let poller = makePoller()
    guard fcntl(listening, F_SETFL, O_NONBLOCK) == 0, poller >= 0 else { return }
    _ = watch(poller, listening, tag: UInt64(listening), reads: true, writes: false, isNew: true)
    print("READY")
    _ = fflush(nil)
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let status = waitForEvents(poller) { event in
        let socket = Int32(event.tag)
        if socket == listening {
          let client = acceptSocket(listening)
          if client >= 0 { _ = watch(poller, client, tag: UInt64(client), reads: true, writes: false, isNew: true) }
        } else if !serve(socket, &bytes, answer) {
          system_close(socket)
        }
      }
      guard status >= 0 else { return }
    }
  }

  /// False for what the agent would hang up on.
  private static func serve(_ socket: Int32, _ bytes: inout [UInt8], _ answer: [UInt8]) -> Bool {
    var out = bytes.mutableSpan
    do {
      guard let packet = try system_receive(socket, into: &out) else { return true }
      if let descriptor = packet.descriptor { system_close(descriptor) }
      guard packet.count > 0 else { return false }
      let message = Array(bytes.prefix(packet.count))
      if (try? Encoding.hello(message)) == nil { _ = try Encoding.request(message) }
      return try system_send(socket, answer.span, passing: nil)
    } catch { return false }
  }
}
