import Testing
import ThumbturnKeychain
import ThumbturnVault

@testable import ThumbturnCommand

@Suite("A URL")
struct InternetAddressTests {
  private static func parse(_ url: String) throws(CommandFailure) -> InternetAddress {
    try InternetAddress(parsing: Array(url.utf8))
  }

  struct Row: Sendable {
    let url: String
    var code = "htps"
    var account: String?
    var host = "h"
    var port: Int64?
    var path = ""
    /// How it is shown again, when that is not as it was given.
    var shown: String?
  }

  static let rows: [Row] = [
    Row(url: "https://h"),
    Row(url: "https://h/", shown: "https://h"),
    Row(url: "HTTPS://h", shown: "https://h"),
    Row(url: "https://alice@h", account: "alice"),
    Row(url: "https://@h", shown: "https://h"),
    Row(url: "https://alice@h:8443/a/b", account: "alice", port: 8_443, path: "/a/b"),
    Row(
      url: "https://alice@h.org@mail.h.org", account: "alice@h.org", host: "mail.h.org",
      shown: "https://alice%40h.org@mail.h.org"),
    Row(url: "https://a%3Ab@h", account: "a:b"),
    Row(url: "https://a%2fb@h/c%20d%25", account: "a/b", path: "/c d%", shown: "https://a%2Fb@h/c%20d%25"),
    Row(url: "https://h//", path: "//"),
    Row(url: "https://h/@user:x", path: "/@user:x"),
    Row(url: "https://\u{e9}@h/\u{fc}", account: "\u{e9}", path: "/\u{fc}", shown: "https://%C3%A9@h/%C3%BC"),
    Row(url: "http://[::1]:1", code: "http", host: "::1", port: 1),
    Row(
      url: "ssh://root@[fe80::1%25eth0]:65535/", code: "ssh ", account: "root", host: "fe80::1%eth0", port: 65_535,
      shown: "ssh://root@[fe80::1%25eth0]:65535"),
    Row(url: "ftp://127.0.0.1", code: "ftp ", host: "127.0.0.1"),
    Row(url: "imap://Mail.Example.org", code: "imap", host: "Mail.Example.org"),
    Row(url: "https://h:080", port: 80, shown: "https://h:80"),
  ]

  @Test("becomes the attributes that Apple's programs use, and is shown so that it can be given again", arguments: rows)
  func parts(row: Row) throws {
    let address = try Self.parse(row.url)
    var expected: [Attribute: AttributeValue] = [.protocol: .text(row.code), .server: .text(row.host)]
    expected[.account] = row.account.map { .text($0) }
    expected[.port] = row.port.map { .number($0) }
    if !row.path.isEmpty { expected[.path] = .text(row.path) }
    #expect(try address.attributes() == expected)
    let exact = try address.exactAttributes()
    #expect(exact[.account] == .text(row.account ?? ""))
    #expect(exact[.port] == .number(row.port ?? 0))
    #expect(exact[.path] == .text(row.path))

    #expect(address.text() == row.shown ?? row.url)
    #expect(try Self.parse(address.text()) == address)
    let item = FoundItem(
      itemClass: .internetPassword, attributes: expected, protectionClass: .always, isSynchronizable: false,
      reference: [],
      secret: nil)
    #expect(InternetAddress(item) == address)
  }

  @Test(
    "that is wrong ends with exit code 2, and nothing of it is repeated",
    arguments: [
      ("https://alice:hunter2@h", "the URL holds a password, nothing was done"),
      ("https://alice:@h", "the URL holds a password, nothing was done"),
      ("https://alice:hun@ter2@h/p", "the URL holds a password, nothing was done"),
      ("https://:hunter2@h", "the URL holds a password, nothing was done"),
      ("gopher://alice:hunter2@h", "the URL holds a password, nothing was done"),
      ("gopher://hunter2", "the scheme of the URL is not known"),
      ("://hunter2", "the scheme of the URL is not known"),
      ("hunter2", "the URL has no scheme"),
      ("", "the URL has no scheme"),
      ("https:/hunter2", "the URL has no scheme"),
      ("mailto:hunter2@h", "the URL has no scheme"),
      ("https://h?hunter2", "the URL has a query or a fragment, which an internet password has not"),
      ("https://h/p?hunter2", "the URL has a query or a fragment, which an internet password has not"),
      ("https://h/p#hunter2", "the URL has a query or a fragment, which an internet password has not"),
      ("https://", "the URL has no host, or one that cannot be"),
      ("https://alice@", "the URL has no host, or one that cannot be"),
      ("https://alice@:1", "the URL has no host, or one that cannot be"),
      ("https://hunter2%2F", "the URL has no host, or one that cannot be"),
      ("https://hunter2%3A1", "the URL has no host, or one that cannot be"),
      ("https://hunter2\\", "the URL has no host, or one that cannot be"),
      ("https://h:", "the port of the URL is no number from 1 to 65535"),
      ("https://h:0", "the port of the URL is no number from 1 to 65535"),
      ("https://h:65536", "the port of the URL is no number from 1 to 65535"),
      ("https://h:+1", "the port of the URL is no number from 1 to 65535"),
      ("https://h:hunter2", "the port of the URL is no number from 1 to 65535"),
      ("https://alice:hunter2/p@h", "the port of the URL is no number from 1 to 65535"),
      ("https://[::1]hunter2", "the port of the URL is no number from 1 to 65535"),
      ("https://::1", "the URL has more than one port"),
      ("https://[::1", "the IPv6 address of the URL has no end"),
      ("https://[hunter2]", "what the URL has in brackets is no IPv6 address"),
      ("https://[::1%25]", "what the URL has in brackets is no IPv6 address"),
      ("https://[127.0.0.1]", "what the URL has in brackets is no IPv6 address"),
      ("https://[::1%00]", "what the URL has in brackets is no IPv6 address"),
      ("https://h/%", "the URL has a % without two hexadecimal digits"),
      ("https://h/%2", "the URL has a % without two hexadecimal digits"),
      ("https://h/%hunter2", "the URL has a % without two hexadecimal digits"),
      ("https://h/a b", "the URL holds a blank or a control character"),
      ("https://h/\u{1b}", "the URL holds a blank or a control character"),
    ])
  func wrong(url: String, message: String) {
    let failure = #expect(throws: CommandFailure.self) { try Self.parse(url) }
    #expect(failure?.exitCode == .usage)
    #expect(failure?.message == message)
    #expect(failure?.hint?.isEmpty == false)
    #expect(failure?.text.contains("hunter2") == false)
  }

