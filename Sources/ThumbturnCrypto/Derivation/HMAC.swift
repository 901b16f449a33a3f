internal import CSodium

/// HMAC-SHA-256 under one key, with its state kept: to start from the key costs more than a short sum.
///
/// The state is as good as the key, so it lies in the arena of locked pages, and so does the copy that each sum works on.
/// OpenSSL would keep both in ordinary memory. One owner; not for two threads at once.
@safe
package struct HMAC: ~Copyable {
  /// Size of a sum in bytes.
  package static let count = 32

  private typealias State = crypto_auth_hmacsha256_state

  /// The state after the key.
  private let start: SecretSlot
  /// The state of the sum that runs now; zeros between two sums.
  private let running: SecretSlot

  /// - Throws: ``CryptoError/Code/outOfSecretMemory``.
  package init(key: Span<UInt8>) throws(CryptoError) {
    let size = MemoryLayout<State>.size
    let start = try SecretArena.shared.allocate(size)
    do throws(CryptoError) { running = try SecretArena.shared.allocate(size) } catch {
      start.free()
      throw error
    }
    self.start = start
    unsafe key.withC { key_ in _ = unsafe crypto_auth_hmacsha256_init(Self.state(in: start), key_, key.count) }
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
    let start = unsafe Self.state(in: start)
    let running = unsafe Self.state(in: running)
    // The arena is zero after a fork. A state that began with a key has counted its first block.
    guard unsafe start.pointee.ictx.count != 0 else {
      throw CryptoError(.libraryFailed, "a key of another process")
    }
    unsafe UnsafeMutableRawPointer(running).copyMemory(from: start, byteCount: MemoryLayout<State>.size)
    unsafe message.withC { _ = unsafe crypto_auth_hmacsha256_update(running, $0, UInt64(message.count)) }
    if !second.isEmpty {
      unsafe second.withC { _ = unsafe crypto_auth_hmacsha256_update(running, $0, UInt64(second.count)) }
    }
    // The last call wipes the state.
    if out.count == Self.count {
      unsafe out.withC { _ = unsafe crypto_auth_hmacsha256_final(running, $0) }
      return
    }
    var whole = InlineArray<32, UInt8>(repeating: 0)
    var wholeSpan = whole.mutableSpan
    unsafe wholeSpan.withC { _ = unsafe crypto_auth_hmacsha256_final(running, $0) }
    for index in 0..<out.count { out[index] = whole[index] }
    var spent = whole.mutableSpan
    wipeBytes(&spent)
  }

  /// Slots are aligned to their size, which is more than the state needs.
  private static func state(in slot: SecretSlot) -> UnsafeMutablePointer<State> {
    unsafe slot.memory.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: State.self)
  }
}

/// Each sum works on the one copy of the state.
@available(*, unavailable)
extension HMAC: Sendable {}

/// Overwrites the bytes with zeros; the optimiser may not remove the writes.
package func wipeBytes(_ bytes: inout MutableSpan<UInt8>) {
  unsafe bytes.withUnsafeMutableBytes { unsafe wipe($0) }
}
