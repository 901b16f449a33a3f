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
