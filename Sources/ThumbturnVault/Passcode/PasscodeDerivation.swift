internal import ThumbturnCrypto

/// How a passcode becomes a key: what the keybag says of it (VAULT.md §2).
///
/// In the keybag: algorithm (1), memory in KiB (4), passes (4), lanes (4), salt (16). Algorithm 0, with zeros behind it, is no
/// passcode; 1 is Argon2id with one lane.
struct PasscodeDerivation: Hashable, Sendable {
  static let count = 29
  /// Below, a guess would be too cheap: 64 MiB and 3 passes.
  static let costMin = Argon2id.Cost(memoryKiB: 65_536, passes: 3)
  /// Above, opening the vault could be made impossible: 1 GiB and 10 passes.
  static let costMax = Argon2id.Cost(memoryKiB: 1_048_576, passes: 10)

  let cost: Argon2id.Cost
  let salt: Identifier

  /// With a new salt.
  init(_ cost: Argon2id.Cost) throws(CryptoError) {
    self.cost = cost
    salt = try Identifier.random()
  }

  private init(cost: Argon2id.Cost, salt: Identifier) {
    self.cost = cost
    self.salt = salt
  }

  static func encoded(_ derivation: PasscodeDerivation?) -> [UInt8] {
    guard let derivation else { return [UInt8](repeating: 0, count: count) }
    var out: [UInt8] = [1]
    for number in [derivation.cost.memoryKiB, derivation.cost.passes, 1] { out.append(UInt64(number), count: 4) }
    return out + derivation.salt.array
  }

  /// - Throws: ``VaultError/Code/newerFormat`` for an algorithm that this version does not know, and
  ///   ``VaultError/Code/damaged`` for costs that no version writes: they are checked before anything is derived.
  static func decode(_ bytes: Span<UInt8>) throws(VaultError) -> PasscodeDerivation? {
    switch bytes[0] {
    case 0:
      for index in 1..<count {
        guard bytes[index] == 0 else { throw damaged("a vault without a passcode has parameters of one") }
      }
      return nil
    case 1:
      let cost = Argon2id.Cost(
        memoryKiB: UInt32(bytes.number(at: 1, count: 4)), passes: UInt32(bytes.number(at: 5, count: 4)))
      guard bytes.number(at: 9, count: 4) == 1, isAllowed(cost) else {
        throw damaged("the cost of the passcode's derivation is outside its limits")
      }
      return PasscodeDerivation(cost: cost, salt: Identifier(bytes.extracting(13..<29)))
    default:
      throw VaultError(.newerFormat, "the passcode is derived in a way that this version does not know", part: .keybag)
    }
  }

  static func isAllowed(_ cost: Argon2id.Cost) -> Bool {
    (costMin.memoryKiB...costMax.memoryKiB).contains(cost.memoryKiB)
      && (costMin.passes...costMax.passes).contains(cost.passes)
  }

  private static func damaged(_ reason: StaticString) -> VaultError { VaultError(.damaged, reason, part: .keybag) }

  /// The passcode key: HKDF(Argon2id(passcode), "passcode key").
  func key(_ passcode: Passcode) throws(VaultError) -> SecretBytes {
    do throws(CryptoError) {
      let salt = salt.bytes
      let stretched = try passcode.stretched(salt.span, cost)
      return try HKDF.derive(key: stretched.bytes, info: "passcode key".utf8Span.span)
    } catch { throw VaultError(error) }
  }
}

/// How much the derivation of a new passcode is to cost.
package enum PasscodeCost: Hashable, Sendable {
  /// At least 250 ms on this machine, measured now.
  case calibrated
  /// The least that is allowed; for tests.
  case least

  private static let nanosecondsMin: Int64 = 250_000_000

  /// - Throws: ``VaultError/Code/outOfMemory`` when even the least memory is not to be had.
  func cost() throws(VaultError) -> Argon2id.Cost {
    var cost = PasscodeDerivation.costMin
    guard self == .calibrated else { return cost }
    while true {
      let nanoseconds: Int64
      do throws(CryptoError) { nanoseconds = try Self.nanoseconds(of: cost) } catch {
        // A small machine keeps the most memory that it gave.
        guard cost.memoryKiB > PasscodeDerivation.costMin.memoryKiB else { throw VaultError(error) }
        cost.memoryKiB /= 2
        return try Self.withMorePasses(cost)
      }
      if nanoseconds >= Self.nanosecondsMin { return cost }
      if cost.memoryKiB < PasscodeDerivation.costMax.memoryKiB {
        cost.memoryKiB *= 2
      } else if cost.passes < PasscodeDerivation.costMax.passes {
        cost.passes += 1
      } else {
        return cost
      }
    }
  }

  private static func withMorePasses(_ start: Argon2id.Cost) throws(VaultError) -> Argon2id.Cost {
    var cost = start
    do throws(CryptoError) {
      while cost.passes < PasscodeDerivation.costMax.passes, try nanoseconds(of: cost) < nanosecondsMin {
        cost.passes += 1
      }
    } catch { throw VaultError(error) }
    return cost
  }

  /// How long one derivation of nothing takes.
  private static func nanoseconds(of cost: Argon2id.Cost) throws(CryptoError) -> Int64 {
    let nothing = try SecretBytes(count: 1) { _ in }
    let salt = InlineArray<16, UInt8>(repeating: 0)
    let began = system_bootNanoseconds()
    _ = try Argon2id.derive(nothing, salt: salt.span, cost)
    return system_bootNanoseconds() - began
  }
}

extension Passcode {
  fileprivate func stretched(_ salt: Span<UInt8>, _ cost: Argon2id.Cost) throws(CryptoError) -> SecretBytes {
    try Argon2id.derive(secret.bytes, salt: salt, cost)
  }
}
