internal import CSystemd

/// A message that waits in an array, which cannot hold ``BusMessage``.
@safe
final class KeptMessage {
  private let raw: OpaquePointer

  init(_ message: borrowing BusMessage) {
    unsafe raw = message.raw
    unsafe sd_bus_message_ref(raw)
  }

  deinit { _ = unsafe sd_bus_message_unref(raw) }

  /// The message, which this then shares.
  var message: BusMessage {
    unsafe sd_bus_message_ref(raw)
    return unsafe BusMessage(adopting: raw)
  }
}
