// swift-tools-version: 5.9
import PackageDescription

// Swift 5 mode, no further settings: what an app that moves over from an Apple platform has.
let package = Package(
  name: "ByPath",
  dependencies: [
    // The last part of the path must be "thumbturn", else SwiftPM drops the alias with no more than a warning.
    .package(path: "../thumbturn"),
    .package(path: "../ThirdParty"),
  ],
  targets: [
    .executableTarget(
      name: "ByPath",
      dependencies: [
        .product(name: "Security", package: "thumbturn", moduleAliases: ["Security": "ThumbturnSecurityShim"]),
        .product(
          name: "LocalAuthentication", package: "thumbturn",
          moduleAliases: ["LocalAuthentication": "ThumbturnLocalAuthenticationShim"]),
        .product(name: "ThirdParty", package: "ThirdParty"),
      ])
  ]
)
