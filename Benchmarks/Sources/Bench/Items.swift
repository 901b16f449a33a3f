internal import ThumbturnCrypto
internal import ThumbturnKeychain

/// The items of a seeded store: of item `number`, the same names as the peer's row `number` (rawpeer.c).
enum Items {
  static let caller = Caller()
  static let secretCount = 64

  static func service(_ number: Int) -> String { "service\(number / 10).example.org" }
  static func account(_ number: Int) -> String { "account\(number)@example.org" }

  /// What a password manager stores: about 300 bytes of attributes and a secret of 64.
  static func item(_ number: Int) throws -> NewItem {
    NewItem(
      .genericPassword,
      [
        .service: .text(service(number)), .account: .text(account(number)),
        .label: .text("Example account number \(number)"), .description: .text("application password"),
        .comment: .text("made by the importer on the first of May"), .creator: .number(1_234),
        .isInvisible: .number(0), .generic: .data([UInt8](repeating: 3, count: 24)),
      ], secret: SharedSecret(try SecretBytes(copying: [UInt8](repeating: 7, count: secretCount).span)))
  }

  static func query(_ service: String, _ account: String) -> ItemQuery {
    ItemQuery(.genericPassword, [.service: .text(service), .account: .text(account)], wantsSecret: true)
  }
}

/// Which rows a benchmark reads: a generator of its own, so that every run reads the same.
struct Rows {
  private var state: UInt64 = 88_172_645_463_325_252
  private let count: Int

  init(of count: Int) { self.count = count }

  mutating func next() -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(count))
  }

  mutating func next(_ batchCount: Int) -> [Int] { (0..<batchCount).map { _ in next() } }
}
