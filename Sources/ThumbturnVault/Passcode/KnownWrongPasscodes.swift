internal import Synchronization
internal import ThumbturnCrypto

/// Wrong passcodes that an agent has seen, so that the same one twice counts once (VAULT.md §9).
///
/// Only their HMAC under a random key that never leaves this memory; forgotten with a right passcode and with the agent.
final class KnownWrongPasscodes: Sendable {
  /// More are not kept: by then a person waits an hour for each try.
  private static let countMax = 16

  private struct Known {
    var key: SharedSecret?
    var sums: [[UInt8]] = []
  }
  private let known = Mutex(Known())

  /// Takes a wrong one in; whether it was there already.
  func take(_ passcodeKey: borrowing SecretBytes) throws(CryptoError) -> Bool {
    let key = try key()
    var sum = [UInt8](repeating: 0, count: HMAC.count)
    do {
      var out = sum.mutableSpan
      try Self.sum(passcodeKey, under: key, into: &out)
    }
    let found = sum
    return known.withLock { known in
      if known.sums.contains(where: { isEqualInConstantTime($0.span, found.span) }) { return true }
      if known.sums.count == Self.countMax { known.sums.removeFirst() }
      known.sums.append(found)
      return false
    }
  }

  func forget() { known.withLock { $0 = Known() } }

  private func key() throws(CryptoError) -> SharedSecret {
    if let key = known.withLock({ $0.key }) { return key }
    let made = SharedSecret(try SecretBytes.random(count: 32))
    return known.withLock { known in
      if let key = known.key { return key }
      known.key = made
      return made
    }
  }

  private static func sum(
    _ passcodeKey: borrowing SecretBytes, under key: SharedSecret, into out: inout MutableSpan<UInt8>
  ) throws(CryptoError) {
    let mac = try key.withBytes { (key) throws(CryptoError) -> HMAC in try HMAC(key: key) }
    try mac.sum(passcodeKey.bytes, into: &out)
  }
}
