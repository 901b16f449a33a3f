import Testing

@testable import AppAudit

@Suite("Xcode projects")
struct XcodeProjectReaderTests {
  /// An app with a file of its own, a folder that Xcode keeps in step, an extension and a test target.
  static let project = """
    // !$*UTF8*$!
    { objects = {
      P = { isa = PBXProject; buildConfigurationList = PL; mainGroup = G; targets = (A, E, T, M); };
      PL = { buildConfigurations = (PD, PR); };
      PD = { name = Debug; buildSettings = { SDKROOT = iphoneos; SWIFT_ACTIVE_COMPILATION_CONDITIONS = DEBUG; }; };
      PR = { name = Release; baseConfigurationReference = XC; buildSettings = { SDKROOT = iphoneos; }; };
      G = { isa = PBXGroup; children = (F1, S, PR1, XC); sourceTree = "<group>"; };
      F1 = { isa = PBXFileReference; path = "App/Main.swift"; sourceTree = "<group>"; };
      PR1 = { isa = PBXFileReference; path = PrivacyInfo.xcprivacy; sourceTree = SOURCE_ROOT; };
      XC = { isa = PBXFileReference; path = Config/Release.xcconfig; sourceTree = "<group>"; };
      S = { isa = PBXFileSystemSynchronizedRootGroup; path = Widget; exceptions = (X, Y); sourceTree = "<group>"; };
      X = { isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = E; membershipExceptions = (Info.plist, Left.swift); };
      Y = { isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = A; membershipExceptions = (Shared.swift); };
      A = { isa = PBXNativeTarget; name = App; productType = "com.apple.product-type.application"; buildPhases = (BS, BR);
            buildConfigurationList = AL; packageProductDependencies = (K); };
      K = { productName = Kit; };
      AL = { buildConfigurations = (AR); };
      AR = { name = Release; buildSettings = { GENERATE_INFOPLIST_FILE = YES; INFOPLIST_KEY_NSCameraUsageDescription = "$(WHY) of $(PRODUCT_NAME)"; }; };
      BS = { isa = PBXSourcesBuildPhase; files = (B1); };
      BR = { isa = PBXResourcesBuildPhase; files = (B2); };
      B1 = { fileRef = F1; };
      B2 = { fileRef = PR1; };
      E = { isa = PBXNativeTarget; name = Widget; productType = "com.apple.product-type.app-extension";
            fileSystemSynchronizedGroups = (S); buildConfigurationList = EL; };
      EL = { buildConfigurations = (ER); };
      ER = { name = Release; buildSettings = { INFOPLIST_FILE = "$(SRCROOT)/Widget/Info.plist"; }; };
      T = { isa = PBXNativeTarget; name = AppTests; productType = "com.apple.product-type.bundle.unit-test"; };
      M = { isa = PBXNativeTarget; name = Mac; productType = "com.apple.product-type.application"; buildConfigurationList = ML; };
      ML = { buildConfigurations = (MR); };
      MR = { name = Release; buildSettings = { SDKROOT = macosx; }; };
    }; rootObject = P; }
    """

  static let files = [
    "App.xcodeproj/project.pbxproj": project,
    "App/Main.swift": "let a = 1\n",
    "App/NotAMember.swift": "import Foundation\nlet u = UserDefaults.standard\n",
    "PrivacyInfo.xcprivacy": "<plist><dict/></plist>",
    "Config/Release.xcconfig":
      "#include \"Base.xcconfig\"\nSWIFT_ACTIVE_COMPILATION_CONDITIONS = $(inherited) STORE // shop\n",
    "Config/Base.xcconfig":
      "SWIFT_ACTIVE_COMPILATION_CONDITIONS = BASE\nWHY = For pictures\nWHY[sdk=iphonesimulator*] = no\n",
    "Widget/W.swift": "let w = 1\n",
    "Widget/Left.swift": "let l = 1\n",
    "Widget/Shared.swift": "let s = 1\n",
    "Widget/Info.plist": "<plist><dict><key>CFBundleName</key><string>$(TARGET_NAME)</string></dict></plist>",
  ]

