internal import CSodium
internal import Glibc

/// A piece of memory for one secret.
///
/// Sendable without a lock: it is owned by one `SecretBytes`, which is noncopyable, so no two threads write through it.
@safe
struct SecretSlot: @unchecked Sendable {
  enum Origin {
    /// In the arena of this process.
    case arena(process: Int32)
    case mapping
  }
  /// Alive until the slot is freed; only ``SecretBytes`` and the arena touch it.
  let memory: UnsafeMutableRawBufferPointer
  let isLocked: Bool
  let origin: Origin

  func free() {
    switch origin {
    case .arena(let process):
      // A forked child never gives a slot of its parent's to anybody: it has an arena of its own.
      if process == system_process() { SecretArena.shared.free(self) } else { unsafe wipe(memory) }
    case .mapping: SecretMapping.free(self)
    }
  }
}

/// Whole pages between two guard pages: locked if the limit allows, kept out of core dumps, zero in a forked child.
enum SecretMapping {
  static func make(count: Int) throws(CryptoError) -> SecretSlot {
    let page = sysconf(Int32(_SC_PAGESIZE))
    let size = (count + page - 1) / page * page
    let flags = MAP_PRIVATE | MAP_ANONYMOUS
    let mapped = unsafe mmap(nil, size + 2 * page, PROT_NONE, flags, -1, 0)
    // MAP_FAILED is a cast macro, which Swift does not import: it is -1.
    guard let start = unsafe mapped, UInt(bitPattern: start) != UInt.max else {
      throw CryptoError(.outOfSecretMemory, "the kernel gave no pages for a secret")
    }
    let inner = unsafe start + page
    guard unsafe mprotect(inner, size, PROT_READ | PROT_WRITE) == 0 else {
      _ = unsafe munmap(start, size + 2 * page)
      throw CryptoError(.outOfSecretMemory, "the kernel gave no pages for a secret")
    }
    let isLocked = unsafe mlock(inner, size) == 0
    // Both hold on every kernel of Debian 12; a sandbox without them loses a hardening, not a secret.
    _ = unsafe madvise(inner, size, Int32(MADV_DONTDUMP))
    _ = unsafe madvise(inner, size, Int32(MADV_WIPEONFORK))
    return unsafe SecretSlot(
      memory: UnsafeMutableRawBufferPointer(start: inner, count: count), isLocked: isLocked, origin: .mapping)
  }

  static func free(_ slot: SecretSlot) {
    guard let inner = unsafe slot.memory.baseAddress else { return }
    let page = sysconf(Int32(_SC_PAGESIZE))
    let size = unsafe (slot.memory.count + page - 1) / page * page
    unsafe wipe(slot.memory)
    // Unmapping unlocks too.
    _ = unsafe munmap(inner - page, size + 2 * page)
  }
}

/// Overwrites with zeros; the optimiser may not remove the writes.
func wipe(_ memory: UnsafeMutableRawBufferPointer) { unsafe sodium_memzero(memory.baseAddress, memory.count) }
