/// App Transport Security that is switched off, weakened or written so that it has no effect.
struct TransportSecurityRule: Rule {
  let about = RuleDescription(
    id: "ats.dictionary",
    kind: .ats,
    title: "App Transport Security is weakened, or its dictionary has no effect as written",
    why: """
      iOS refuses connections without TLS 1.2. An exception must be justified at review, and a key that is spelt wrong \
      changes nothing. TLSv1.2 as the lowest version is what holds anyway, and no finding; nor is local networking.
      """,
    fix: "Remove the exception, or give it to the one domain that needs it.")

  struct Content: Decodable, Sendable {
    struct Renamed: Decodable, Sendable {
      var name: String
      var right: String
    }
    var keys: [String]
    var exceptionKeys: [String]
    var pinKeys: [String]
    var tlsVersions: [String]
    var withoutEffect: [Renamed]
  }
  private let facts = Facts.load("transport-security", as: Content.self)

  func findings(in target: AuditedTarget) -> [Finding] {
    guard let entry = target.target.infoPlist?["NSAppTransportSecurity"] else { return [] }
    var check = Check(rule: self, facts: facts, path: entry.place.path, target: target)
    guard entry.node.value.isDictionary else {
      check.add(.error, entry.place.line, "NSAppTransportSecurity is \(entry.node.typeName), and must be a dictionary")
      return check.findings
    }
    check.top(entry.node)
    check.exceptions(entry.node)
    check.pins(entry.node)
    return check.findings
  }

  private struct Check {
    let rule: TransportSecurityRule
    let facts: Content
    let path: String
    let target: AuditedTarget
    var findings: [Finding] = []

    mutating func add(_ severity: Severity, _ line: Int, _ message: String, fix: String? = nil) {
      findings.append(rule.finding(severity, at: Place(path: path, line: line), in: target, message, fix: fix))
    }

    mutating func unknown(_ node: PropertyNode, _ known: [String]) {
      for entry in node.entries where !known.contains(entry.key) {
        let renamed = facts.withoutEffect.first { $0.name == entry.key }?.right
        let right = renamed ?? Spelling.closest(to: entry.key, among: known)
        // The names of before the key was final: the documentation says nothing of them any more.
        let isOld = renamed != nil && entry.key.hasPrefix("NSTemporary")
        add(
          isOld ? .note : .warning, entry.line,
          isOld
            ? "\(entry.key) is an old name that is documented no longer"
            : "\(entry.key) is no key of App Transport Security, and has no effect",
          fix: right.map { "Write \($0), or remove it." } ?? "Remove it.")
      }
    }

    mutating func boolean(_ entry: PropertyEntry) -> Bool {
      if entry.node.boolean == nil {
        add(.error, entry.line, "\(entry.key) is \(entry.node.typeName), and must be a boolean")
      }
      return entry.node.boolean == true
    }

    mutating func top(_ node: PropertyNode) {
      unknown(node, facts.keys)
      let narrower = [
        "NSAllowsArbitraryLoadsInWebContent", "NSAllowsArbitraryLoadsForMedia", "NSAllowsLocalNetworking",
      ]
      for entry in node.entries where facts.keys.contains(entry.key) && entry.key.hasPrefix("NSAllows") {
        guard boolean(entry) else { continue }
        switch entry.key {
        case "NSAllowsArbitraryLoads":
          if let other = narrower.first(where: { node[$0] != nil }) {
            add(.note, entry.line, "NSAllowsArbitraryLoads is ignored because \(other) is there", fix: "Remove it.")
          } else {
            add(.error, entry.line, "NSAllowsArbitraryLoads switches App Transport Security off for every domain")
          }
        case "NSAllowsLocalNetworking": break
        default: add(.warning, entry.line, "\(entry.key) switches App Transport Security off for what it names")
        }
      }
    }

