// swift-tools-version: 6.2
import PackageDescription

// Firebase's module names, for apps that use nothing else of Firebase. SwiftPM resolves no app in which
// two packages have a target of the same name, so the package gatehouse has none of these.
// scripts/publish-firebase writes this folder for a repository of its own.
let package = Package(
  name: "gatehouse-firebase",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "FirebaseAuth", targets: ["FirebaseAuth", "FirebaseCore", "Firebase"]),
    .library(name: "FirebaseCore", targets: ["FirebaseCore"]),
    .library(name: "FirebaseAuthCombine-Community", targets: ["FirebaseAuthCombineSwift"]),
  ],
  dependencies: [
    .package(name: "gatehouse", path: "..")
  ],
  targets: [
    .target(
      name: "FirebaseCore", dependencies: [.product(name: "GatehouseCore", package: "gatehouse")]),
    .target(
      name: "FirebaseAuth",
      dependencies: ["FirebaseCore", .product(name: "GatehouseAuth", package: "gatehouse")]),
    .target(name: "Firebase", dependencies: ["FirebaseAuth"]),
    .target(name: "FirebaseAuthCombineSwift", dependencies: ["FirebaseAuth"]),
  ]
)
