internal import CRawPeer

/// A process that sends every packet back: the least that a round trip costs.
@safe
final class Echo {
  /// The bytes of an answer with one item of a store.
  private static let packetCount: Int32 = 512

  private let handle: OpaquePointer

  /// To be made while this process has one thread.
  init() {
    guard let made = unsafe raw_echo_start(Self.packetCount) else {
      fatalError("the peer ends the program when it cannot start")
    }
    unsafe handle = made
  }

  deinit { unsafe raw_echo_stop(handle) }

  /// Nanoseconds for so many packets, there and back.
  func run(_ count: Int) -> Double { unsafe Double(raw_echo_run(handle, Int32(count))) }
}
