// swift-tools-version: 6.2
import PackageDescription

// An app with code for Firebase, on Linux and with your own server. In your own package, the
// dependency is a URL with a version.
let package = Package(
  name: "firebase-app",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "gatehouse", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "firebase-app",
      dependencies: [
        .product(name: "FirebaseAuth", package: "gatehouse"),
        .product(name: "GatehouseClient", package: "gatehouse"),
      ],
      path: "Sources/FirebaseApp")
  ]
)
