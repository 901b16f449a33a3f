import Testing

@testable import AppAudit

@Suite("Rule trust.old-tls")
struct OldTLSRuleTests {
  @Test("TLS 1.0 and 1.1 are found")
  func old() throws {
    try expectMarkedFindings(
      OldTLSRule(),
      [
        "App/T.swift": """
        import Foundation
        configuration.tlsMinimumSupportedProtocolVersion = .TLSv10 // expect: trust.old-tls
        configuration.tlsMinimumSupportedProtocol = .tlsProtocol11 // expect: trust.old-tls
        sec_protocol_options_set_min_tls_protocol_version(options, .TLSv11) // expect: trust.old-tls
        """,
        "App/T.m": """
        void configure(void) {
          configuration.TLSMinimumSupportedProtocolVersion = tls_protocol_version_TLSv10; // expect: trust.old-tls
        }
        """,
      ])
  }

  @Test("TLS 1.2 and later, and names in other places, are silent")
  func new() throws {
    try expectMarkedFindings(
      OldTLSRule(),
      [
        "App/T.swift": """
        import Foundation
        configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
        if version == .TLSv10 { warn() }
        // configuration.tlsMinimumSupportedProtocolVersion = .TLSv10
        """,
        "App/T.m": """
        void configure(void) { configuration.TLSMinimumSupportedProtocolVersion = tls_protocol_version_TLSv12; }
        """,
      ])
  }
}
