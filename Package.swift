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
    .executable(name: "thumbturn", targets: ["ThumbturnTool"]),
    .executable(name: "thumbturn-tour", targets: ["ThumbturnTour"]),
  ],
  targets: [
    // C libraries of Debian: a module map and a shim header each. Exactly one Swift module imports each of them.
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CLibcrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),

    // Our own C, and the one-file Swift module that calls it: Span overloads crash the 6.3.1 compiler in larger modules.
    .target(name: "CThumbturn"),
    .target(name: "ThumbturnShims", dependencies: ["CThumbturn"], swiftSettings: strict),

    .target(
      name: "ThumbturnCrypto", dependencies: ["CLibcrypto", "CSodium", "ThumbturnShims"], swiftSettings: strict),
    .target(name: "ThumbturnVault", dependencies: ["CSQLite", "ThumbturnCrypto"], swiftSettings: strict),
    .target(name: "ThumbturnKeychain", dependencies: ["ThumbturnCrypto", "ThumbturnVault"], swiftSettings: strict),

    // Apple's names. `Security` is one line, so that a consumer can rename it with a module alias.
    .target(
      name: "ThumbturnSecurity", dependencies: ["ThumbturnCrypto", "ThumbturnKeychain"], swiftSettings: strict),
    .target(name: "Security", dependencies: ["ThumbturnSecurity"], swiftSettings: strict),

    // The command line never depends on ThumbturnSecurity: Foundation proper would make it four times as large.
    .target(name: "ThumbturnCommand", dependencies: ["ThumbturnCrypto", "ThumbturnKeychain", "ThumbturnVault"], swiftSettings: strict),
    .executableTarget(name: "ThumbturnTool", dependencies: ["ThumbturnCommand"], swiftSettings: strict),
    .executableTarget(name: "ThumbturnTour", dependencies: ["Security"], swiftSettings: strict),

    // C, because a scan in Swift would leave copies of what it looks for.
    .target(name: "CMemoryScan", path: "Tests/CMemoryScan"),
    .testTarget(
      name: "ThumbturnCryptoTests", dependencies: ["CMemoryScan", "ThumbturnCrypto"], resources: [.copy("Vectors")],
      swiftSettings: strict),
    .testTarget(name: "ThumbturnVaultTests", dependencies: ["ThumbturnCrypto", "ThumbturnVault"], swiftSettings: strict),
    .testTarget(
      name: "ThumbturnKeychainTests", dependencies: ["ThumbturnCrypto", "ThumbturnKeychain", "ThumbturnVault"],
      resources: [.copy("Fixtures")], swiftSettings: strict),
  ]
)