    mutating func exceptions(_ node: PropertyNode) {
      for domain in node["NSExceptionDomains"]?.entries ?? [] {
        host(domain)
        unknown(domain.node, facts.exceptionKeys)
        let isLocal = Self.isLocal(domain.key)
        for entry in domain.node.entries {
          switch entry.key {
          case "NSExceptionAllowsInsecureHTTPLoads" where boolean(entry):
            add(
              isLocal ? .note : .error, entry.line,
              "connections to \(domain.key) may go without TLS",
              fix: "Serve \(domain.key) over HTTPS and remove the exception.")
          case "NSExceptionRequiresForwardSecrecy" where entry.node.boolean == false:
            add(.warning, entry.line, "\(domain.key) is let in without forward secrecy")
          case "NSExceptionMinimumTLSVersion": version(entry, domain.key)
          case "NSRequiresCertificateTransparency":
            add(.note, entry.line, "\(entry.key) is not read any more", fix: "Remove it.")
          default: break
          }
        }
        if domain.node["NSExceptionAllowsInsecureHTTPLoads"]?.boolean == true,
          node["NSPinnedDomains"]?[domain.key] != nil
        {
          add(.error, domain.line, "\(domain.key) is pinned, and at the same time may go without TLS")
        }
      }
    }

    static func isLocal(_ host: String) -> Bool {
      host == "localhost" || host.hasSuffix(".local") || host.hasPrefix("127.") || host.hasPrefix("192.168.")
        || host.hasPrefix("10.") || !host.contains(".")
    }

    mutating func version(_ entry: PropertyEntry, _ domain: String) {
      let version = entry.node.string ?? ""
      if !facts.tlsVersions.contains(version) {
        add(.error, entry.line, "\"\(version)\" is no version of TLS", fix: "Write TLSv1.2 or TLSv1.3.")
      } else if version == "TLSv1.0" || version == "TLSv1.1" {
        add(.error, entry.line, "\(domain) is let in with \(version)", fix: "Write TLSv1.2, or remove the key.")
      } else if version == "TLSv1.2" {
        add(.note, entry.line, "TLSv1.2 is what holds without the key", fix: "Remove it.")
      }
    }

    mutating func host(_ domain: PropertyEntry) {
      let name = domain.key
      if name.contains("://") || name.contains("*") || name.hasSuffix(".")
        || (name.contains(":") && !name.contains("::"))
      {
        add(
          .warning, domain.line, "\"\(name)\" is no domain: the exception has no effect",
          fix: "Write the host name alone; NSIncludesSubdomains adds those below it.")
      } else if name != name.lowercased() {
        add(
          .warning, domain.line, "\"\(name)\" is not in small letters: the exception may have no effect",
          fix: "Write \(name.lowercased()).")
      }
    }

    mutating func pins(_ node: PropertyNode) {
      for domain in node["NSPinnedDomains"]?.entries ?? [] {
        host(domain)
        unknown(domain.node, facts.pinKeys)
        let sets = ["NSPinnedCAIdentities", "NSPinnedLeafIdentities"].compactMap { domain.node.entry($0) }
        let pins = sets.flatMap(\.node.items)
        if pins.isEmpty {
          add(
            .error, domain.line, "\(domain.key) is pinned to nothing",
            fix: "Add NSPinnedCAIdentities or NSPinnedLeafIdentities with at least one entry.")
        }
        for pin in pins {
          let digest = pin["SPKI-SHA256-BASE64"]
          if (digest?.string).flatMap(Base64.decode)?.count != 32 {
            add(
              .error, digest?.line ?? pin.line, "a pin of \(domain.key) is no SHA-256 digest in base64",
              fix: "Write the base64 of the 32 bytes of the key's SHA-256.")
          }
        }
        if pins.count == 1 {
          add(
            .note, domain.line, "\(domain.key) has one pin: when its key changes, the app cannot connect",
            fix: "Add the pin of a key that you hold in reserve.")
        }
      }
    }
  }
}
