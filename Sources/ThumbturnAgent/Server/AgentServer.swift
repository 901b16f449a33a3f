#if !SANITIZE_THREAD
  internal import Synchronization
#endif
internal import ThumbturnAgentClient
internal import ThumbturnCrypto
internal import ThumbturnShims
public import ThumbturnVault

/// Serves one vault's agent on a socket.
///
/// One thread accepts, reads and looks at limits; it never waits for anything but the next event. Lanes answer: one for
/// writes, two for reads, one for what derives a key, one for status, lock and stop. The process at the other end must be
/// this user's, or it is not read from.
public final class AgentServer: Sendable {
  private let listening: ListeningSocket
  private let vaultID: [UInt8]
  private let service: any AgentService
  private let wakeup: Int32
  private let outcomes = Mutex<[Lane.Outcome]>([])

  /// A server that does not run yet.
  ///
  /// - Parameter vaultID: The 16 bytes of the vault's UUID.
  /// - Throws: ``VaultError/Code/inputOutput`` when the kernel gives no descriptor.
  public init(
    _ listening: ListeningSocket, vaultID: [UInt8], service: any AgentService
  ) throws(VaultError) {
    precondition(vaultID.count == FrameLimits.vaultIDCount, "a UUID has 16 bytes")
    self.listening = listening
    self.vaultID = vaultID
    self.service = service
    do throws(SystemError) { wakeup = try system_wakeup() } catch {
      throw VaultError(.inputOutput, "the agent gets no descriptor")
    }
  }

  deinit { system_close(wakeup) }

  /// Serves until ``stop()``, on this thread and those of the lanes; once only. When it returns the socket and every
  /// connection are closed, and no request is under way.
  ///
  /// - Throws: ``VaultError/Code/inputOutput`` when the kernel gives no thread or descriptor,
  ///   ``VaultError/Code/outOfMemory``.
  public func run() throws(VaultError) {
    _ = system_raiseDescriptorLimit(to: ServerLimits.descriptorsCount)
    let totals = ServerTotals()
    let lanes = Lanes(service, totals) { [self] in tell($0) }
    var buffer: SecretBytes
    do throws(CryptoError) { buffer = try .packetBuffer() } catch {
      throw VaultError(.outOfMemory, "no memory for a message")
    }
    var threads: [ServerThread] = []
    defer {
      listening.close()
      lanes.stop()
      for thread in threads { thread.join() }
    }
    do throws(SystemError) {
      for lane in lanes.all { threads += try lane.start() }
      let loop = try ServerLoop(listening, vaultID: vaultID, lanes, totals, wakeup: wakeup)
      try loop.run(&buffer) { takeOutcomes() }
    } catch { throw VaultError(.inputOutput, "the agent gets no thread or descriptor") }
  }

  /// Lets ``run()`` return, after the requests that are being answered now. From any thread, also before ``run()``.
  public func stop() { tell(.stop) }

  private func tell(_ outcome: Lane.Outcome) {
    outcomes.withLock { $0.append(outcome) }
    system_wake(wakeup)
  }

  private func takeOutcomes() -> [Lane.Outcome] {
    outcomes.withLock { outcomes in
      let taken = outcomes
      outcomes = []
      return taken
    }
  }
}

/// The lanes, and which request goes to which.
struct Lanes: Sendable {
  private let writes: Lane
  private let reads: Lane
  private let passcode: Lane
  private let control: Lane

  init(_ service: any AgentService, _ totals: ServerTotals, tell: @escaping @Sendable (Lane.Outcome) -> Void) {
    writes = Lane(service, totals, tell: tell)
    reads = Lane(service, totals, threadCount: 2, tell: tell)
    passcode = Lane(service, totals, tell: tell)
    control = Lane(service, totals, tell: tell)
  }

  var all: [Lane] { [writes, reads, passcode, control] }

  /// The lane of an operation; a hello needs none.
  func lane(for operation: Operation) -> Lane? {
    switch operation {
    case .hello: nil
    case .add, .update, .delete: writes
    case .find, .accessGroups: reads
    case .unlock, .passcodeSet, .passcodeChange, .passcodeRemove, .rotate, .settings, .acceptOlder: passcode
    case .status, .lock, .stop: control
    }
  }

  func stop() { for lane in all { lane.stop() } }
}
