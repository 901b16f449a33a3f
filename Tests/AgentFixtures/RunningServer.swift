import Foundation
import TestFixtures
package import ThumbturnAgent
package import ThumbturnAgentClient
import ThumbturnVault

/// A server in this process, on a socket in a folder of its own. It stops when it is let go.
package final class RunningServer {
  /// Where it listens.
  package let place: SocketPlace
  private let server: AgentServer
  private let scratch: ScratchFolder
  private let ended = DispatchSemaphore(value: 0)

  /// Starts it.
  ///
  /// - Parameter vaultID: The vault that it says it serves.
  package init(_ service: any AgentService, vaultID: [UInt8] = Samples.vaultID) throws {
    scratch = try ScratchFolder("agent")
    place = SocketPlace(folder: scratch.path)
    server = try AgentServer(ListeningSocket.make(at: place), vaultID: vaultID, service: service)
    Thread.detachNewThread { [server, ended] in
      try? server.run()
      ended.signal()
    }
  }

  deinit { stop() }

  /// Stops it and waits until it has ended.
  package func stop() {
    server.stop()
    if ended.wait(timeout: .now() + 20) == .timedOut { fatalError("the server did not stop") }
    ended.signal()
  }

  /// A new way to it.
  package func link() -> AgentLink { AgentLink(place, vaultID: Samples.vaultID) }
}
