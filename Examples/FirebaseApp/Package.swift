// swift-tools-version: 6.2
import PackageDescription

// An app with code for Firebase, on Linux and with your own server. In your own package, the
// dependency is a URL with a version, and the same `traits: []`: SwiftPM then resolves only
// swift-crypto and swift-asn1, and nothing that only the server needs.
let package = Package(
  name: "firebase-app",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "gatehouse", path: "../..", traits: [])
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
