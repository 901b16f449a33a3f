// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Packagers on newer compilers set THUMBTURN_LENIENT: a warning that did not exist here must not stop their build.
let lenient = ProcessInfo.processInfo.environment["THUMBTURN_LENIENT"] != nil

/// Settings of every Swift target. Warnings are errors, so that `unsafe` cannot creep in unnoticed.
let strict: [SwiftSetting] =
  (lenient ? [] : [.treatAllWarnings(as: .error)]) + [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableExperimentalFeature("Lifetimes"),
    .enableExperimentalFeature("SafeInteropWrappers"),
  ]

let package = Package(
  name: "thumbturn",
  products: [
    .library(name: "Security", targets: ["Security"]),
    .library(name: "ThumbturnSecurity", targets: ["ThumbturnSecurity"]),
    .library(name: "LocalAuthentication", targets: ["LocalAuthentication"]),
    // For tests of those who use the two above; nothing here depends on it but tests.
    .library(name: "ThumbturnTestSupport", targets: ["ThumbturnTestSupport"]),
    .executable(name: "thumbturn", targets: ["ThumbturnTool"]),
    .executable(name: "thumbturnd", targets: ["ThumbturnDaemon"]),
    .executable(name: "thumbturn-tour", targets: ["ThumbturnTour"]),
    // The underscore says that it is no API: Benchmarks is a package of its own and reaches the engine through it.
    .library(
      name: "_ThumbturnEngine",
      targets: ["ThumbturnAgentClient", "ThumbturnCrypto", "ThumbturnKeychain", "ThumbturnVault"]),
  ],
  targets: [
    // C libraries of Debian: a module map and a shim header each. Exactly one Swift module imports each of them.
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CLibcrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),

    // Our own C, and the one-file Swift module that calls it: Span overloads crash the 6.3.1 compiler in larger modules.
    .target(name: "CThumbturn"),
    .target(name: "ThumbturnShims", dependencies: ["CThumbturn"], swiftSettings: strict),

    .target(
      name: "ThumbturnCrypto", dependencies: ["CLibcrypto", "CSodium", "ThumbturnShims"], swiftSettings: strict),
    .target(
      name: "ThumbturnVault", dependencies: ["CSQLite", "ThumbturnCrypto", "ThumbturnShims"], swiftSettings: strict),
    // Who is asked for a finger or a passcode, and what counts: state machines, no device.
    .target(
      name: "ThumbturnAuthentication", dependencies: ["ThumbturnCrypto", "ThumbturnShims"], swiftSettings: strict),
    .target(
      name: "ThumbturnKeychain", dependencies: ["ThumbturnAuthentication", "ThumbturnCrypto", "ThumbturnVault"],
      swiftSettings: strict),

    // Apple's names. `Security` is one line, so that a consumer can rename it with a module alias.
    .target(
      name: "ThumbturnSecurity",
      dependencies: [
        "ThumbturnAgentClient", "ThumbturnAuthentication", "ThumbturnCrypto", "ThumbturnKeychain", "ThumbturnVault",
      ],
      swiftSettings: strict),
    .target(name: "Security", dependencies: ["ThumbturnSecurity"], swiftSettings: strict),
    // It never depends on Security: a consumer that renames that one could then not build it.
    .target(
      name: "LocalAuthentication",
      dependencies: ["CLocalAuthentication", "ThumbturnAuthentication", "ThumbturnCrypto", "ThumbturnSecurity"],
      swiftSettings: strict),
    // Apple's open enums, which Swift cannot say.
    .target(name: "CLocalAuthentication"),

    // A keychain in memory, for tests. It does not depend on the face: who puts it behind the four functions says so.
    .target(
      name: "ThumbturnTestSupport",
      dependencies: ["ThumbturnAuthentication", "ThumbturnCrypto", "ThumbturnKeychain", "ThumbturnVault"],
      swiftSettings: strict),

    // The agent's protocol and its clients; no C library of its own, because every program that asks the agent links it.
    .target(
      name: "ThumbturnAgentClient",
      dependencies: [
        "ThumbturnAuthentication", "ThumbturnCrypto", "ThumbturnKeychain", "ThumbturnShims", "ThumbturnVault",
      ], swiftSettings: strict),
    // The agent as a library: what listens on the socket, over whatever service it is given.
    .target(
      name: "ThumbturnAgent",
      dependencies: [
        "ThumbturnAgentClient", "ThumbturnAuthentication", "ThumbturnCrypto", "ThumbturnKeychain", "ThumbturnShims",
        "ThumbturnVault",
      ],
      swiftSettings: strict),

    // What the machine has: buses, and the services on them. No library that a client links depends on it.
    .target(
      name: "ThumbturnDevice", dependencies: ["CSystemd", "ThumbturnAuthentication", "ThumbturnCrypto"],
      swiftSettings: strict),
    .executableTarget(
      name: "ThumbturnDaemon", dependencies: ["ThumbturnAgent", "ThumbturnCrypto", "ThumbturnDevice"],
      swiftSettings: strict),

    // The command line never depends on ThumbturnSecurity: Foundation proper would make it four times as large.
    .target(
      name: "ThumbturnCommand",
      dependencies: [
        "ThumbturnAgentClient", "ThumbturnAuthentication", "ThumbturnCrypto", "ThumbturnKeychain", "ThumbturnShims",
        "ThumbturnVault",
      ], swiftSettings: strict),
    .executableTarget(
      name: "ThumbturnTool",
      dependencies: ["ThumbturnAuthentication", "ThumbturnCommand", "ThumbturnCrypto", "ThumbturnDevice"],
      swiftSettings: strict),
    .executableTarget(name: "ThumbturnTour", dependencies: ["Security"], swiftSettings: strict),

    // ThumbturnTool and ThumbturnDaemon are dependencies so that the programs that the scripts run are built first.
    .testTarget(
      name: "ThumbturnCommandTests",
      dependencies: [
        "ThumbturnAuthentication", "ThumbturnCommand", "ThumbturnCrypto", "ThumbturnDaemon", "ThumbturnKeychain",
        "ThumbturnTool", "ThumbturnVault",
      ],
      resources: [.copy("Scripts")], swiftSettings: strict),
    // C, because a scan in Swift would leave copies of what it looks for.
    .target(name: "CMemoryScan", path: "Tests/CMemoryScan"),
    // C, because Swift has no fork and no terminals.
    .target(name: "CForks", path: "Tests/CForks"),
    .testTarget(
      name: "ThumbturnCryptoTests", dependencies: ["TestFixtures", "ThumbturnCrypto"], resources: [.copy("Vectors")],
      swiftSettings: strict),
    // What several test targets use; not a product.
    .target(
      name: "TestFixtures", dependencies: ["CForks", "CMemoryScan", "ThumbturnVault"], path: "Tests/TestFixtures",
      swiftSettings: strict),
    .testTarget(
      name: "ThumbturnAuthenticationTests", dependencies: ["ThumbturnAuthentication", "ThumbturnCrypto"],
      swiftSettings: strict),
    .testTarget(
      name: "ThumbturnVaultTests", dependencies: ["TestFixtures", "ThumbturnCrypto", "ThumbturnVault"],
      swiftSettings: strict),
    .testTarget(
      name: "ThumbturnKeychainTests",
      dependencies: [
        "TestFixtures", "ThumbturnAuthentication", "ThumbturnCrypto", "ThumbturnKeychain", "ThumbturnVault",
      ],
      resources: [.copy("Fixtures")], swiftSettings: strict),

    // Messages, clients without manners and servers for the tests of the agent; not a product.
    .target(
      name: "AgentFixtures",
      dependencies: [
        "TestFixtures", "ThumbturnAgent", "ThumbturnAgentClient", "ThumbturnAuthentication", "ThumbturnCrypto",
        "ThumbturnKeychain", "ThumbturnShims", "ThumbturnVault",
      ], path: "Tests/AgentFixtures", swiftSettings: strict),
    // The tests' own agent. What it is given, no release program can be told.
    .executableTarget(
      name: "TestAgent",
      dependencies: [
        "AgentFixtures", "TestFixtures", "ThumbturnAgent", "ThumbturnAgentClient", "ThumbturnAuthentication",
        "ThumbturnCrypto", "ThumbturnDevice", "ThumbturnTestSupport", "ThumbturnVault",
      ], path: "Tests/TestAgent", swiftSettings: strict),
    // Mutated messages against the decoders and a running agent; not a product. `make fuzz-frames` runs it.
    .executableTarget(
      name: "FrameFuzz",
      dependencies: [
        "AgentFixtures", "TestAgent", "TestFixtures", "ThumbturnAgentClient", "ThumbturnCrypto", "ThumbturnDaemon",
        "ThumbturnKeychain", "ThumbturnVault",
      ],
      path: "Tests/FrameFuzz", swiftSettings: strict),
    .testTarget(
      name: "ThumbturnAgentClientTests",
      dependencies: [
        "AgentFixtures", "ThumbturnAgentClient", "ThumbturnAuthentication", "ThumbturnCrypto", "ThumbturnKeychain",
        "ThumbturnVault",
      ],
      swiftSettings: strict),
    // ThumbturnDaemon is a dependency so that the program that is looked at is built first.
    .testTarget(
      name: "ThumbturnAgentTests",
      dependencies: [
        "AgentFixtures", "CTestHome", "TestAgent", "TestFixtures", "ThumbturnAgent", "ThumbturnAgentClient",
        "ThumbturnAuthentication", "ThumbturnCrypto", "ThumbturnDaemon", "ThumbturnKeychain", "ThumbturnTestSupport",
        "ThumbturnTool", "ThumbturnVault",
      ], swiftSettings: strict),

    // Flipped bits and cut ends of a vault's files; not a product. `make flips` runs it.
    .executableTarget(
      name: "Flips", dependencies: ["ThumbturnCrypto", "ThumbturnKeychain", "ThumbturnVault"], path: "Tests/Flips",
      swiftSettings: strict),
    // Kills, failing calls, power loss and contention, against the programs of the same build; scripts/faults runs it.
    .executableTarget(
      name: "Faults", dependencies: ["ThumbturnCrypto", "ThumbturnKeychain", "ThumbturnVault"], path: "Tests/Faults",
      swiftSettings: strict),

    // Cases of the specification, run through the four functions; not a product. `make conformance` runs any file of them.
    .target(
      name: "ConformanceCases",
      dependencies: [
        "AgentFixtures", "TestAgent", "ThumbturnAgentClient", "ThumbturnAuthentication", "ThumbturnCrypto",
        "ThumbturnKeychain", "ThumbturnSecurity", "ThumbturnTestSupport", "ThumbturnVault",
      ],
      path: "Tests/ConformanceCases", resources: [.copy("Services")], swiftSettings: strict),
    .executableTarget(
      name: "Conformance", dependencies: ["ConformanceCases", "TestFixtures"], path: "Tests/Conformance",
      swiftSettings: strict),
    .testTarget(
      name: "KeychainConformanceTests",
      dependencies: ["CTestHome", "Conformance", "ConformanceCases", "TestFixtures", "ThumbturnCrypto"],
      resources: [.copy("conformance-open.jsonl")], swiftSettings: strict),
    // Random calls against a model of the rules; not a product. `make model` runs it.
    .executableTarget(
      name: "Model",
      dependencies: [
        "TestFixtures", "ThumbturnKeychain", "ThumbturnSecurity", "ThumbturnTestSupport", "ThumbturnVault",
      ], path: "Tests/Model", swiftSettings: strict),
    .testTarget(
      name: "ThumbturnTestSupportTests",
      dependencies: [
        "CTestHome", "ThumbturnCrypto", "ThumbturnKeychain", "ThumbturnSecurity", "ThumbturnTestSupport",
        "ThumbturnTool",
        "ThumbturnVault",
      ], swiftSettings: strict),

    // Linking it is enough: it points THUMBTURN_HOME to a scratch folder before main, so that no test reaches the user's
    // vault, whatever starts the tests.
    .target(name: "CTestHome", path: "Tests/CTestHome"),

    .testTarget(
      name: "ThumbturnSecurityTests",
      dependencies: [
        "CTestHome", "ThumbturnAuthentication", "ThumbturnCrypto", "ThumbturnKeychain", "ThumbturnSecurity",
        "ThumbturnTestSupport", "ThumbturnVault",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "LocalAuthenticationTests",
      dependencies: [
        "CTestHome", "LocalAuthentication", "ThumbturnAuthentication", "ThumbturnCrypto", "ThumbturnKeychain",
        "ThumbturnSecurity", "ThumbturnTestSupport",
      ],
      swiftSettings: strict),
    // They start buses and services of their own.
    .testTarget(
      name: "ThumbturnDeviceTests",
      dependencies: ["TestFixtures", "ThumbturnAuthentication", "ThumbturnCrypto", "ThumbturnDevice"],
      resources: [.copy("Services")],
      swiftSettings: strict),
    .testTarget(name: "ThumbturnTourTests", dependencies: ["CTestHome", "ThumbturnTour"], swiftSettings: strict),

    // What clients have: no strict setting, in the language modes that they use.
    .testTarget(
      name: "SourceCompatibilityTests",
      dependencies: [
        "CTestHome", "LocalAuthentication", "Security", "SourceCompatibilityIdioms", "ThumbturnSecurity",
        "ThumbturnTestSupport",
      ],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      // A warning in it is one that every client would get.
      name: "SourceCompatibility6Tests",
      dependencies: ["CTestHome", "LocalAuthentication", "Security", "ThumbturnSecurity", "ThumbturnTestSupport"],
      swiftSettings: [.swiftLanguageMode(.v6)] + (lenient ? [] : [.treatAllWarnings(as: .error)])),
    // One line per idiom of public code; a program, because top-level code is what they are.
    .executableTarget(
      name: "SourceCompatibilityIdioms", dependencies: ["CTestHome", "LocalAuthentication", "Security"],
      path: "Tests/SourceCompatibilityIdioms", swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)
