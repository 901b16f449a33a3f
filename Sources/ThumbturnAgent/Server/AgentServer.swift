#if !SANITIZE_THREAD
  internal import Synchronization
#endif
internal import ThumbturnAgentClient
internal import ThumbturnCrypto
public import ThumbturnVault

/// Serves one vault's agent on a socket.
///
/// Of three threads one at a time accepts, receives and looks at limits. A read that it received it answers itself; when
/// that takes long, another of the three looks at the sockets. Lanes answer everything else: one for writes, one for what
/// derives a key, one for lock and stop, one for what waits for the fingerprint reader, one that begins what waits for a
/// person. The process at the other end must be this user's, or it is not read from.
public final class AgentServer: Sendable {
  private let listening: ListeningSocket
  private let vaultID: [UInt8]
  private let service: any AgentService
  private let wakeup: Int32
  private let outcomes = Mutex<[Outcome]>([])

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

  /// Serves until ``stop()``, on this thread and others of its own; once only. When it returns the socket and every
  /// connection are closed, and no request is under way.
  ///
  /// - Throws: ``VaultError/Code/inputOutput`` when the kernel gives no thread or descriptor,
  ///   ``VaultError/Code/outOfMemory``.
  public func run() throws(VaultError) {
    _ = system_raiseDescriptorLimit(to: ServerLimits.descriptorsCount)
    let answering = Answering(service: service, totals: ServerTotals()) { [self] in tell($0) }
    let lanes = Lanes(answering) { [self] in tell($0) }
    var threads: [ServerThread] = []
    var isFailed = false
    defer {
      // They end also when one of them could not begin.
      stop()
      for thread in threads { thread.join() }
      listening.close()
      lanes.stop()
    }
    do throws(SystemError) {
      let shared = try SharedLoop(
        try ServerLoop(listening, vaultID: vaultID, lanes, answering, wakeup: wakeup), answering, lanes
      ) { [self] in takeOutcomes() }
      for lane in lanes.all { threads.append(try lane.start()) }
      for _ in 0..<ServerLimits.readersCount { threads.append(try ServerThread { shared.run() }) }
      threads.append(try ServerThread { shared.watch() })
      shared.run()
      isFailed = shared.isFailed
    } catch { throw VaultError(.inputOutput, "the agent gets no thread or descriptor") }
    guard !isFailed else { throw VaultError(.outOfMemory, "no memory for a message") }
  }

  /// Lets ``run()`` return, after the requests that are being answered now. From any thread, also before ``run()``.
  public func stop() { tell(.stop) }

  private func tell(_ outcome: Outcome) {
    outcomes.withLock { $0.append(outcome) }
    system_wake(wakeup)
  }

  private func takeOutcomes() -> [Outcome] {
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
  private let passcode: Lane
  private let control: Lane
  private let people: Lane
  /// What asks the fingerprint reader, which may take seconds.
  let sensor: Lane
  /// Reads have no threads of their own.
  let reads: ReadTurns

  init(_ answering: Answering, tell: @escaping @Sendable (Outcome) -> Void) {
    sensor = Lane(answering, slow: nil, tell: tell)
    writes = Lane(answering, slow: sensor, tell: tell)
    passcode = Lane(answering, slow: sensor, tell: tell)
    control = Lane(answering, slow: sensor, tell: tell)
    people = Lane(answering, slow: sensor, tell: tell)
    reads = ReadTurns(answering)
  }

  var all: [Lane] { [writes, passcode, control, people, sensor] }

  /// The lane of an operation; a hello needs none, and reads have turns.
  func lane(for operation: Operation) -> Lane? {
    switch operation {
    case .hello, .find, .accessGroups: nil
    case .add, .update, .delete: writes
    case .unlock, .passcodeSet, .passcodeChange, .passcodeRemove, .rotate, .settings, .acceptOlder: passcode
    case .status, .lock, .stop: control
    case .evaluate, .cancelEvaluation, .endSession: people
    case .authenticationStatus, .simulate: sensor
    }
  }

  /// Forgets what a client asked for.
  func remove(_ client: UInt64) {
    reads.remove(client)
    for lane in all { lane.remove(client) }
  }

  func stop() {
    reads.stop()
    for lane in all { lane.stop() }
  }
}
