/// What an item must have beyond equal attributes: the match keys (SECITEM.md §11).
///
/// Everything that is set must hold.
public struct ItemFilter: Hashable, Sendable {
  /// The server of an internet password is this text, or ends with "." and this text; compared byte for byte. A server
  /// that is no text never matches.
  public var host: String?
  /// One of these items, each by the 16 bytes of its persistent reference.
  public var references: Set<[UInt8]>?
  /// A text that the subject of a certificate holds.
  public var subjectPart: SubjectPart?
  /// The certificate was issued by one of these names, or by a certificate of the caller's that was, through at most 10
  /// certificates; names as `kSecAttrIssuer` has them.
  public var issuers: Set<[UInt8]>?

  /// A part of a subject.
  public struct SubjectPart: Hashable, Sendable {
    /// What the subject must hold.
    public var text: String
    /// Whether upper and lower case are the same, for the letters of ASCII.
    public var ignoresCase: Bool

    /// Makes a part of a subject.
    public init(_ text: String, ignoresCase: Bool = false) {
      self.text = text
      self.ignoresCase = ignoresCase
    }
  }

  /// A filter that lets everything pass.
  public init() {}

  /// Whether it lets everything pass.
  public var isEmpty: Bool { self == ItemFilter() }
}

extension ItemFilter {
  /// Whether an item passes, but for ``issuers``: these need the other certificates.
  package func accepts(_ attributes: [Attribute: AttributeValue], reference: [UInt8]) -> Bool {
    if let host, !Self.isHost(attributes[.server], host) { return false }
    if let references, !references.contains(reference) { return false }
    if let subjectPart, !subjectPart.isPart(of: attributes[.subject]) { return false }
    return true
  }

  /// As above, for an item that was found.
  @_disfavoredOverload
  package func accepts(_ attributes: ItemAttributes, reference: [UInt8]) -> Bool {
    accepts(attributes.dictionary, reference: reference)
  }

  private static func isHost(_ server: AttributeValue?, _ host: String) -> Bool {
    guard case .text(let server)? = server else { return false }
    let (have, want) = (Array(server.utf8), Array(host.utf8))
    guard have.count >= want.count, have.suffix(want.count).elementsEqual(want) else { return false }
    return have.count == want.count || have[have.count - want.count - 1] == UInt8(ascii: ".")
  }
}

extension ItemFilter.SubjectPart {
  fileprivate func isPart(of subject: AttributeValue?) -> Bool {
    guard case .data(let subject)? = subject else { return false }
    return subject.map(folded).contains(part: Array(text.utf8).map(folded))
  }

  private func folded(_ byte: UInt8) -> UInt8 {
    ignoresCase && (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}

extension [UInt8] {
  /// Whether `part` stands in here, in time that grows with the sum of the sizes: both come from outside.
  fileprivate func contains(part: [UInt8]) -> Bool {
    guard !part.isEmpty else { return true }
    // For each place of the part: how much of its beginning also ends there (Knuth, Morris, Pratt).
    var borders = [0]
    var matched = 0
    for byte in part.dropFirst() {
      while matched > 0, part[matched] != byte { matched = borders[matched - 1] }
      if part[matched] == byte { matched += 1 }
      borders.append(matched)
    }
    matched = 0
    for byte in self {
      while matched > 0, part[matched] != byte { matched = borders[matched - 1] }
      if part[matched] == byte { matched += 1 }
      if matched == part.count { return true }
    }
    return false
  }
}

extension ItemFilter {
  /// How many certificates a chain to an issuer may have.
  private static let chainCountMax = 10

  /// A certificate by the names that a chain goes by.
  package struct ChainLink: Sendable {
    let subject: [UInt8]
    let issuer: [UInt8]

    /// Nil for a certificate without a subject: nothing can be issued by it.
    package init?(_ attributes: [Attribute: AttributeValue]) {
      guard let subject = attributes[.subject], let issuer = attributes[.issuer] else { return nil }
      self.subject = subject.canonicalBytes
      self.issuer = issuer.canonicalBytes
    }
  }

  /// The names of all that one of `issuers` stands behind, itself included.
  package static func names(below issuers: Set<[UInt8]>, in links: [ChainLink]) -> Set<[UInt8]> {
    var names = issuers
    for _ in 1..<chainCountMax {
      let found = links.filter { names.contains($0.issuer) }.map(\.subject)
      let count = names.count
      names.formUnion(found)
      if names.count == count { break }
    }
    return names
  }
}
