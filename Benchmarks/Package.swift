// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// As in the package that is measured.
let lenient = ProcessInfo.processInfo.environment["THUMBTURN_LENIENT"] != nil

/// As in the package that is measured.
let strict: [SwiftSetting] =
  (lenient ? [] : [.treatAllWarnings(as: .error)]) + [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
  ]

let package = Package(
  name: "benchmarks",
  // With a name, because SwiftPM else takes that of the folder in which the repository happens to lie.
  dependencies: [.package(name: "thumbturn", path: "..")],
  targets: [
    // The peer, in C: SQLite and one AES-256-GCM for each row, and nothing else.
    .target(name: "CRawPeer", linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("crypto")]),
    // The peer of `thumbturn get`, in C.
    .executableTarget(
      name: "RawGet",
      linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("crypto")]),
    .executableTarget(
      name: "Bench",
      dependencies: [
        "CRawPeer",
        .product(name: "_ThumbturnEngine", package: "thumbturn"),
        .product(name: "ThumbturnSecurity", package: "thumbturn"),
      ], swiftSettings: strict),
  ]
)
