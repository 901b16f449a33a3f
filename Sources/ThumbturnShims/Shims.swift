// This module must stay one file: in a module of two or more, a call of a Span overload that SafeInteropWrappers made
// crashes swift-frontend 6.3.1 in release builds (Swift issue 88864).
internal import CThumbturn

/// Fills `bytes` from the kernel's random source, all of it or not at all.
///
/// - Returns: False when getrandom(2) is refused or missing; the bytes must then not be used.
package func fillRandom(_ bytes: inout MutableSpan<UInt8>) -> Bool { tt_random(&bytes) }

/// Whether the kernel started this program with raised rights, so that its environment is not to be trusted.
package func isSecureExecution() -> Bool { tt_is_secure_execution() }

/// The magic number of the file system that holds an open file, or 0 when it cannot be asked.
package func filesystemMagic(descriptor: Int32) -> UInt64 { tt_filesystem_magic(descriptor) }

/// Waits until a descriptor can be read, at most `milliseconds`: 1 readable or at its end, 0 time over, -1 failed.
package func waitReadable(descriptor: Int32, milliseconds: Int32) -> Int32 {
  tt_wait_readable(descriptor, milliseconds)
}

/// Makes this process undumpable: no core file, and no debugger of the same user.
package func forbidDumps() -> Bool { tt_forbid_dumps() }

/// The number of this process, without a system call; a forked child gets its own.
package func processNumber() -> Int32 { tt_process() }

/// A call begins that no fork may cut in two: 0. 1 when forks kept it out for 4 seconds, 2 when this process was forked
/// inside a call.
package func enterForkGate() -> Int32 { tt_fork_gate_enter() }

/// The call ends.
package func leaveForkGate() { tt_fork_gate_leave() }

/// The call sleeps, and a fork may pass.
package func pauseForkGate() { tt_fork_gate_pause() }

/// It goes on.
package func resumeForkGate() { tt_fork_gate_resume() }

/// Takes the lock of the open file on its first byte, without waiting: 0, or the errno.
package func lockFirstByte(_ descriptor: Int32) -> Int32 { tt_lock_first_byte(descriptor) }

/// Gives it back.
package func unlockFirstByte(_ descriptor: Int32) { tt_unlock_first_byte(descriptor) }

/// From now on every forked child closes this descriptor at once. False when that cannot be.
package func closeInChildren(_ descriptor: Int32) -> Bool { tt_close_in_children(descriptor) }

/// Takes that back, before the descriptor is closed.
package func keepInChildren(_ descriptor: Int32) { tt_keep_in_children(descriptor) }

/// An argument of this program as the kernel gave it; nil behind the last one.
package func programArgument(_ index: Int32) -> UnsafePointer<CChar>? { unsafe tt_argument(index) }

/// Overwrites the stack below the caller, where a library that has just returned kept what it worked on.
package func wipeStack() { tt_wipe_stack() }

// MARK: The agent's socket. A negative number is an errno; nothing waits but where it says so.

/// A new socket for packets, not yet connected.
package func makeSocket() -> Int32 { tt_socket() }

/// Connects within `milliseconds`.
package func connectSocket(_ descriptor: Int32, path: String, milliseconds: Int32) -> Int32 {
  unsafe tt_connect(descriptor, path, milliseconds)
}

/// Gives a socket a path, on which it can listen.
package func bindSocket(_ descriptor: Int32, path: String) -> Int32 { unsafe tt_bind(descriptor, path) }

/// The next connection of a listening socket.
package func acceptSocket(_ descriptor: Int32) -> Int32 { tt_accept(descriptor) }

/// Whether a descriptor is a socket for packets that listens.
package func isListeningForPackets(_ descriptor: Int32) -> Bool { tt_is_listening_for_packets(descriptor) }

/// Who is at the other end: process, user, and a pidfd to be closed, or -1.
package func peer(of descriptor: Int32) -> (process: Int32, user: UInt32, handle: Int32) {
  let peer = tt_peer_of(descriptor)
  return (peer.process, peer.user, peer.handle)
}

/// Sends one packet, with a descriptor when `passed` is not negative.
package func sendPacket(_ descriptor: Int32, _ bytes: Span<UInt8>, passed: Int32) -> Int {
  tt_send(descriptor, bytes, passed)
}

/// Receives one packet and the descriptor that came with it, or -1; waits for it if it is told to.
package func receivePacket(
  _ descriptor: Int32, into bytes: inout MutableSpan<UInt8>, waits: Bool
) -> (count: Int, passed: Int32, isMalformed: Bool) {
  let received = tt_receive(descriptor, &bytes, waits)
  return (received.count, received.passed, received.is_malformed)
}

/// How long ``receivePacket(_:into:waits:)`` waits.
package func setReceiveLimit(_ descriptor: Int32, milliseconds: Int32) -> Int32 {
  tt_set_receive_limit(descriptor, milliseconds)
}

/// Whether the other side has not read everything that was sent.
package func hasUnread(_ descriptor: Int32) -> Bool { tt_has_unread(descriptor) }

/// A file in memory that can be sealed.
package func makeMemoryFile() -> Int32 { unsafe tt_memfd("thumbturn") }

/// Seals it for ever: neither its bytes nor its size change any more.
package func sealMemoryFile(_ descriptor: Int32) -> Int32 { tt_seal(descriptor) }

/// Whether it is sealed so.
package func isSealed(_ descriptor: Int32) -> Bool { tt_is_sealed(descriptor) }

/// A descriptor that becomes readable when 8 bytes are written to it.
package func makeWakeup() -> Int32 { tt_wakeup() }

/// Something that waits for many descriptors.
package func makePoller() -> Int32 { tt_poller() }

/// Says what to wait for, for the first time or anew.
package func watch(
  _ poller: Int32, _ descriptor: Int32, tag: UInt64, reads: Bool, writes: Bool, isNew: Bool
) -> Int32 {
  tt_poller_watch(poller, descriptor, tag, reads, writes, isNew)
}

/// What happened on one descriptor.
package struct PollerEvent: Sendable {
  /// As it was given to ``watch(_:_:tag:reads:writes:isNew:)``.
  package let tag: UInt64
  /// Also when the other side is gone.
  package let canRead: Bool
  package let canWrite: Bool
}

/// Waits for events and gives each to `body`. Their number; 0 when a signal came, or the negative error.
package func waitForEvents(_ poller: Int32, _ body: (PollerEvent) -> Void) -> Int32 {
  var events = InlineArray<16, tt_event>(repeating: tt_event())
  var span = events.mutableSpan
  let count = tt_poller_wait(poller, &span)
  for index in 0..<max(0, Int(count)) {
    let event = events[index]
    body(PollerEvent(tag: event.tag, canRead: event.can_read, canWrite: event.can_write))
  }
  return count
}

/// A descriptor that becomes readable when its time is over. Reading it waits for that, or not.
package func makeTicker(waits: Bool) -> Int32 { tt_ticker(waits) }

/// Sets the time, once or again and again; 0 stops it.
package func setTicker(_ ticker: Int32, nanoseconds: Int64, repeats: Bool) -> Int32 {
  tt_ticker_set(ticker, nanoseconds, repeats)
}

/// Waits until there is room to send: 1, 0 when the time is over or a signal came, -1 failed.
package func waitWritable(descriptor: Int32, milliseconds: Int32) -> Int32 {
  tt_wait_writable(descriptor, milliseconds)
}
