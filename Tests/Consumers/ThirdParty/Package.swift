// swift-tools-version: 5.9
import PackageDescription

// A package that knows nothing of Thumbturn, in the same build as one that uses it.
let package = Package(
  name: "ThirdParty",
  products: [.library(name: "ThirdParty", targets: ["ThirdParty"])],
  targets: [.target(name: "ThirdParty")]
)
