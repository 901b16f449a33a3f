// swift-format-ignore-file: AlwaysUseLowerCamelCase
internal import ThumbturnCrypto

/// A source of random bytes.
///
/// There is one, ``kSecRandomDefault``.
public final class SecRandom: Sendable {
  private init() {}
}
/// A source of random bytes.
public typealias SecRandomRef = SecRandom

/// The system's random source: nil.
public let kSecRandomDefault: SecRandomRef? = nil

/// The most bytes of one call: what a C `int` holds.
///
/// More is a mistake of the caller's.
private let randomCountMax = Int(Int32.max)

/// Fills memory with random bytes from getrandom(2).
///
/// May be called from any thread.
///
/// - Parameters:
///   - rnd: ``kSecRandomDefault``.
///   - count: Number of bytes, from 0 to 2,147,483,647.
///   - bytes: At least `count` bytes of memory.
/// - Returns: errSecSuccess; errSecParam for a count outside that range; errSecNotAvailable when the kernel gives no
///   random bytes: nothing weaker is used instead, and the memory must then not be used.
@safe
public func SecRandomCopyBytes(_ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32 {
  guard count >= 0, count <= randomCountMax else { return errSecParam }
  guard count > 0 else { return errSecSuccess }
  // Apple's signature: the caller vouches for `count` bytes behind the pointer.
  let memory = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: count)
  var span = unsafe MutableSpan<UInt8>(_unsafeBytes: memory)
  do throws(CryptoError) {
    try randomBytes(into: &span)
    return errSecSuccess
  } catch {
    return errSecNotAvailable
  }
}
