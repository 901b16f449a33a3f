// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// As in the package of the libraries.
let lenient = ProcessInfo.processInfo.environment["THUMBTURN_LENIENT"] != nil

/// Where the toolchain keeps the modules and libraries of SwiftSyntax. Asked, because each toolchain has its own folder.
func toolchainHostFolder() -> String {
  struct Answer: Decodable {
    struct Paths: Decodable {
      let runtimeResourcePath: String
    }
    let paths: Paths
  }
  let asked = Process()
  let output = Pipe()
  asked.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  asked.arguments = ["swift", "-print-target-info"]
  asked.standardOutput = output
  do {
    try asked.run()
    let answer = try JSONDecoder().decode(Answer.self, from: output.fileHandleForReading.readDataToEndOfFile())
    asked.waitUntilExit()
    return answer.paths.runtimeResourcePath + "/host"
  } catch {
    fatalError("the toolchain does not say where its libraries are: \(error)")
  }
}

let host = toolchainHostFolder()

/// Settings of every Swift target: those of the libraries, and the folder of SwiftSyntax. The unsafe flags are why the
/// auditor is a package of its own.
let strict: [SwiftSetting] =
  (lenient ? [] : [.treatAllWarnings(as: .error)]) + [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableExperimentalFeature("Lifetimes"),
    .unsafeFlags(["-I", host]),
  ]

/// An installed auditor brings its libraries along. It looks there first, because another toolchain may lie where that of
/// the build lay.
let syntax: [LinkerSetting] = [
  .unsafeFlags([
    "-L", host, "-lSwiftSyntax", "-lSwiftParser", "-lSwiftIfConfig", "-lSwiftDiagnostics", "-lSwiftOperators",
    "-no-toolchain-stdlib-rpath",
    "-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/../../lib/thumbturn",
    "-Xlinker", "-rpath", "-Xlinker", host,
    "-Xlinker", "-rpath", "-Xlinker", host + "/../linux",
  ])
]

let package = Package(
  name: "auditor",
  products: [
    .library(name: "AppAudit", targets: ["AppAudit"]),
    .executable(name: "thumbturn-audit", targets: ["thumbturn-audit"]),
  ],
  targets: [
    // Imported by one file alone, Readers/YAML.swift.
    .systemLibrary(name: "CYaml", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .target(
      name: "AppAudit", dependencies: ["CYaml"],
      resources: [.copy("Facts")], swiftSettings: strict, linkerSettings: syntax),
    .executableTarget(
      name: "thumbturn-audit", dependencies: ["AppAudit"], swiftSettings: strict, linkerSettings: syntax),
    .testTarget(
      name: "AppAuditTests", dependencies: ["AppAudit"],
      resources: [.copy("Resources")], swiftSettings: strict, linkerSettings: syntax),
  ]
)
