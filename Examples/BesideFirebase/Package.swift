// swift-tools-version: 6.2
import PackageDescription

// Apps that keep products of Firebase. In your own package, both dependencies are URLs with a version.
let package = Package(
  name: "beside-firebase",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "gatehouse", path: "../.."),
    .package(path: "../../StandIns/firebase-ios-sdk"),
  ],
  targets: [
    .executableTarget(
      name: "KeepsCrashlytics",
      dependencies: [
        .product(name: "GatehouseAuth", package: "gatehouse"),
        .product(name: "FirebaseCrashlytics", package: "firebase-ios-sdk"),
        .product(name: "FirebaseMessaging", package: "firebase-ios-sdk"),
        .product(name: "FirebaseCore", package: "firebase-ios-sdk"),
      ]),
    .executableTarget(
      name: "KeepsFirestore",
      dependencies: [
        .product(name: "GatehouseAuth", package: "gatehouse"),
        .product(name: "FirebaseAuth", package: "firebase-ios-sdk"),
        .product(name: "FirebaseCore", package: "firebase-ios-sdk"),
        .product(name: "FirebaseFirestore", package: "firebase-ios-sdk"),
      ]),
  ]
)
