internal import CLibcrypto

/// HMAC-SHA-256 under one key, with its states kept: to start from the key costs more than a short sum.
///
/// The states are as good as the key, so they lie in the arena of locked pages, and so does the copy that each sum works on.
/// OpenSSL's own HMAC would keep both in ordinary memory. One owner; not for two threads at once.
@safe
package struct HMAC: ~Copyable {
  /// Size of a sum in bytes.
  package static let count = 32

  /// The states after the key.
  private let start: SecretSlot
  /// The state of the sum that runs now; zeros between two sums.
  private let running: SecretSlot

  /// - Throws: ``CryptoError/Code/outOfSecretMemory``, ``CryptoError/Code/libraryFailed``.
  package init(key: Span<UInt8>) throws(CryptoError) {
    let start = try SecretArena.shared.allocate(MemoryLayout<tt_hmac>.size)
    let running: SecretSlot
    do throws(CryptoError) {
      running = try SecretArena.shared.allocate(MemoryLayout<SHA256_CTX>.size)
    } catch {
      start.free()
      throw error
    }
    let isReady = unsafe key.withC { key_ in
      unsafe tt_hmac_begin(Self.states(in: start), Self.bytes(in: running), key_, key.count) == 1
    }
    guard isReady else {
      start.free()
      running.free()
      throw CryptoError(.libraryFailed, "HMAC-SHA-256 is not to be had")
    }
    self.start = start
    self.running = running
  }

  deinit {
    start.free()
    running.free()
  }

  /// Writes the first `out.count` bytes (at most 32) of the sum over `message`.
  ///
  /// - Throws: ``CryptoError/Code/libraryFailed`` in a forked child of the process that made it: the key is not there.
  package borrowing func sum(_ message: Span<UInt8>, into out: inout MutableSpan<UInt8>) throws(CryptoError) {
    try sum(message, Span(), into: &out)
  }

  /// As ``sum(_:into:)`` over two parts in a row, which then need no common buffer.
  package borrowing func sum(
    _ message: Span<UInt8>, _ second: Span<UInt8>, into out: inout MutableSpan<UInt8>
  ) throws(CryptoError) {
    precondition(out.count <= Self.count)
    if out.count == Self.count { return try whole(message, second, into: &out) }
    var whole = InlineArray<32, UInt8>(repeating: 0)
    var wholeSpan = whole.mutableSpan
    try self.whole(message, second, into: &wholeSpan)
    for index in 0..<out.count { out[index] = whole[index] }
    var spent = whole.mutableSpan
    wipeBytes(&spent)
  }

  private borrowing func whole(
    _ message: Span<UInt8>, _ second: Span<UInt8>, into out: inout MutableSpan<UInt8>
  ) throws(CryptoError) {
    let isDone = unsafe message.withC { message_ in
      unsafe second.withC { second_ in
        unsafe out.withC { out in
          unsafe tt_hmac_sum(
            Self.states(in: start), Self.state(in: running), message_, message.count, second_, second.count, out) == 1
        }
      }
    }
    // The arena is zero after a fork, which no state that began with a key is.
    guard isDone else { throw CryptoError(.libraryFailed, "a key of another process") }
  }

  // Slots are aligned to their size, which is more than a state needs.
  private static func states(in slot: SecretSlot) -> UnsafeMutablePointer<tt_hmac> {
    unsafe slot.memory.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: tt_hmac.self)
  }
  private static func state(in slot: SecretSlot) -> UnsafeMutablePointer<SHA256_CTX> {
    unsafe slot.memory.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: SHA256_CTX.self)
  }
  private static func bytes(in slot: SecretSlot) -> UnsafeMutablePointer<UInt8> {
    unsafe slot.memory.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self)
  }
}

/// Each sum works on the one copy of the state.
@available(*, unavailable)
extension HMAC: Sendable {}

/// Overwrites the bytes with zeros; the optimiser may not remove the writes.
package func wipeBytes(_ bytes: inout MutableSpan<UInt8>) {
  unsafe bytes.withUnsafeMutableBytes { unsafe wipe($0) }
}
