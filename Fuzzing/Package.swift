// swift-tools-version: 6.2
import PackageDescription

// libFuzzer's targets: `make fuzz`. Everything here is instrumented, so this is a separate package,
// with links to the sources that it tests. It has no server, database or network.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .strictMemorySafety(),
]
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")

func linked(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: "Linked/\(name)", swiftSettings: strict)
}

let package = Package(
  name: "fuzzing",
  platforms: [.macOS(.v15)],
  products: [.library(name: "FuzzTargets", type: .static, targets: ["FuzzTargets"])],
  dependencies: [.package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2")],
  targets: [
    linked("GatehouseJSON"),
    linked("GatehouseModel"),
    linked("GatehouseTokens", ["GatehouseJSON", "GatehouseModel", crypto, cryptoExtras]),
    linked("GatehouseWire", ["GatehouseJSON", "GatehouseModel"]),
    linked("GatehouseAccounts", ["GatehouseTokens", "GatehouseModel", crypto, cryptoExtras]),
    linked(
      "GatehouseUserFiles",
      [
        "GatehouseAccounts", "GatehouseTokens", "GatehouseWire", "GatehouseModel", "GatehouseJSON",
      ]),
    // Only a few files of each: the others need a server.
    linked("GatehouseFederation", ["GatehouseModel"]),
    linked(
      "GatehouseOperation",
      ["GatehouseAccounts", "GatehouseFederation", "GatehouseTokens", "GatehouseJSON"]),
    linked(
      "GatehouseAPI",
      [
        "GatehouseAccounts", "GatehouseFederation", "GatehouseWire", "GatehouseModel",
        "GatehouseJSON",
      ]),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "GatehouseAPI", "GatehouseOperation", "GatehouseUserFiles", "GatehouseTokens",
        "GatehouseWire", "GatehouseJSON",
      ],
      swiftSettings: strict),
  ]
)
