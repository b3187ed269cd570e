// swift-tools-version: 6.2
import PackageDescription

// A back end in which each user can reach only their own notes, identified by a Gatehouse server's
// ID token. In your own package, the dependency is a URL with a version.
let package = Package(
  name: "notes-api",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "gatehouse", path: "../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
  ],
  targets: [
    .executableTarget(
      name: "notes-api",
      dependencies: [
        .product(name: "GatehouseVerifier", package: "gatehouse"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      path: "Sources/NotesAPI")
  ]
)
