package import ThumbturnKeychain

/// Which access groups a program has, by what is known of it (VAULT.md §8).
package protocol GroupPolicy: Sendable {
  /// The caller that a client claims to be, with the groups that it really has.
  func caller(_ claimed: Caller, from peer: AgentPeer) -> Caller
  /// Those of `groups` that the client may know of.
  func visible(_ groups: [String], to peer: AgentPeer) -> [String]
}

/// What the kernel proves of a process, by the cgroup that systemd put it into.
///
/// A program that is in no sandbox can have itself put into another's, by the same user's systemd: between such programs this
/// keeps apart who plays by the rules, and no more.
package enum ProgramIdentity: Hashable, Sendable {
  /// An application's scope or service; Flatpak and Snap are such too.
  case app(String)
  /// Another unit of systemd.
  case unit(String)
  /// A program of the user's like any other.
  case plain
}

extension ProgramIdentity {
  /// Reads the text of `/proc/PID/cgroup`.
  ///
  /// Application units have the form `app[-LAUNCHER]-ID-RANDOM.scope` or `app[-LAUNCHER]-ID[@RANDOM].service`, as the XDG
  /// desktop environments name them; Snap's are `snap.NAME.APP-UUID.scope`. A `-` within a part is written `\x2d`.
  package init(cgroup text: String) {
    self = .plain
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else { return }
    guard let name = line.split(separator: "/").last else { return }
    if name.hasPrefix("snap."), name.hasSuffix(".scope") {
      let parts = name.split(separator: ".")
      if parts.count >= 4, let app = Self.unescaped(parts[1]) { self = .app("snap.\(app)") }
      return
    }
    if name.hasPrefix("app-") {
      if let app = Self.app(in: name).flatMap(Self.unescaped) { self = .app(app) }
      return
    }
    // The user's own manager, and what it starts a terminal's shells in, are nobody's.
    guard name.hasSuffix(".service"), !name.hasPrefix("user@"), let unit = Self.unescaped(name) else { return }
    self = .unit(unit)
  }

  private static func app(in name: Substring) -> Substring? {
    if name.hasSuffix(".scope") {
      let parts = name.dropLast(6).split(separator: "-", omittingEmptySubsequences: false)
      return parts.count == 3 ? parts[1] : parts.count == 4 ? parts[2] : nil
    }
    guard name.hasSuffix(".service") else { return nil }
    let stem = name.dropLast(8).split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)[0]
    let parts = stem.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 2 ? parts[1] : parts.count == 3 ? parts[2] : nil
  }

  /// The text without systemd's escapes; nil when it is none.
  private static func unescaped(_ text: Substring) -> String? {
    var out: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        out.append(byte)
        continue
      }
      guard rest.popFirst() == UInt8(ascii: "x"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else { return nil }
      rest = rest.dropFirst(2)
      out.append(value)
    }
    let name = String(validating: out, as: UTF8.self)
    return name?.isEmpty == true ? nil : name
  }
}
