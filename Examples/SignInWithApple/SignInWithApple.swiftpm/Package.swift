// swift-tools-version: 6.2
import AppleProductTypes
import PackageDescription

// An app package: open this folder in Xcode or in Swift Playgrounds. Swift Playgrounds accepts no
// packages from folders: replace the path by the URL of your copy of Gatehouse there.
let package = Package(
  name: "SignInWithApple",
  platforms: [.iOS("18.0")],
  products: [
    .iOSApplication(
      name: "SignInWithApple",
      targets: ["SignInWithApple"],
      bundleIdentifier: "com.example.app",
      displayVersion: "1.0",
      bundleVersion: "1",
      appIcon: .placeholder(icon: .leaf),
      accentColor: .presetColor(.blue),
      supportedDeviceFamilies: [.pad, .phone],
      supportedInterfaceOrientations: [
        .portrait, .landscapeRight, .landscapeLeft,
        .portraitUpsideDown(.when(deviceFamilies: [.pad])),
      ],
      additionalInfoPlistContentFilePath: "Info.plist")
  ],
  dependencies: [
    .package(name: "gatehouse-firebase", path: "../../../Firebase")
  ],
  targets: [
    .executableTarget(
      name: "SignInWithApple",
      dependencies: [
        .product(name: "FirebaseAuth", package: "gatehouse-firebase")
      ],
      path: ".",
      exclude: ["Info.plist"],
      resources: [.process("Resources")],
      swiftSettings: [.swiftLanguageMode(.v5)])
  ]
)
