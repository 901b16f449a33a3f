extension InternetAddress {
  /// Reads a URL. No error repeats any of it: it could hold a password.
  ///
  /// - Throws: A failure with ``ExitCode/usage``.
  init(parsing url: [UInt8]) throws(CommandFailure) {
    guard url.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
      throw Self.wrong("the URL holds a blank or a control character", "write a blank as %20")
    }
    guard let colon = url.firstIndex(of: UInt8(ascii: ":")), url[colon...].starts(with: "://".utf8) else {
      throw Self.wrong("the URL has no scheme", "as in: https://user@host:port/path")
    }
    let rest = url[(colon + 3)...]
    let authorityEnd = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
    let authority = rest[..<authorityEnd]
    let at = authority.lastIndex(of: UInt8(ascii: "@"))
    let user = at.map { authority[..<$0] }
    guard user?.contains(UInt8(ascii: ":")) != true else {
      throw Self.wrong(
        "the URL holds a password, nothing was done",
        "every process can read a command line; leave the password out of the URL: set reads it from standard input")
    }
    guard let scheme = InternetScheme.named(url[..<colon]) else {
      let names = InternetScheme.table.map(\.name).joined(separator: ", ")
      throw Self.wrong("the scheme of the URL is not known", "the schemes are \(names)")
    }
    guard !rest.contains(where: { "?#".utf8.contains($0) }) else {
      throw Self.wrong(
        "the URL has a query or a fragment, which an internet password has not",
        "leave out what begins with ? or #; in a name they are %3F and %23")
    }
    self.scheme = scheme
    account = try user.flatMap { (user) throws(CommandFailure) in user.isEmpty ? nil : try Self.decoded(user) }
    (host, port) = try Self.hostAndPort(authority[(at.map { $0 + 1 } ?? authority.startIndex)...])
    let path = try Self.decoded(rest[authorityEnd...])
    self.path = path == Array("/".utf8) ? [] : path
  }

  private static func hostAndPort(_ text: ArraySlice<UInt8>) throws(CommandFailure) -> ([UInt8], Int64?) {
    let host: [UInt8]
    var rest: ArraySlice<UInt8>
    if text.first == UInt8(ascii: "[") {
      guard let end = text.firstIndex(of: UInt8(ascii: "]")) else {
        throw wrong("the IPv6 address of the URL has no end", "as in: https://[::1]:8443/path")
      }
      host = try decoded(text[(text.startIndex + 1)..<end])
      rest = text[(end + 1)...]
      guard isIPv6(host) else {
        throw wrong("what the URL has in brackets is no IPv6 address", "as in: https://[::1]:8443/path")
      }
    } else {
      let end = text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
      host = try decoded(text[..<end])
      rest = text[end...]
      guard rest.count(where: { $0 == UInt8(ascii: ":") }) < 2 else {
        throw wrong("the URL has more than one port", "an IPv6 address goes into brackets: https://[::1]:8443/path")
      }
      guard isName(host) else {
        throw wrong("the URL has no host, or one that cannot be", "as in: https://user@host:port/path")
      }
    }
    guard rest.popFirst() != nil else { return (host, nil) }
    guard text[rest.startIndex - 1] == UInt8(ascii: ":"), rest.count <= 5, rest.allSatisfy({ 48...57 ~= $0 }),
      let port = Int64(String(decoding: rest, as: UTF8.self)), 1...65_535 ~= port
    else {
      throw wrong("the port of the URL is no number from 1 to 65535", "as in: https://user@host:8443/path")
    }
    return (host, port)
  }

  /// Bytes with their percent codes resolved.
  private static func decoded(_ text: ArraySlice<UInt8>) throws(CommandFailure) -> [UInt8] {
    var out: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        out.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
        throw wrong("the URL has a % without two hexadecimal digits", "write a % itself as %25")
      }
      out.append(high << 4 | low)
    }
    return out
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }

  private static func wrong(_ message: String, _ hint: String) -> CommandFailure {
    CommandFailure(.usage, message, hint: hint)
  }
}
