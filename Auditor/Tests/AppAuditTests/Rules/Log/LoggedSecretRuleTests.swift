import Testing

@testable import AppAudit

@Suite("Rule log.secret")
struct LoggedSecretRuleTests {
  @Test("secrets in each log function are found")
  func logged() throws {
    try expectMarkedFindings(
      LoggedSecretRule(),
      [
        "App/G.swift": #"""
        import os
        let logger = Logger()
        func log(_ password: String, _ session: Session) {
          print(password) // expect: log.secret
          print("signed in", "\(session.accessToken)") // expect: log.secret
          NSLog("pw=%@", password) // expect: log.secret
          os_log("%{public}@", password) // expect: log.secret
          logger.info("token \(session.authToken, privacy: .public)") // expect: log.secret
          logger.debug("token \(session.authToken)") // expect: log.secret
          debugPrint("key: " + apiKey) // expect: log.secret
        }
        """#,
        "App/G.m": """
        void log(NSString *password) {
          NSLog(@"pw=%@", password); // expect: log.secret
        }
        """,
      ])
  }

  @Test("the word alone, private values, counts, tokens of a language and debug code are silent")
  func quiet() throws {
    try expectMarkedFindings(
      LoggedSecretRule(),
      [
        "App/G.swift": #"""
        import os
        let logger = Logger()
        func log(_ password: String, _ token: String) {
          print("password changed")
          print(password.count, token.isEmpty)
          logger.info("token refreshed \(token, privacy: .private)")
          logger.info("token \(token, privacy: .private(mask: .hash))")
          os_log("%{private}@", token)
          print("has token: \(token != nil)")
          print(tokenCount, passwordError, deviceToken)
          print("join \(room.token) again", call.token)
          #if DEBUG
          print(password)
          #endif
        }
        """#,
        "App/Push.swift": """
        func didRegisterForRemoteNotifications(withDeviceToken data: Data) {
          let token = data.map { String(format: "%02x", $0) }.joined()
          print(token)
        }
        func messaging(_ messaging: Messaging, didReceiveRegistrationToken new: String?) {
          messaging.token { token, _ in print("Token: \\(token)") }
        }
        func connect() {
          let token = InstanceID.instanceID().token()!
          print("Token: \\(token)")
          self.myToken = Messaging.messaging().fcmToken!
          print("Token: \\(myToken)")
          messaging.token { token, _ in print(token) }
        }
        """,
        "App/Lexer.swift": """
        struct Lexer { func next() { print("unexpected", token) } }
        """,
        "App/Rooms.swift": #"""
        func join(_ token: String, _ room: Room) { print("join \(token)", room.token) }
        """#,
        "App/Own.swift": """
        func print(_ text: String) {}
        func log(_ password: String) { print(password) }
        """,
        "App/G.m": """
        void log(NSString *password) {
          NSLog(@"password changed");
          NSLog(@"%lu", (unsigned long)password.length);
          NSLog(@"%@", self.room.token);
          // NSLog(@"%@", password);
        }
        """,
      ])
  }
}
