// swift-tools-version: 6.0
import PackageDescription

// Swift 6 mode, no further settings. scripts/test-consumers puts the place of its repository into the URL.
let package = Package(
  name: "ByURL",
  dependencies: [
    .package(url: "file:///REPOSITORY/thumbturn", from: "0.1.0"),
    .package(path: "../ThirdParty"),
  ],
  targets: [
    .executableTarget(
      name: "ByURL",
      dependencies: [
        .product(name: "Security", package: "thumbturn", moduleAliases: ["Security": "ThumbturnSecurityShim"]),
        .product(
          name: "LocalAuthentication", package: "thumbturn",
          moduleAliases: ["LocalAuthentication": "ThumbturnLocalAuthenticationShim"]),
        .product(name: "ThirdParty", package: "ThirdParty"),
      ]),
    // Its main.swift is the one that the README shows; scripts/test-consumers takes it out of there.
    .executableTarget(
      name: "ReadmeProgram",
      dependencies: [
        .product(name: "Security", package: "thumbturn", moduleAliases: ["Security": "ThumbturnSecurityShim"])
      ]),
  ]
)
