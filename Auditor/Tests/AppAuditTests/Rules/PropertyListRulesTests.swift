import Testing

@testable import AppAudit

@Suite("Rules of manifests, usage texts and transport security")
struct PropertyListRulesTests {
  private func plist(_ content: String) -> String { "<plist version=\"1.0\"><dict>\n\(content)\n</dict></plist>\n" }

  @Test("a manifest's form: unknown keys, wrong types, what is missing and what is said twice")
  func schema() throws {
    try expectMarkedFindings(
      ManifestSchemaRule(),
      [
        "App/PrivacyInfo.xcprivacy": plist(
          """
          <key>NSPrivacyTracking</key><string>no</string> <!-- expect: manifest.schema -->
          <key>NSPrivacyTrackingDomain</key><array/> <!-- expect: manifest.schema -->
          <key>NSPrivacyCollectedDataTypes</key><array>
          <dict/> <!-- expect: manifest.schema -->
          </array>
          <key>NSPrivacyAccessedAPITypes</key><array><dict>
          <key>NSPrivacyAccessedAPIType</key><string></string> <!-- expect: manifest.schema -->
          <key>NSPrivacyAccessedAPITypeReasons</key><array/> <!-- expect: manifest.schema -->
          </dict></array>
          """)
      ])
    try expectMarkedFindings(
      ManifestSchemaRule(),
      [
        "App/PrivacyInfo.xcprivacy": plist(
          """
          <key>NSPrivacyTracking</key><false/>
          <key>NSPrivacyCollectedDataTypes</key><array/>
          <key>NSPrivacyAccessedAPITypes</key><array><dict>
          <key>NSPrivacyAccessedAPIType</key><string>NSPrivacyAccessedAPICategoryDiskSpace</string>
          <key>NSPrivacyAccessedAPITypeReasons</key><array><string>E174.1</string></array>
          </dict></array>
          """)
      ])
  }

  @Test("each reason fits its one category: of 85 pairs 17 are silent in an SDK, and 2 fewer in an app")
  func reasons() throws {
    let facts = RequiredReasonFacts.shared
    func silent(_ kind: Target.Kind) throws -> Int {
      var count = 0
      for category in facts.categories {
        for reason in facts.reasons {
          let root = try PropertyList.read(
            Array(
              plist(
                "<key>NSPrivacyAccessedAPITypes</key><array><dict><key>NSPrivacyAccessedAPIType</key><string>\(category.id)</string><key>NSPrivacyAccessedAPITypeReasons</key><array><string>\(reason.code)</string></array></dict></array>"
              ).utf8))
          var target = Target(name: "T", kind: kind)
          target.manifests = [PrivacyManifest(path: "PrivacyInfo.xcprivacy", root: root)]
          let found = ManifestReasonRule().findings(
            in: AuditedTarget(target: target, project: Project(root: "/", targets: [target]), observations: [:]))
          if !found.contains(where: { $0.severity == .error }) { count += 1 }
        }
      }
      return count
    }
    #expect(try silent(.package) == 17)
    #expect(try silent(.app) == 15)
  }

  @Test("data types and purposes are those of Apple's list, in its spelling")
  func collected() throws {
    try expectMarkedFindings(
      ManifestCollectedDataRule(),
      [
        "App/PrivacyInfo.xcprivacy": plist(
          """
          <key>NSPrivacyCollectedDataTypes</key><array><dict>
          <key>NSPrivacyCollectedDataType</key>
          <string>NSPrivacyCollectedDataTypePhotosOrVideos</string> <!-- expect: manifest.collected-data -->
          <key>NSPrivacyCollectedDataTypePurposes</key><array>
          <string>App functionality</string> <!-- expect: manifest.collected-data -->
          <string>NSPrivacyCollectedDataTypePurposeOther</string>
          </array></dict></array>
          """)
      ])
  }

  @Test("tracking names domains, domains need tracking, and a domain is a host name")
  func tracking() throws {
    func manifest(_ flag: String, _ domains: String) -> [String: String] {
      [
        "App/PrivacyInfo.xcprivacy": plist(
          "<key>NSPrivacyTracking</key><\(flag)/>\n<key>NSPrivacyTrackingDomains</key><array>\(domains)</array>")
      ]
    }
    func count(_ flag: String, _ domains: String) throws -> Int {
      try SampleFolder(manifest(flag, domains)).audit([ManifestTrackingRule()]).findings.count
    }
    #expect(try count("true", "<string>ads.example.com</string>") == 0)
    #expect(try count("false", "") == 0)
    #expect(try count("true", "") == 1)
    #expect(try count("false", "<string>ads.example.com</string>") == 1)
    for wrong in ["https://a.b", "a.b/c", "a.b:443", "a.b/", "a", "", "*.a.b"] {
      #expect(try count("true", "<string>\(wrong)</string>") == 1, "\(wrong)")
    }
  }

