/// The scheme of a URL and what Apple's programs store for it: the values of `kSecAttrProtocol`.
struct InternetScheme: Hashable {
  let name: String
  /// Four bytes of text, filled up with blanks.
  let code: String

  /// Every scheme that `--url` takes. Apple's codes for proxies, AppleTalk and FTP accounts are no schemes of URLs.
  static let table: [InternetScheme] = [
    .init("https", "htps"),
    .init("http", "http"),
    .init("ssh", "ssh "),
    .init("ftp", "ftp "),
    .init("ftps", "ftps"),
    .init("imap", "imap"),
    .init("imaps", "imps"),
    .init("smtp", "smtp"),
    .init("pop3", "pop3"),
    .init("pop3s", "pops"),
    .init("ldap", "ldap"),
    .init("ldaps", "ldps"),
    .init("smb", "smb "),
    .init("afp", "afp "),
    .init("ipp", "ipp "),
    .init("irc", "irc "),
    .init("ircs", "ircs"),
    .init("nntp", "nntp"),
    .init("nntps", "ntps"),
    .init("rtsp", "rtsp"),
    .init("socks", "sox "),
    .init("telnet", "teln"),
    .init("telnets", "tels"),
    .init("daap", "daap"),
    .init("eppc", "eppc"),
  ]

  private init(_ name: String, _ code: String) {
    self.name = name
    self.code = code
  }

  /// The scheme with a name in any case.
  static func named(_ name: some Sequence<UInt8>) -> InternetScheme? {
    let lower = name.map { 0x41...0x5a ~= $0 ? $0 | 0x20 : $0 }
    return table.first { $0.name.utf8.elementsEqual(lower) }
  }

  /// The scheme that a program stored.
  static func coded(_ code: String) -> InternetScheme? { table.first { $0.code == code } }
}