  @Test("with an unknown scheme is answered with every scheme")
  func schemes() {
    let failure = #expect(throws: CommandFailure.self) { try Self.parse("gopher://h") }
    for scheme in InternetScheme.table { #expect(failure?.hint?.contains(" \(scheme.name)") == true) }
  }

  @Test("may name what is no text")
  func bytes() throws {
    let address = try InternetAddress(parsing: Array("https://%ff@h/%00".utf8))
    #expect(try address.attributes()[.account] == .data([0xff]))
    #expect(try address.attributes()[.path] == .text("/\0"))
    #expect(address.text() == "https://%FF@h/%00")
  }

  @Test("has parts of 64 KiB at most")
  func limits() throws {
    let most = String(repeating: "n", count: 65_536)
    #expect(try Self.parse("https://\(most)@h").attributes()[.account] == .text(most))
    for url in ["https://\(most)n@h", "https://\(most)n", "https://h/\(most)"] {
      let address = try Self.parse(url)
      let failure = #expect(throws: CommandFailure.self) { try address.attributes() }
      #expect(failure?.exitCode == .refused)
    }
  }

  @Test(
    "is not made of an item that it could not name",
    arguments: [
      [.protocol: .text("htpx"), .server: .text("h")], [.server: .text("h")], [.protocol: .text("htps")],
      [.protocol: .text("htps"), .server: .text("")], [.protocol: .text("htps"), .server: .text("h:1")],
      [.protocol: .text("htps"), .server: .text("h/p")], [.protocol: .number(7), .server: .text("h")],
      [.protocol: .text("htps"), .server: .text("h"), .path: .text("p")],
      [.protocol: .text("htps"), .server: .text("h"), .path: .text("/")],
      [.protocol: .text("htps"), .server: .text("h"), .port: .number(65_536)],
      [.protocol: .text("htps"), .server: .text("h"), .port: .text("x")],
    ] as [[Attribute: AttributeValue]])
  func unnameable(attributes: [Attribute: AttributeValue]) {
    let item = FoundItem(
      itemClass: .internetPassword, attributes: attributes, protectionClass: .always, isSynchronizable: false,
      reference: [], secret: nil)
    #expect(InternetAddress(item) == nil)
  }

  /// Apple's values of kSecAttrProtocol, written down from its documentation and not from our table.
  @Test(
    "has the codes of Apple's protocols",
    arguments: [
      ("afp", "afp "), ("daap", "daap"), ("eppc", "eppc"), ("ftp", "ftp "), ("ftps", "ftps"), ("http", "http"),
      ("https", "htps"), ("imap", "imap"), ("imaps", "imps"), ("ipp", "ipp "), ("irc", "irc "), ("ircs", "ircs"),
      ("ldap", "ldap"), ("ldaps", "ldps"), ("nntp", "nntp"), ("nntps", "ntps"), ("pop3", "pop3"), ("pop3s", "pops"),
      ("rtsp", "rtsp"), ("smb", "smb "), ("smtp", "smtp"), ("socks", "sox "), ("ssh", "ssh "), ("telnet", "teln"),
      ("telnets", "tels"),
    ])
  func codes(name: String, code: String) throws {
    #expect(try Self.parse("\(name)://h").attributes()[.protocol] == .text(code))
    #expect(InternetScheme.coded(code)?.name == name)
    #expect(InternetScheme.table.count == 25)
  }
}
