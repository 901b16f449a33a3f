import Foundation
import ThumbturnCrypto
import ThumbturnKeychain
import ThumbturnVault

/// One of several programs that count in the same vault. Each transaction reads a number and writes the next one, and the
/// write says which number it saw: when another was quicker it changes nothing, and this one reads anew.
struct Contender {
  static let counter = Name(service: "counter", account: "of all")

  let backend: LocalBackend
  let number: Int
  /// Writes without saying what it saw, so that numbers get lost: what the harness must notice.
  let isCareless: Bool
  private var overtakenCount = 0

  /// The item that only the contender with this number writes.
  static func own(_ number: Int) -> Name { Name(service: "own", account: "\(number)") }

  static func make(in home: String, count: Int) throws {
    let backend = LocalBackend(location: VaultLocation(home: home))
    defer { backend.close() }
    for name in [counter] + (0..<count).map(own) {
      _ = try backend.add(
        NewItem(.genericPassword, name.attributes.merging(label(0)) { $1 }, secret: try shared(secret(0))),
        for: Caller())
    }
  }

  /// The program: waits for a file, then counts, and says after each transaction how many nanoseconds it took.
  static func program(_ arguments: [String]) throws {
    guard arguments.count >= 3, let number = Int(arguments[1]), let count = Int(arguments[2]) else {
      throw Fault("contend HOME NUMBER COUNT [careless]")
    }
    let home = arguments[0]
    var contender = Contender(
      backend: LocalBackend(location: VaultLocation(home: home)), number: number,
      isCareless: arguments.last == "careless")
    while unsafe access(home + ".go", F_OK) != 0 { usleep(500) }
    for turn in 0..<count {
      let isShared = turn.isMultiple(of: 2)
      let time = try contender.add(to: isShared ? counter : own(number), mustSee: isShared ? nil : turn / 2)
      say("took \(time)")
    }
    contender.backend.close()
    say("overtaken \(contender.overtakenCount)")
  }

  /// The number in an item; label and secret must tell the same.
  static func value(of name: Name, in backend: LocalBackend) throws -> Int {
    var query = name.query
    query.wantsSecret = true
    guard let item = try backend.find(query, for: Caller()).first, case .text(let text) = item.attributes[.label],
      let value = Int(text), item.secret?.withBytes({ $0.equals(secret(value).span) }) == true
    else { throw Fault("\(name.service): label and secret do not belong together") }
    return value
  }

  private init(backend: LocalBackend, number: Int, isCareless: Bool) {
    self.backend = backend
    self.number = number
    self.isCareless = isCareless
  }

  /// Reads, adds one and writes; the nanoseconds from the first read until the vault says that it is done.
  private mutating func add(to name: Name, mustSee expected: Int?) throws -> UInt64 {
    let began = DispatchTime.now().uptimeNanoseconds
    while true {
      let value = try Self.value(of: name, in: backend)
      if let expected, value != expected { throw Fault("contender \(number): \(value) in place of \(expected)") }
      if isCareless { usleep(1_000) }
      var query = name.query
      if !isCareless { query.attributes.merge(Self.label(value)) { $1 } }
      let change = ItemChange(Self.label(value + 1), secret: try shared(Self.secret(value + 1)))
      do throws(KeychainError) {
        try backend.update(query, with: change, for: Caller())
        return DispatchTime.now().uptimeNanoseconds - began
      } catch {
        guard error.code == .itemNotFound, expected == nil else { throw error }
        overtakenCount += 1
      }
    }
  }

  private static func label(_ value: Int) -> [Attribute: AttributeValue] { [.label: .text("\(value)")] }
  private static func secret(_ value: Int) -> [UInt8] { Array("secret \(value)".utf8) }
}
