// swift-tools-version: 6.2
import PackageDescription

// A part of an app, and its tests without a server. In your own package, the dependency is a URL with a
// version.
let package = Package(
  name: "tested-app",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "gatehouse", path: "../..")],
  targets: [
    .target(
      name: "TestedApp", dependencies: [.product(name: "GatehouseAuth", package: "gatehouse")],
      path: "Sources"),
    .testTarget(
      name: "TestedAppTests",
      dependencies: [
        "TestedApp", .product(name: "GatehouseAuth", package: "gatehouse"),
        .product(name: "GatehouseTesting", package: "gatehouse"),
      ], path: "Tests"),
  ]
)
