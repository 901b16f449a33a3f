// swift-format-ignore-file
import CryptoKit
import Foundation
import SQLite3
import WebKit
import os

enum Service {
  static let log = Logger()
// wrong: ats.http-literal
  static let address = URL(string: "http://notes.thumbturn.org/api")
// right
  static let address = URL(string: "https://notes.thumbturn.org/api")
// end
// wrong: secret.provider-key
  static let storage = "AKIA7QWXN2LPZ4RTMVKD"
// right
  static let storage = "notes"
// end
// wrong: secret.hard-coded
  static let clientSecret = "Zk8vQ2pLx9TnR4wYb7Hs"
// right
  static let clientSecret = ProcessInfo.processInfo.environment["CLIENT_SECRET"]
// end
// wrong: secret.encryption-key
  static let key = SymmetricKey(data: Data("0123456789abcdef".utf8))
// right
  static let key = SymmetricKey(size: .bits256)
// end

  static func signIn(_ authToken: String) {
// wrong: log.secret
    print("signed in with \(authToken)")
// right
    log.info("signed in with \(authToken, privacy: .private)")
// end
  }

  static func digest(_ password: String, _ salt: Data) -> SHA256Digest {
// wrong: hash.password
    SHA256.hash(data: Data(password.utf8))
// right
    SHA256.hash(data: Data(password.utf8) + salt)
// end
  }

  static func find(_ title: String, in database: OpaquePointer) -> Int32 {
// wrong: injection.sql
    sqlite3_exec(database, "SELECT * FROM notes WHERE title = '\(title)'", nil, nil, nil)
// right
    var statement: OpaquePointer?
    return sqlite3_prepare_v2(database, "SELECT * FROM notes WHERE title = ?", -1, &statement, nil)
// end
  }

  static func show(_ title: String, in web: WKWebView) {
// wrong: injection.javascript
    web.evaluateJavaScript("show('\(title)')")
// right
    web.callAsyncJavaScript("show(title)", arguments: ["title": title], in: nil, in: .page)
// end
  }
}

final class Connection: NSObject, URLSessionDelegate {
  func configuration() -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
// wrong: trust.old-tls
    configuration.tlsMinimumSupportedProtocolVersion = .TLSv11
// right
    configuration.tlsMinimumSupportedProtocolVersion = .TLSv13
// end
    return configuration
  }

  func answer(_ trust: SecTrust) -> URLCredential? {
// wrong: trust.not-evaluated
    URLCredential(trust: trust)
// right
    SecTrustEvaluateWithError(trust, nil) ? URLCredential(trust: trust) : nil
// end
  }

  func check(_ trust: SecTrust) -> Bool {
// wrong: trust.result-ignored
    SecTrustEvaluateWithError(trust, nil)
    return true
// right
    return SecTrustEvaluateWithError(trust, nil)
// end
  }
}
