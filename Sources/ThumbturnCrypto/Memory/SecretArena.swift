internal import Synchronization

/// The locked pages in which secrets up to 4 KiB live.
///
/// Memory comes in regions of 64 KiB between two guard pages. A region is locked once, and the answer is checked: under
/// a small RLIMIT_MEMLOCK later regions stay unlocked, and ``SecretSlot/isLocked`` says so. Regions are kept out of core
/// dumps and are zero in a forked child. A page of 4 KiB serves slots of one size, so that freeing one secret never
/// unlocks another's page. (VAULT.md §10.) A forked child has an arena of its own: the lock of its parent's may be held for
/// ever there, by a thread that the child does not have.
@safe
final class SecretArena: Sendable {
  private static let perProcess = PerProcess { SecretArena() }
  static var shared: SecretArena { perProcess.object }

  /// Slot sizes in bytes, ascending; 64 is the smallest, so that one page's slots fit a 64-bit map.
  static let slotSizes: InlineArray<4, Int> = [64, 256, 1_024, 4_096]
  static let pageCount = 16
  static let pageSizeBytes = 4_096
  /// 64 MiB of small secrets; a program that holds more has a leak.
  static let regionCountMax = 1_024

  private struct Page {
    var sizeIndex: Int?
    var used: UInt64 = 0
  }
  private struct Region {
    let address: UInt
    let isLocked: Bool
    var pages: [Page]
  }
  private struct State {
    var regions: [Region] = []
    /// For each slot size, the first page (region × 16 + page) that may have a free slot.
    var firstCandidate: InlineArray<4, Int> = [0, 0, 0, 0]
  }
  private let state = Mutex(State())

  func allocate(_ count: Int) throws(CryptoError) -> SecretSlot {
    guard let sizeIndex = Self.slotSizes.indices.first(where: { count <= Self.slotSizes[$0] }) else {
      throw CryptoError(.tooLarge, "a slot is at most 4 KiB")
    }
    return try state.withLock { (state: inout State) throws(CryptoError) -> SecretSlot in
      if let slot = Self.take(sizeIndex, &state) { return slot }
      guard state.regions.count < Self.regionCountMax else {
        throw CryptoError(.outOfSecretMemory, "too many secrets are held at once")
      }
      state.regions.append(try Self.makeRegion())
      state.firstCandidate[sizeIndex] = (state.regions.count - 1) * Self.pageCount
      guard let slot = Self.take(sizeIndex, &state) else { preconditionFailure("a new region has free pages") }
      return slot
    }
  }

  func free(_ slot: SecretSlot) {
    unsafe wipe(slot.memory)
    let address = unsafe UInt(bitPattern: slot.memory.baseAddress)
    state.withLock { state in
      let size = UInt(Self.pageCount * Self.pageSizeBytes)
      guard let index = state.regions.lastIndex(where: { address >= $0.address && address - $0.address < size }) else {
        preconditionFailure("a slot of another arena")
      }
      let offset = Int(address - state.regions[index].address)
      let page = offset / Self.pageSizeBytes
      guard let sizeIndex = state.regions[index].pages[page].sizeIndex else { preconditionFailure("freed twice") }
      let bit = UInt64(1) << UInt64(offset % Self.pageSizeBytes / Self.slotSizes[sizeIndex])
      precondition(state.regions[index].pages[page].used & bit != 0, "freed twice")
      state.regions[index].pages[page].used &= ~bit
      if state.regions[index].pages[page].used == 0 { state.regions[index].pages[page].sizeIndex = nil }
      for size in Self.slotSizes.indices {
        state.firstCandidate[size] = min(state.firstCandidate[size], index * Self.pageCount + page)
      }
    }
  }

  private static func take(_ sizeIndex: Int, _ state: inout State) -> SecretSlot? {
    let size = slotSizes[sizeIndex]
    let slotCount = pageSizeBytes / size
    let full = slotCount == 64 ? UInt64.max : (UInt64(1) << UInt64(slotCount)) - 1
    var place = state.firstCandidate[sizeIndex]
    while place < state.regions.count * pageCount {
      let (index, page) = place.quotientAndRemainder(dividingBy: pageCount)
      let owner = state.regions[index].pages[page].sizeIndex
      let used = state.regions[index].pages[page].used
      if owner == nil || (owner == sizeIndex && used != full) {
        let slot = (~used).trailingZeroBitCount
        state.regions[index].pages[page].sizeIndex = sizeIndex
        state.regions[index].pages[page].used = used | (UInt64(1) << UInt64(slot))
        state.firstCandidate[sizeIndex] = place
        let address = state.regions[index].address + UInt(page * pageSizeBytes + slot * size)
        guard let start = unsafe UnsafeMutableRawPointer(bitPattern: address) else { return nil }
        return unsafe SecretSlot(
          memory: UnsafeMutableRawBufferPointer(start: start, count: size), isLocked: state.regions[index].isLocked,
          origin: .arena(process: system_process()))
      }
      place += 1
    }
    state.firstCandidate[sizeIndex] = place
    return nil
  }

  private static func makeRegion() throws(CryptoError) -> Region {
    let mapping = try SecretMapping.make(count: pageCount * pageSizeBytes)
    return unsafe Region(
      address: UInt(bitPattern: mapping.memory.baseAddress), isLocked: mapping.isLocked,
      pages: Array(repeating: Page(), count: pageCount))
  }
}
