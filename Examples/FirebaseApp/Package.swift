// swift-tools-version: 6.2
import PackageDescription

// Code that was written for Firebase, on Linux and on a server of one's own. In an app of yours the
// dependency is a URL with a version, and the same `traits: []`: then SwiftPM resolves swift-crypto
// and swift-asn1, none of what the server needs.
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