  @Test("a usage text is missing where the API is used, and not where a picker or a question of state is")
  func usage() throws {
    try expectMarkedFindings(
      UsageMissingRule(),
      [
        "App/Info.plist": plist("<key>NSMicrophoneUsageDescription</key><string>For voice notes</string>"),
        "App/A.swift": """
        import AVFoundation
        AVAudioSession.sharedInstance().requestRecordPermission { _ in }
        AVCaptureDevice.requestAccess(for: .video) { _ in } // expect: usage-description.missing
        let state = AVCaptureDevice.authorizationStatus(for: .video)
        CLLocationManager().requestWhenInUseAuthorization() // expect: usage-description.missing
        let picker = PHPickerViewController(configuration: configuration)
        let central = CBCentralManager(delegate: nil, queue: nil) // expect: usage-description.missing
        let motion = CMMotionManager()
        """,
        "App/B.m": """
        void f(void) { [SFSpeechRecognizer requestAuthorization:^(int s) {}]; } // expect: usage-description.missing
        void g(void) { [UIImagePickerController new]; }
        """,
      ])
  }

  @Test("a usage text says something, under a key that exists")
  func text() throws {
    try expectMarkedFindings(
      UsageTextRule(),
      [
        "App/Info.plist": plist(
          """
          <key>NSCameraUsageDescription</key><string>  </string> <!-- expect: usage-description.text -->
          <key>NSMicrophoneUsageDescription</key><string>TODO</string> <!-- expect: usage-description.text -->
          <key>NSContactsUsageDescription</key><true/> <!-- expect: usage-description.text -->
          <key>NSTrackingUsageDescription</key><string>Ads</string> <!-- expect: usage-description.text -->
          <key>Privacy - Camera Usage Description</key><string>Scan</string> <!-- expect: usage-description.text -->
          <key>NFCReaderUsageDescription</key><string>Reads your ticket</string>
          """)
      ])
  }

  @Test("an old name of App Transport Security is a note that does not say what it does")
  func oldTransportKey() throws {
    let folder = try SampleFolder([
      "App/Info.plist": plist(
        """
        <key>NSAppTransportSecurity</key><dict><key>NSExceptionDomains</key><dict><key>a.example</key><dict>
        <key>NSTemporaryExceptionAllowsInsecureHTTPLoads</key><false/></dict></dict></dict>
        """),
      "App/A.swift": "",
    ])
    let findings = folder.audit([TransportSecurityRule()]).findings
    #expect(findings.map(\.severity) == [.note])
    #expect(findings.first?.message.contains("no effect") == false)
  }

  @Test("App Transport Security: what weakens it, and what has no effect as written")
  func transport() throws {
    try expectMarkedFindings(
      TransportSecurityRule(),
      [
        "App/Info.plist": plist(
          """
          <key>NSAppTransportSecurity</key><dict>
          <key>NSAllowsArbitraryLoads</key><true/> <!-- expect: ats.dictionary -->
          <key>NSExceptionDomains</key><dict>
          <key>a.example</key><dict>
          <key>NSExceptionAllowsInsecureHTTPLoads</key><true/> <!-- expect: ats.dictionary -->
          <key>NSExceptionMinimumTLSVersion</key><string>TLSv1.1</string> <!-- expect: ats.dictionary -->
          <key>NSExceptionRequiresForwardSecrecy</key><false/> <!-- expect: ats.dictionary -->
          <key>NSExceptionAllowInsecureHTTPLoads</key><true/> <!-- expect: ats.dictionary -->
          </dict>
          <key>localhost</key><dict><key>NSExceptionAllowsInsecureHTTPLoads</key><true/></dict>
          <key>https://b.example</key><dict/> <!-- expect: ats.dictionary -->
          <key>c.example</key><dict><key>NSExceptionMinimumTLSVersion</key><string>TLSv1.2</string></dict>
          </dict></dict>
          """)
      ])
    try expectMarkedFindings(
      TransportSecurityRule(),
      [
        "App/Info.plist": plist(
          """
          <key>NSAppTransportSecurity</key><dict><key>NSAllowsArbitraryLoads</key><true/><key>NSAllowsLocalNetworking</key><true/>
          <key>NSPinnedDomains</key><dict><key>a.example</key><dict><key>NSPinnedCAIdentities</key><array>
          <dict><key>SPKI-SHA256-BASE64</key><string>47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=</string></dict>
          </array></dict></dict></dict>
          """)
      ])
  }

  @Test("a listed SDK without a manifest is found as a pod and as a built framework; an import is no evidence")
  func sdk() throws {
    func names(_ files: [String: String]) throws -> [String] {
      try SampleFolder(files).audit([SDKManifestRule()]).findings.map(\.target)
    }
    #expect(try names(["App/A.swift": "import Alamofire\n", "Pods/Alamofire/A.swift": "let a = 1\n"]) == ["Alamofire"])
    #expect(
      try names([
        "App/A.swift": "import Alamofire\n", "Pods/Alamofire/A.swift": "",
        "Pods/Alamofire/PrivacyInfo.xcprivacy": plist(""),
      ]).isEmpty)
    #expect(try names(["App/A.swift": "import Alamofire\n", "Pods/PromiseKit/A.swift": "let a = 1\n"]).isEmpty)
    #expect(try names(["Payload/App.app/Frameworks/Lottie.framework/Info.plist": plist("")]) == ["Lottie"])
  }

  @Test("the facts hold what Apple lists: 5 categories, 17 codes, 35 data types, 6 purposes")
  func counted() {
    #expect(RequiredReasonFacts.shared.categories.count == 5)
    #expect(RequiredReasonFacts.shared.reasons.count == 17)
    #expect(ManifestFacts.shared.dataTypes.count == 35)
    #expect(ManifestFacts.shared.purposes.count == 6)
  }
}
