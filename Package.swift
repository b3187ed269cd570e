// swift-tools-version: 6.2
import PackageDescription

// What apps and their back ends use. The server is a package of its own, in Server, so that an app
// resolves nothing of it: only swift-crypto, and swift-asn1, on which swift-crypto depends.

/// In an app's copy of this package, a warning of a newer compiler must not be an error. SwiftPM and Xcode
/// keep such copies in a folder with this name.
let isDependency = Context.packageDirectory.contains("/checkouts/")

let strict: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
  ] + (isDependency ? [] : [.strictMemorySafety(), .treatAllWarnings(as: .error)])

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")

/// What the App Store asks of an SDK: what it collects, and which interfaces of the system it uses for
/// what (Apple, "Privacy manifest files").
let privacyManifest: [Resource] = [.copy("PrivacyInfo.xcprivacy")]

let package = Package(
  name: "gatehouse",
  platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
  products: [
    // For apps: take one of the first two.
    .library(name: "GatehouseClient", targets: ["GatehouseClient"]),
    .library(name: "GatehouseAuth", targets: ["GatehouseAuth", "GatehouseCore"]),
    .library(name: "GatehouseCore", targets: ["GatehouseCore"]),
    .library(name: "GatehouseUI", targets: ["GatehouseUI"]),
    // For apps' tests and previews.
    .library(name: "GatehouseTesting", targets: ["GatehouseTesting"]),
    // For back ends.
    .library(name: "GatehouseVerifier", targets: ["GatehouseVerifier"]),
    // What the server shares with them.
    .library(name: "GatehouseProtocol", targets: ["GatehouseProtocol"]),
    .library(name: "GatehouseTokens", targets: ["GatehouseTokens"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2")
  ],
  targets: [
    // Values and formats: no clock, network or storage.
    .target(name: "GatehouseProtocol", swiftSettings: strict),
    .target(
      name: "GatehouseTokens", dependencies: ["GatehouseProtocol", crypto, cryptoExtras],
      swiftSettings: strict),

    .target(
      name: "GatehouseURLSession", dependencies: ["GatehouseProtocol"], swiftSettings: strict),
    .target(
      name: "GatehouseClient",
      dependencies: ["GatehouseProtocol", "GatehouseURLSession", crypto],
      resources: privacyManifest, swiftSettings: strict),
    .target(
      name: "GatehouseCore", dependencies: ["GatehouseClient", "GatehouseProtocol"],
      resources: privacyManifest, swiftSettings: strict),
    .target(
      name: "GatehouseAuth",
      dependencies: ["GatehouseCore", "GatehouseClient", "GatehouseProtocol"],
      resources: privacyManifest, swiftSettings: strict),
    .target(
      name: "GatehouseUI", dependencies: ["GatehouseClient"], resources: privacyManifest,
      swiftSettings: strict),
    .target(
      name: "GatehouseTesting",
      dependencies: ["GatehouseCore", "GatehouseClient", "GatehouseProtocol", crypto],
      swiftSettings: strict),
    .target(
      name: "GatehouseVerifier",
      dependencies: ["GatehouseTokens", "GatehouseProtocol", "GatehouseURLSession"],
      swiftSettings: strict),

    // Examples, built here too. Their own packages have the names without `example-`.
    .executableTarget(
      name: "example-verify-token", dependencies: ["GatehouseTokens", "GatehouseVerifier"],
      path: "Examples/VerifyTokens/Sources/VerifyToken"),
    .target(
      name: "TestedApp", dependencies: ["GatehouseAuth"], path: "Examples/TestedApp/Sources"),
    .testTarget(
      name: "TestedAppTests", dependencies: ["TestedApp", "GatehouseAuth", "GatehouseTesting"],
      path: "Examples/TestedApp/Tests"),

    .testTarget(name: "GatehouseProtocolTests", dependencies: ["GatehouseProtocol"]),
    .testTarget(
      name: "GatehouseTokensTests",
      dependencies: ["GatehouseTokens", "GatehouseProtocol", crypto, cryptoExtras]),
    .testTarget(name: "GatehouseURLSessionTests", dependencies: ["GatehouseURLSession"]),
    .testTarget(
      name: "GatehouseClientTests", dependencies: ["GatehouseClient", "GatehouseProtocol", crypto]),
    .testTarget(
      name: "GatehouseAuthTests",
      dependencies: [
        "GatehouseAuth", "GatehouseCore", "GatehouseClient", "GatehouseProtocol", crypto,
      ]
    ),
    .testTarget(
      name: "GatehouseUITests",
      dependencies: ["GatehouseUI", "GatehouseClient", "GatehouseProtocol", "GatehouseTesting"]),
    .testTarget(
      name: "GatehouseTestingTests",
      dependencies: [
        "GatehouseTesting", "GatehouseAuth", "GatehouseCore", "GatehouseClient",
        "GatehouseProtocol", crypto,
      ]),
    .testTarget(
      name: "GatehouseVerifierTests",
      dependencies: [
        "GatehouseVerifier", "GatehouseTokens", "GatehouseProtocol", crypto, cryptoExtras,
      ]),
  ]
)
