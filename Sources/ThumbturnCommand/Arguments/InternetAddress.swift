internal import ThumbturnKeychain

/// Where an internet password belongs: what `--url https://user@host:port/path` says. Percent codes are resolved.
struct InternetAddress: Hashable {
  let scheme: InternetScheme
  /// The user; nil when none is named.
  let account: [UInt8]?
  /// A name, or an IPv6 address without its brackets.
  let host: [UInt8]
  let port: Int64?
  /// It begins with a slash, or is empty: a slash alone is the same as none.
  let path: [UInt8]
}

extension InternetAddress {
  /// What the address says, and nothing of what it leaves open: for a new item, and as a filter.
  func attributes() throws(CommandFailure) -> [Attribute: AttributeValue] {
    var found: [Attribute: AttributeValue] = [.protocol: .text(scheme.code)]
    found[.server] = try attributeValue(host, "the host of the URL")
    if let account { found[.account] = try attributeValue(account, "the user of the URL") }
    if let port { found[.port] = .number(port) }
    if !path.isEmpty { found[.path] = try attributeValue(path, "the path of the URL") }
    return found
  }

  /// The same where what it leaves open is absent from the item: one item, unless programs told several apart by
  /// security domain or authentication type.
  func exactAttributes() throws(CommandFailure) -> [Attribute: AttributeValue] {
    try attributes().merging([.account: .text(""), .port: .number(0), .path: .text("")]) { given, _ in given }
  }
}

extension InternetAddress {
  /// The address of an item; nil when `--url` cannot say it.
  init?(_ item: FoundItem) {
    guard item.itemClass == .internetPassword, case .text(let code)? = item.attributes[.protocol],
      let scheme = InternetScheme.coded(code), let host = item.attributes[.server]?.nameBytes,
      Self.isName(host) || Self.isIPv6(host)
    else { return nil }
    let path = item.attributes[.path]?.nameBytes ?? []
    guard path.isEmpty || path.count > 1 && path.first == UInt8(ascii: "/") else { return nil }
    var port: Int64?
    if let value = item.attributes[.port], value != .number(0) {
      guard case .number(let number) = value, 1...65_535 ~= number else { return nil }
      port = number
    }
    let account = item.attributes[.account]?.nameBytes ?? []
    self.init(scheme: scheme, account: account.isEmpty ? nil : account, host: host, port: port, path: path)
  }

  /// The address as `--url` takes it.
  func text(withAccount: Bool = true) -> String {
    var text = scheme.name + "://"
    if withAccount, let account { text += Self.encoded(account, "") + "@" }
    text += Self.isName(host) ? Self.encoded(host, "") : "[\(Self.encoded(host, ":"))]"
    if let port { text += ":\(port)" }
    return text + Self.encoded(path, "/!$&'()*+,;=:@")
  }

  /// Everything but letters, digits, `-._~` and `kept` as percent codes.
  private static func encoded(_ bytes: [UInt8], _ kept: String) -> String {
    bytes.map { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: return String(UnicodeScalar(byte))
      case _ where "-._~".utf8.contains(byte) || kept.utf8.contains(byte): return String(UnicodeScalar(byte))
      default: return "%" + String(decoding: hexadecimal(UInt32(byte), digits: 2), as: UTF8.self).uppercased()
      }
    }.joined()
  }

  /// Whether bytes can be a host: no control character, blank, or mark that ends a host.
  static func isName(_ host: [UInt8]) -> Bool {
    !host.isEmpty && host.allSatisfy { $0 > 0x20 && $0 != 0x7f && !"/:@[]?#%\\".utf8.contains($0) }
  }

  /// Whether bytes are an IPv6 address, which may have a zone: `fe80::1%eth0`.
  static func isIPv6(_ host: [UInt8]) -> Bool {
    let parts = host.split(separator: UInt8(ascii: "%"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = parts.first, let text = String(validating: address, as: UTF8.self), !address.contains(0),
      System.isIPv6Address(text)
    else { return false }
    return parts.count == 1 || isName(Array(parts[1]))
  }
}
