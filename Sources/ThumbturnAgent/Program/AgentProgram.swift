internal import Synchronization
package import ThumbturnAgentClient
internal import ThumbturnCrypto
package import ThumbturnKeychain
package import ThumbturnVault

/// An agent as a program: one vault, one socket, until it is told to end.
package final class AgentProgram: Sendable {
  package let service: VaultService
  private let server: AgentServer
  private let isEnding = Atomic(false)

  /// Takes the seat of the vault and the socket.
  ///
  /// - Parameters:
  ///   - location: Where the vault lies.
  ///   - place: Where the socket is made, unless systemd hands one over.
  /// - Throws: ``KeychainError/Code/itemNotFound`` without a vault, ``KeychainError/Code/notAvailable`` when the seat or the
  ///   socket cannot be had.
  package init(
    location: VaultLocation, at place: SocketPlace, _ surroundings: AgentSurroundings
  ) throws(KeychainError) {
    let handedOver: ListeningSocket?
    do throws(VaultError) { handedOver = try ListeningSocket.handedOver() } catch { throw KeychainError(error) }
    let service = try VaultService(location: location, surroundings)
    self.service = service
    do throws(KeychainError) { server = try Self.makeServer(service, handedOver, place) } catch {
      service.end()
      throw error
    }
  }

  private static func makeServer(
    _ service: VaultService, _ handedOver: ListeningSocket?, _ place: SocketPlace
  ) throws(KeychainError) -> AgentServer {
    let vaultID = try service.vaultID()
    do throws(VaultError) {
      let socket: ListeningSocket
      if let handedOver { socket = handedOver } else { socket = try ListeningSocket.make(at: place) }
      return try AgentServer(socket, vaultID: vaultID, service: service)
    } catch { throw KeychainError(error) }
  }

  /// Serves until ``stop()`` or a client's stop; then every key is wiped and the seat is let go.
  ///
  /// - Throws: ``KeychainError/Code/notAvailable`` when the kernel gives no thread or descriptor.
  package func run() throws(KeychainError) {
    defer { service.end() }
    let clock: ServerThread
    do throws(SystemError) { clock = try ServerThread { self.keepTime() } } catch {
      throw KeychainError(.notAvailable)
    }
    defer {
      isEnding.store(true, ordering: .releasing)
      service.wake()
      clock.join()
    }
    do throws(VaultError) { try server.run() } catch { throw KeychainError(error) }
  }

  /// Lets ``run()`` return. From any thread.
  package func stop() { server.stop() }

  /// Locks when the time has come.
  private func keepTime() {
    while !isEnding.load(ordering: .acquiring) {
      service.waitForChange(nanoseconds: service.nanosecondsToNextEnd ?? .max)
      service.tick()
    }
  }

  /// Runs `body` for each of the signals that end a program, on a thread of its own. Before there is a second thread.
  package static func onEndingSignals(_ body: @escaping @Sendable () -> Void) {
    system_blockEndingSignals()
    _ = try? ServerThread {
      while true {
        system_waitForEndingSignal()
        body()
      }
    }
  }
}
