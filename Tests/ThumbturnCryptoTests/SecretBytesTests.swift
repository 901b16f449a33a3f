internal import Foundation
internal import TestFixtures
internal import Testing

@testable internal import ThumbturnCrypto

/// Serialized: the scans look at the memory of the whole process.
@Suite("Secret memory", .serialized)
struct SecretBytesTests {
  private func makeCanary(_ seed: UInt32, _ count: Int) throws -> SecretBytes {
    try SecretBytes(count: count) { (bytes: inout MutableSpan<UInt8>) throws(CryptoError) in
      for index in bytes.indices { bytes[index] = MemoryScan.canaryByte(seed, index) }
    }
  }

  @Test("a secret stands in one place while it lives, and nowhere afterwards", arguments: [24, 200, 4_096, 100_000])
  func leavesNoTrace(count: Int) throws {
    let seed = UInt32(count) + 1
    do {
      let secret = try makeCanary(seed, count)
      #expect(MemoryScan.countCanaries(seed, count) == 1)
      #expect(secret.count == count)
    }
    #expect(MemoryScan.countCanaries(seed, count) == 0)
  }

  @Test("the scan finds a planted copy")
  func scanFindsPlantedCopy() throws {
    let secret = try makeCanary(99, 200)
    let planted = secret.bytes.copied()
    #expect(MemoryScan.countCanaries(99, 200) == 2)
    #expect(planted.count == 200)
  }

  @Test("a fill that throws leaves nothing")
  func throwingFill() {
    #expect(throws: CryptoError(.libraryFailed, "")) {
      _ = try SecretBytes(count: 300) { (bytes: inout MutableSpan<UInt8>) throws(CryptoError) in
        for index in bytes.indices { bytes[index] = MemoryScan.canaryByte(77, index) }
        throw CryptoError(.libraryFailed, "on purpose")
      }
    }
    #expect(MemoryScan.countCanaries(77, 300) == 0)
  }

  @Test("pages are locked, out of core dumps and zero after a fork", arguments: [32, 4_096, 100_000])
  func pagesAreProtected(count: Int) throws {
    let secret = try makeCanary(5, count)
    #expect(MemoryScan.hasFlag("dd", secret.bytes) == true)
    #expect(MemoryScan.hasFlag("wf", secret.bytes) == true)
    #expect(MemoryScan.hasFlag("lo", secret.bytes) == secret.isLocked)
  }

  @Test("slots do not overlap and are used again")
  func slots() throws {
    for round in 0..<3 {
      var held: [SharedSecret] = []
      for index in 0..<500 { held.append(SharedSecret(try makeCanary(UInt32(index), 60 + index % 5 * 300))) }
      for index in 0..<500 {
        let isWhole = held[index].withBytes { bytes in
          bytes.indices.allSatisfy { bytes[$0] == MemoryScan.canaryByte(UInt32(index), $0) }
        }
        #expect(isWhole, "secret \(index) of round \(round)")
      }
    }
  }

  @Test("sizes at and over the limits", arguments: [0, 1, 4_096, 4_097, SecretBytes.countMax])
  func limits(count: Int) throws {
    let secret = try SecretBytes(count: count) { _ in }
    #expect(secret.count == count)
    #expect(secret.bytes.count == count)
    if count > 0 { #expect(secret.bytes[count - 1] == 0) }
  }

  @Test("one byte over the limit throws")
  func overTheLimit() {
    #expect(throws: CryptoError(.tooLarge, "")) { _ = try SecretBytes(count: SecretBytes.countMax + 1) { _ in } }
  }

  @Test("a negative size is a bug of the caller")
  func negativeSize() async {
    await #expect(processExitsWith: .failure) { _ = try SecretBytes(count: -1) { _ in } }
  }

  @Test(
    "compares",
    arguments: [([1, 2], [1, 2], true), ([1, 2], [1, 3], false), ([1], [1, 0], false), ([], [], true)]
      as [([UInt8], [UInt8], Bool)])
  func compares(left: [UInt8], right: [UInt8], areEqual: Bool) throws {
    let left = try SecretBytes(copying: left.span)
    let right = try SecretBytes(copying: right.span)
    #expect(left.isEqual(to: right) == areEqual)
  }

  @Test("works from many threads at once")
  func threads() async throws {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for task in 0..<16 {
        group.addTask {
          for round in 0..<200 {
            let seed = UInt32(task * 1_000 + round)
            let secret = try self.makeCanary(seed, 20 + round * 11 % 4_000)
            let bytes = secret.bytes
            guard bytes.indices.allSatisfy({ bytes[$0] == MemoryScan.canaryByte(seed, $0) }) else { return false }
          }
          return true
        }
      }
      for try await isWhole in group { #expect(isWhole) }
    }
  }
}
