internal import ThumbturnCrypto

/// Where the secret of `set` comes from.
enum SecretInput {
  /// The largest secret, in bytes (VAULT.md §3).
  static let countMax = 16_777_216
  /// The longest secret at a prompt, in bytes.
  static let promptCountMax = 4_096
  /// The first buffer: one slot of locked memory.
  private static let firstCount = 4_096

  /// Reads a descriptor to its end.
  ///
  /// It stays open.
  ///
  /// - Parameters:
  /// - expectedBytes: What it probably holds; a file says so.
  /// - waitMilliseconds: How long it may give nothing.
  static func read(
    _ descriptor: Int32, expectedBytes: Int = 0, waitMilliseconds: Int32
  ) throws(CommandFailure) -> SecretBytes {
    guard expectedBytes <= countMax else { throw .secretTooLarge }
    // One more than the largest secret, so that a larger one is noticed.
    var buffer = try empty(min(max(firstCount, expectedBytes + 1), countMax + 1))
    var count = 0
    while true {
      if count == buffer.count {
        guard count <= countMax else { throw .secretTooLarge }
        var larger = try empty(min(count * 4, countMax + 1))
        System.copy(buffer, to: &larger, count: count)
        buffer = larger
      }
      let got = try readSome(descriptor, into: &buffer, from: count, waitMilliseconds: waitMilliseconds)
      if got == 0 { break }
      count += got
    }
    guard count <= countMax else { throw .secretTooLarge }
    buffer.narrow(to: 0..<count)
    return buffer
  }

  /// Reads a regular file, byte for byte.
  static func readFile(_ path: [UInt8], waitMilliseconds: Int32) throws(CommandFailure) -> SecretBytes {
    let descriptor: Int32
    let facts: FileFacts
    do {
      descriptor = try System.openForReading(path)
    } catch {
      throw .fileNotOpened(error)
    }
    defer { system_close(descriptor) }
    do {
      facts = try system_fstat(descriptor)
    } catch {
      throw .inputFailed(error)
    }
    guard facts.kind == .file else { throw .notARegularFile(isFolder: facts.kind == .folder) }
    return try read(descriptor, expectedBytes: Int(facts.sizeBytes), waitMilliseconds: waitMilliseconds)
  }

  private static func readSome(
    _ descriptor: Int32, into buffer: inout SecretBytes, from start: Int, waitMilliseconds: Int32
  ) throws(CommandFailure) -> Int {
    while true {
      do {
        guard try System.waitReadable(descriptor, milliseconds: waitMilliseconds) else {
          throw CommandFailure.noInput
        }
        var all = buffer.mutableBytes
        var rest = all._mutatingExtracting(start..<all.count)
        return try system_readSome(descriptor, into: &rest)
      } catch let failure as SystemError {
        // Another process took what had arrived.
        if failure == .wouldBlock { continue }
        throw .inputFailed(failure)
      } catch let failure as CommandFailure {
        throw failure
      } catch {
        throw .noInput
      }
    }
  }

  private static func empty(_ count: Int) throws(CommandFailure) -> SecretBytes {
    do {
      return try SecretBytes(count: count) { (_: inout MutableSpan<UInt8>) throws(CryptoError) in }
    } catch {
      throw .outOfSecretMemory
    }
  }
}
