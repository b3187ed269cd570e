// swift-tools-version: 6.2
import PackageDescription

// A program that verifies a Gatehouse server's ID tokens. In your own package, the dependency
// is a URL with a version.
let package = Package(
  name: "verify-tokens",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "gatehouse", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "verify-token",
      dependencies: [
        .product(name: "GatehouseTokens", package: "gatehouse"),
        .product(name: "GatehouseVerifier", package: "gatehouse"),
      ],
      path: "Sources/VerifyToken")
  ]
)