  @Test("targets have the members, settings and links of their Release configuration")
  func targets() throws {
    let folder = try SampleFolder(Self.files)
    let project = ProjectReader.read(folder.path)
    #expect(project.targets.map(\.name) == ["App", "Widget"])
    let app = try #require(project.targets.first)
    #expect(app.kind == .app)
    #expect(app.sources.map(\.path) == ["App/Main.swift", "Widget/Shared.swift"])
    #expect(app.manifests.map(\.path) == ["PrivacyInfo.xcprivacy"])
    #expect(app.dependencies == ["Kit"])
    #expect(app.conditions == ["BASE", "STORE"])
    #expect(app.infoPlist?["NSCameraUsageDescription"]?.node.string == "For pictures of App")
    let widget = try #require(project.targets.last)
    #expect(widget.kind == .appExtension)
    #expect(widget.sources.map(\.path) == ["Widget/Shared.swift", "Widget/W.swift"])
    #expect(widget.infoPlist?["CFBundleName"]?.node.string == "Widget")
    #expect(project.notes.map(\.message) == ["Mac is not built for iOS: left out"])
  }

  @Test("an Info.plist that is preprocessed is read without its directives and what they leave out")
  func preprocessed() throws {
    var files = Self.files
    files["App.xcodeproj/project.pbxproj"] = Self.project.replacing(
      "Widget/Info.plist\";", with: "Widget/Info.plist\"; INFOPLIST_PREPROCESS = YES;")
    files["Widget/Info.plist"] = """
      <plist><dict>
      #ifndef PLAIN
      <key>A</key><true/>
      #endif
      #if DEBUG
      <key>B</key><true/>
      #endif
      <key>C</key><string>#1</string>
      </dict></plist>
      """
    let folder = try SampleFolder(files)
    let project = withExtendedLifetime(folder) { ProjectReader.read(folder.path) }
    let plist = try #require(project.targets.last?.infoPlist)
    #expect(plist.entries.map(\.key) == ["A", "C"])
    #expect(plist["C"]?.place.line == 8)
  }

  @Test("a file that is no member of a target is not judged")
  func members() throws {
    #expect(try SampleFolder(Self.files).audit([RequiredReasonRule()]).findings.isEmpty)
  }

  @Test("a project file cut off anywhere is noted, and the folder is audited all the same")
  func damage() throws {
    for count in stride(from: 0, to: Self.project.utf8.count, by: 97) {
      var files = Self.files
      files["App.xcodeproj/project.pbxproj"] = String(Self.project.prefix(count))
      let result = try SampleFolder(files).audit([RequiredReasonRule()])
      #expect(!result.notes.isEmpty)
      #expect(result.findings.count == 1, "the folder is one target then, and App/NotAMember.swift is in it")
    }
  }

  @Test("project.yml of XcodeGen gives targets, members without the excluded, and the Info.plist that it writes")
  func xcodeGen() throws {
    let folder = try SampleFolder([
      "project.yml": """
      name: Made
      settings: { base: { WHY: "for pictures" } }
      targets:
        App:
          type: application
          platform: iOS
          sources:
            - path: App
              excludes: ["**/*.md", Old]
          info:
            path: App/Info.plist
            properties:
              NSCameraUsageDescription: $(WHY)
          dependencies: [{ target: Core }, { package: Lot, product: Part }]
        AppTests: { type: bundle.unit-test, platform: iOS, sources: [Tests] }
        Core: { type: framework, platform: iOS, sources: [Core] }
      """,
      "App/A.swift": "let a = 1\n", "App/Old/B.swift": "let b = 1\n", "Core/C.swift": "let c = 1\n",
    ])
    let project = ProjectReader.read(folder.path)
    #expect(project.targets.map(\.name) == ["App", "Core"])
    #expect(project.targets.first?.sources.map(\.path) == ["App/A.swift"])
    #expect(project.targets.first?.dependencies == ["Core", "Part"])
    #expect(project.targets.first?.infoPlist?["NSCameraUsageDescription"]?.node.string == "for pictures")
  }

  @Test("a package's targets are read from what its manifest says, products too")
  func package() throws {
    let folder = try SampleFolder([
      "Package.swift": """
      import PackageDescription
      let package = Package(name: "P", products: [.library(name: "Kit", targets: ["A"])], dependencies: [.package(url: "x", from: "1.0.0")],
        targets: [.target(name: "A", dependencies: ["B", .product(name: "Q", package: "x")], exclude: ["Skip"]),
        .target(name: "B", path: "Other"), .testTarget(name: "ATests", dependencies: ["A"])])
      """,
      "Sources/A/A.swift": "", "Sources/A/Skip/S.swift": "", "Other/B.swift": "", "Tests/ATests/T.swift": "",
    ])
    let project = ProjectReader.read(folder.path)
    #expect(project.targets.filter { $0.kind == .package }.map(\.name) == ["A", "B"])
    #expect(project.targets.first?.sources.map(\.path) == ["Sources/A/A.swift"])
    #expect(project.targets.first?.dependencies == ["B", "Q"])
    #expect(project.products["Kit"] == ["A"])
  }
}
