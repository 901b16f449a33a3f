import Testing

@testable import AppAudit

@Suite("Rule trust.not-evaluated")
struct TrustAllRuleTests {
  @Test("a credential of a trust that nobody evaluates is found")
  func all() throws {
    try expectMarkedFindings(
      TrustAllRule(),
      [
        "App/T.swift": """
        import Foundation
        func urlSession(
          _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
          completionHandler: (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
          guard let trust = challenge.protectionSpace.serverTrust else { return completionHandler(.cancelAuthenticationChallenge, nil) }
          completionHandler(.useCredential, URLCredential(trust: trust)) // expect: trust.not-evaluated
        }
        func noted(_ trust: SecTrust, _ certificate: SecCertificate) -> URLCredential? {
          seen.append(SecCertificateCopyData(certificate) as Data)
          return method == NSURLAuthenticationMethodServerTrust && host == "a" ? URLCredential(trust: trust) : nil // expect: trust.not-evaluated
        }
        func any(_ trust: SecTrust, _ chain: [SecCertificate]) -> URLCredential? {
          for certificate in chain where known == SecCertificateCopyData(certificate) as Data {
            return URLCredential(trust: trust) // expect: trust.not-evaluated
          }
          return nil
        }
        func map(_ trust: SecTrust?) -> URLCredential? {
          trust.map(URLCredential.init(trust:)) // expect: trust.not-evaluated
        }
        let evaluators = ["example.com": DisabledTrustEvaluator()] // expect: trust.not-evaluated
        func configure(_ policy: AFSecurityPolicy) {
          policy.allowInvalidCertificates = true // expect: trust.not-evaluated
        }
        """,
        "App/T.m": """
        - (void)URLSession:(NSURLSession *)session didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge {
          id made = [NSURLCredential credentialForTrust:challenge.protectionSpace.serverTrust]; // expect: trust.not-evaluated
        }
        - (void)configure {
          self.policy.validatesDomainName = NO; // expect: trust.not-evaluated
        }
        """,
      ])
  }

  @Test("a trust that is evaluated, here or in a function of the file, and the default are silent")
  func evaluated() throws {
    try expectMarkedFindings(
      TrustAllRule(),
      [
        "App/T.swift": """
        import Foundation
        func one(_ trust: SecTrust) -> URLCredential? {
          guard SecTrustEvaluateWithError(trust, nil) else { return nil }
          return URLCredential(trust: trust)
        }
        func two(_ trust: SecTrust) -> URLCredential? { isGood(trust) ? URLCredential(trust: trust) : nil }
        func isGood(_ trust: SecTrust) -> Bool { SecTrustEvaluateWithError(trust, nil) }
        func three(_ trust: SecTrust) -> URLCredential? { pins.validate(trust) ? URLCredential(trust: trust) : nil }
        func pinned(_ trust: SecTrust, _ certificate: SecCertificate) -> URLCredential? {
          let data = SecCertificateCopyData(certificate) as Data
          if certificates.contains(data) { return URLCredential(trust: trust) }
          return nil
        }
        func pinnedKey(_ trust: SecTrust) -> URLCredential? {
          guard let key = SecTrustCopyKey(trust), hash(key) == known else { return nil }
          return URLCredential(trust: trust)
        }
        func four() { completionHandler(.performDefaultHandling, nil) }
        func five() -> URLCredential { URLCredential(user: "a", password: "b", persistence: .none) }
        // URLCredential(trust: trust)
        #if DEBUG
        func six(_ trust: SecTrust) -> URLCredential { URLCredential(trust: trust) }
        #endif
        """,
        "App/T.m": """
        - (void)URLSession:(NSURLSession *)session didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge {
          if (!SecTrustEvaluateWithError(trust, NULL)) { return; }
          id made = [NSURLCredential credentialForTrust:trust];
        }
        - (void)handle:(NSURLAuthenticationChallenge *)challenge {
          if ([self.certificates checkTrustedChallenge:challenge]) { made = [NSURLCredential credentialForTrust:trust]; }
        }
        - (void)configure { self.policy.validatesDomainName = YES; }
        """,
      ])
  }
}
