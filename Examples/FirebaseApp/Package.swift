// swift-tools-version: 6.2
import PackageDescription

// An app with code for Firebase, on Linux and with your own server. In your own package, the
// dependency is a URL with a version: docs/guides/packages.md.
let package = Package(
  name: "firebase-app",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "gatehouse-firebase", path: "../../Firebase")
  ],
  targets: [
    .executableTarget(
      name: "firebase-app",
      dependencies: [
        .product(name: "FirebaseAuth", package: "gatehouse-firebase")
      ],
      path: "Sources/FirebaseApp")
  ]
)
