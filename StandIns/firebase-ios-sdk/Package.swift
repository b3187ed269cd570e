// swift-tools-version: 6.2
import PackageDescription

// Stands for Google's firebase-ios-sdk: its identity, the names of its modules, and what
// Examples/BesideFirebase calls. Google's own needs Apple's platforms.
let package = Package(
  name: "Firebase",
  products: [
    "FirebaseAuth", "FirebaseCore", "FirebaseCrashlytics", "FirebaseFirestore", "FirebaseMessaging",
  ].map {
    .library(name: $0, targets: [$0])
  },
  targets: [
    .target(name: "Firebase"),
    .target(name: "FirebaseCore", dependencies: ["Firebase"]),
    .target(name: "FirebaseAuth", dependencies: ["FirebaseCore"]),
    .target(name: "FirebaseCrashlytics", dependencies: ["FirebaseCore"]),
    .target(name: "FirebaseFirestore", dependencies: ["FirebaseCore"]),
    .target(name: "FirebaseMessaging", dependencies: ["FirebaseCore"]),
  ]
)
