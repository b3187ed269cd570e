// swift-tools-version: 6.2
import PackageDescription

// Small modules with the names of Apple's, Google's and Facebook's, and only the API that this
// repository's libraries and the guides use. With them, Linux compiles the files that otherwise
// only devices compile, and runs what can run, against `gatehouse serve --dev`. Only for tests: no
// product. What this tests, and what only a device can test: README.md

/// As in the package above: our sources are compiled with the same settings here.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]
/// The settings of an app's project for which the guides were written.
let guide: [SwiftSetting] = [.swiftLanguageMode(.v5)]

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")

/// One of our libraries, through a symbolic link to its folder.
func linked(
  _ name: String, _ dependencies: [Target.Dependency] = [], hasPrivacyManifest: Bool = false
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Linked/\(name)",
    exclude: hasPrivacyManifest ? ["PrivacyInfo.xcprivacy"] : [], swiftSettings: strict)
}

/// A guide's code, as in an app. An app package's target has an entry point.
func guideApp(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String],
  resources: [Resource] = []
) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Guides/\(name)", exclude: exclude,
    resources: resources, swiftSettings: guide)
}

/// A guide's code, as in an app.
func guideCode(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [])
  -> Target
{
  .target(
    name: name, dependencies: dependencies, path: "Guides/\(name)", exclude: exclude,
    swiftSettings: guide)
}

func standIn(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies)
}

let package = Package(
  name: "stand-ins",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [.package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2")],
  targets: [
    // Has the simulated person, their decisions and their accounts.
    standIn("SimulatedDevice"),

    // Replace a platform's modules, and other vendors' modules.
    standIn("CryptoKit", [crypto]),
    standIn("Security"),
    standIn("os"),
    standIn("Combine"),
    standIn("UIKit", ["Security"]),
    standIn("CoreImage"),
    standIn("SwiftUI", ["Combine", "CoreImage", "UIKit"]),
    standIn("SafariServices", ["SimulatedDevice", "UIKit"]),
    // In Swift 5's language mode, like Apple's modules: the compiler then inserts Swift 6's checks
    // of isolation into the closures that our code passes.
    .target(
      name: "AuthenticationServices", dependencies: ["SimulatedDevice", "SwiftUI", "UIKit"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    standIn("GoogleSignIn", ["SimulatedDevice", "UIKit"]),
    standIn("FacebookCore", ["SimulatedDevice"]),

    // Our libraries.
    linked("GatehouseProtocol"),
    linked("GatehouseURLSession", ["GatehouseProtocol"]),
    linked(
      "GatehouseClient",
      [
        "GatehouseProtocol", "GatehouseURLSession", crypto, "AuthenticationServices", "Combine",
        "Security", "UIKit",
      ], hasPrivacyManifest: true),
    linked(
      "GatehouseCore", ["GatehouseClient", "GatehouseProtocol", "os"], hasPrivacyManifest: true),
    linked(
      "GatehouseAuth",
      [
        "GatehouseCore", "GatehouseClient", "GatehouseProtocol", "AuthenticationServices",
        "SafariServices", "UIKit",
      ],
      hasPrivacyManifest: true),
    linked("FirebaseCore", ["GatehouseCore"]),
    linked("FirebaseAuth", ["FirebaseCore", "GatehouseAuth"]),
    linked("Firebase", ["FirebaseAuth"]),
    linked("FirebaseAuthCombineSwift", ["Combine", "FirebaseAuth"]),
    linked(
      "GatehouseUI",
      ["GatehouseClient", "AuthenticationServices", "Combine", "CoreImage", "SwiftUI"],
      hasPrivacyManifest: true),
    linked(
      "GatehouseTesting", ["GatehouseCore", "GatehouseClient", "GatehouseProtocol", crypto]),

    // The guides' code, and tests of it against a real server.
    guideApp(
      "SignInWithApple",
      [
        "AuthenticationServices", "CryptoKit", "FirebaseAuth", "FirebaseCore", "Security",
        "SwiftUI", "UIKit",
      ], exclude: ["Package.swift", "Info.plist"], resources: [.process("Resources")]),
    guideApp(
      "AccountDeletion",
      [
        "AuthenticationServices", "CryptoKit", "FirebaseAuth", "FirebaseCore", "GoogleSignIn",
        "SwiftUI", "UIKit",
      ],
      exclude: ["Example/Package.swift", "Example/Info.plist", "Example/Assets.xcassets"]),
    guideCode("AppleArticle", ["AuthenticationServices", "CryptoKit", "FirebaseAuth", "UIKit"]),
    guideCode("OpenIDConnect", ["FirebaseAuth"]),
    guideCode(
      "VietnameseTutorial", ["AuthenticationServices", "CryptoKit", "FirebaseAuth", "UIKit"]),
    .testTarget(
      name: "GuideTests",
      dependencies: [
        "AccountDeletion", "AppleArticle", "OpenIDConnect", "SignInWithApple", "VietnameseTutorial",
        "AuthenticationServices", "Combine", "CryptoKit", "FirebaseAuthCombineSwift",
        "FacebookCore", "FirebaseAuth", "FirebaseCore",
        "GatehouseClient", "GatehouseTesting", "GatehouseUI", "GoogleSignIn", "SafariServices",
        "Security",
        "SimulatedDevice", "UIKit",
      ],
      // With a module named UIKit, Testing tries to load its overlay for it.
      swiftSettings: [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]),

    // The libraries' own tests, so that a sanitizer can check them without the server.
    .testTarget(
      name: "GatehouseClientTests",
      dependencies: [
        "GatehouseClient", "GatehouseProtocol", "Security", crypto,
      ],
      path: "Linked/GatehouseClientTests"),
    .testTarget(
      name: "GatehouseAuthTests",
      dependencies: [
        "GatehouseAuth", "GatehouseCore", "GatehouseClient", "GatehouseProtocol", "Security",
        crypto,
      ], path: "Linked/GatehouseAuthTests"),
    .testTarget(
      name: "GatehouseUITests",
      dependencies: [
        "GatehouseUI", "GatehouseClient", "GatehouseProtocol", "GatehouseTesting",
        "AuthenticationServices", "Combine",
        "SwiftUI",
      ], path: "Linked/GatehouseUITests"),
  ]
)
