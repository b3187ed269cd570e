// swift-tools-version: 6.2
import PackageDescription

// An app without a user interface. In your own package, the dependency is a URL with a version.
let package = Package(
  name: "command-line",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "gatehouse", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
  ],
  targets: [
    .executableTarget(
      name: "gatehouse-example",
      dependencies: [
        .product(name: "GatehouseClient", package: "gatehouse"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/GatehouseExample")
  ]
)
