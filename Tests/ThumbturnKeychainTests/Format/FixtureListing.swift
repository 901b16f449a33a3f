internal import ThumbturnCrypto
internal import ThumbturnVault

@testable internal import ThumbturnKeychain

/// The items of a vault as text, for Fixtures/…/contents.txt: short bytes as they are, long ones by their SHA-256.
enum FixtureListing {
  static func of(_ backend: LocalBackend) throws -> String {
    var text = ""
    for itemClass in ItemClass.allCases {
      var query = ItemQuery(itemClass, limit: .all, wantsSecret: true)
      query.synchronizable = .any
      for item in try backend.find(query, for: FixtureItem.caller) { text += try lines(item) + "\n" }
    }
    return text
  }

  private static func lines(_ item: FoundItem) throws -> String {
    var text = "reference \(hexadecimal(item.reference))\n"
    text += "table \(item.itemClass.code), class \(item.protectionClass.code), sync \(item.isSynchronizable ? 1 : 0)\n"
    for (attribute, value) in item.attributes.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      text += "\(attribute.rawValue) \(AttributeDefinition.of(attribute)?.code ?? "?") \(try show(value))\n"
    }
    guard let secret = item.secret else { return text + "no secret\n" }
    return text + "secret \(try show(secret.withBytes { $0.copied() }))\n"
  }

  private static func show(_ value: AttributeValue) throws -> String {
    switch value {
    case .text(let text): "text \(try show(Array(text.utf8)))"
    case .data(let data): "data \(try show(data))"
    case .number(let number): "number \(number)"
    case .date(let seconds): "date \(seconds)"
    }
  }

  private static func show(_ bytes: [UInt8]) throws -> String {
    if bytes.count <= 64 {
      let isPlain = bytes.allSatisfy { (0x20...0x7E).contains($0) }
      return isPlain ? "\"\(String(decoding: bytes, as: UTF8.self))\"" : hexadecimal(bytes)
    }
    var hash = [UInt8](repeating: 0, count: 32)
    var out = hash.mutableSpan
    try sha256(bytes.span, into: &out)
    return "\(bytes.count) bytes, SHA-256 \(hexadecimal(hash))"
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
