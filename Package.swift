// swift-tools-version: 6.2
import PackageDescription

// Only the server needs what hangs on this trait. An app that uses the client libraries alone asks
// for `traits: []`. Of our dependencies it then resolves only swift-crypto and swift-asn1, on which
// swift-crypto depends.
let server: TargetDependencyCondition? = .when(traits: ["Server"])
/// A back end that verifies our tokens asks for this one.
let verifier: TargetDependencyCondition? = .when(traits: ["Server", "Verifier"])

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")

/// What the App Store asks of an SDK: what it collects, and which interfaces of the system it uses for
/// what (Apple, "Privacy manifest files").
let privacyManifest: [Resource] = [.copy("PrivacyInfo.xcprivacy")]

func serverProduct(_ name: String, _ package: String) -> Target.Dependency {
  .product(name: name, package: package, condition: server)
}

let package = Package(
  name: "gatehouse",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "GatehouseTokens", targets: ["GatehouseTokens"]),
    .library(name: "GatehouseWire", targets: ["GatehouseWire"]),
    .library(name: "GatehouseClient", targets: ["GatehouseClient"]),
    .library(name: "FirebaseCore", targets: ["FirebaseCore"]),
    .library(name: "FirebaseAuth", targets: ["FirebaseAuth", "FirebaseCore"]),
    .library(name: "GatehouseUI", targets: ["GatehouseUI"]),
    .library(name: "GatehouseVerifier", targets: ["GatehouseVerifier"]),
    .executable(name: "gatehouse", targets: ["gatehouse"]),
  ],
  traits: [
    .trait(name: "Server", description: "The server, its simulator and the gatehouse command."),
    .trait(
      name: "Verifier", description: "Middleware for Hummingbird that verifies our ID tokens."),
    .default(enabledTraits: ["Server", "Verifier"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-certificates.git", from: "1.21.1"),
    .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.4"),
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.34.1"),
    .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.2"),
    .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache.git", from: "2.1.1"),
    .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
    .package(
      url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
  ],
  targets: [
    // Values and formats: no clock, network or storage.
    .target(name: "GatehouseJSON", swiftSettings: strict),
    .target(name: "GatehouseModel", swiftSettings: strict),
    .target(
      name: "GatehouseTokens",
      dependencies: ["GatehouseJSON", "GatehouseModel", crypto, cryptoExtras],
      swiftSettings: strict),
    .target(
      name: "GatehouseWire", dependencies: ["GatehouseJSON", "GatehouseModel"],
      swiftSettings: strict),

    // What apps use, and back ends of apps.
    .target(name: "GatehouseURLSession", swiftSettings: strict),
    .target(
      name: "GatehouseClient",
      dependencies: [
        "GatehouseJSON", "GatehouseModel", "GatehouseURLSession", "GatehouseWire", crypto,
      ],
      resources: privacyManifest, swiftSettings: strict),
    .target(
      name: "FirebaseCore", dependencies: ["GatehouseClient"], resources: privacyManifest,
      swiftSettings: strict),
    .target(
      name: "FirebaseAuth", dependencies: ["FirebaseCore", "GatehouseClient", "GatehouseJSON"],
      resources: privacyManifest, swiftSettings: strict),
    .target(
      name: "GatehouseUI", dependencies: ["GatehouseClient"], resources: privacyManifest,
      swiftSettings: strict),
    .target(
      name: "GatehouseVerifier",
      dependencies: [
        "GatehouseTokens", "GatehouseJSON", "GatehouseModel", "GatehouseURLSession",
        .product(name: "Hummingbird", package: "hummingbird", condition: verifier),
        .product(name: "HTTPTypes", package: "swift-http-types", condition: verifier),
        .product(name: "Logging", package: "swift-log", condition: verifier),
      ],
      swiftSettings: strict),

    // The server, a folder for each capability, and the command. The C libraries are the system's.
    .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(
      name: "CLibcrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CLibcrypt", pkgConfig: "libxcrypt", providers: [.apt(["libcrypt-dev"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CResolv"),
    .target(
      name: "GatehouseServer",
      dependencies: [
        "GatehouseTokens", "GatehouseWire", "GatehouseModel", "GatehouseJSON", crypto, cryptoExtras,
        "CPostgres", "CLibcrypto", "CLibcrypt", "CCurl", "CResolv",
        serverProduct("AsyncHTTPClient", "async-http-client"),
        serverProduct("CoreMetrics", "swift-metrics"),
        serverProduct("GRDB", "GRDB.swift"),
        serverProduct("GRDBSQLite", "GRDB.swift"),
        serverProduct("HTTPTypes", "swift-http-types"),
        serverProduct("Hummingbird", "hummingbird"),
        serverProduct("HummingbirdCore", "hummingbird"),
        serverProduct("Logging", "swift-log"),
        serverProduct("Metrics", "swift-metrics"),
        serverProduct("Mustache", "swift-mustache"),
        serverProduct("NIOCore", "swift-nio"),
        serverProduct("NIOHTTP1", "swift-nio"),
        serverProduct("NIOHTTPTypes", "swift-nio-extras"),
        serverProduct("NIOPosix", "swift-nio"),
        serverProduct("NIOSSL", "swift-nio-ssl"),
        serverProduct("SwiftASN1", "swift-asn1"),
        serverProduct("X509", "swift-certificates"),
      ],
      resources: ["handler", "popup", "redirect", "iframe", "gapi"].map {
        .embedInCode("Browser/Scripts/\($0).js")
      } + [
        .embedInCode("Browser/Welcome/Assets"), .embedInCode("Database/SQLite/Migrations"),
        .embedInCode("Database/Postgres/Migrations"),
      ],
      swiftSettings: strict),
    .target(
      name: "GatehouseSimulator",
      dependencies: [
        crypto, cryptoExtras,
        serverProduct("AsyncHTTPClient", "async-http-client"),
        serverProduct("Hummingbird", "hummingbird"),
        serverProduct("HummingbirdCore", "hummingbird"),
        serverProduct("HTTPTypes", "swift-http-types"),
        serverProduct("Logging", "swift-log"),
        serverProduct("NIOCore", "swift-nio"),
        serverProduct("NIOHTTP1", "swift-nio"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "gatehouse",
      dependencies: [
        "GatehouseJSON", "GatehouseModel", "GatehouseTokens", "GatehouseWire", "GatehouseServer",
        "GatehouseSimulator", crypto,
        serverProduct("ArgumentParser", "swift-argument-parser"),
        serverProduct("AsyncHTTPClient", "async-http-client"),
        serverProduct("Hummingbird", "hummingbird"),
        serverProduct("Logging", "swift-log"),
        serverProduct("Metrics", "swift-metrics"),
        serverProduct("NIOCore", "swift-nio"),
        serverProduct("NIOFoundationCompat", "swift-nio"),
        serverProduct("NIOHTTP1", "swift-nio"),
        serverProduct("NIOPosix", "swift-nio"),
        serverProduct("ServiceLifecycle", "swift-service-lifecycle"),
        serverProduct("UnixSignals", "swift-service-lifecycle"),
      ],
      swiftSettings: strict),

    // Examples, built here too: alone they would build Hummingbird again, which takes minutes. Their own
    // packages have the names without `example-`.
    .executableTarget(
      name: "example-command-line",
      dependencies: [
        "GatehouseClient",
        serverProduct("ArgumentParser", "swift-argument-parser"),
      ],
      path: "Examples/CommandLine/Sources/GatehouseExample"),
    .executableTarget(
      name: "example-notes-api",
      dependencies: [
        "GatehouseVerifier",
        .product(name: "Hummingbird", package: "hummingbird", condition: verifier),
        .product(name: "Logging", package: "swift-log", condition: verifier),
        .product(name: "HTTPTypes", package: "swift-http-types", condition: verifier), crypto,
      ],
      path: "Examples/NotesAPI/Sources/NotesAPI"),

    // Tests, a folder per target; then every store by one suite, and the real binary.
    .testTarget(name: "GatehouseJSONTests", dependencies: ["GatehouseJSON"]),
    .testTarget(name: "GatehouseModelTests", dependencies: ["GatehouseModel"]),
    .testTarget(
      name: "GatehouseTokensTests",
      dependencies: [
        "GatehouseTokens", "GatehouseJSON", "GatehouseModel", crypto, cryptoExtras,
      ]),
    .testTarget(
      name: "GatehouseSystemCryptoTests",
      dependencies: ["GatehouseServer", "GatehouseTokens", crypto, cryptoExtras]),
    .testTarget(
      name: "GatehouseWireTests",
      dependencies: ["GatehouseWire", "GatehouseJSON", "GatehouseModel"]),
    .testTarget(
      name: "GatehouseUserFilesTests",
      dependencies: ["GatehouseServer", "GatehouseWire", "GatehouseJSON"]),
    .testTarget(name: "GatehouseURLSessionTests", dependencies: ["GatehouseURLSession"]),
    .testTarget(
      name: "GatehouseClientTests",
      dependencies: ["GatehouseClient", "GatehouseWire", "GatehouseJSON", "GatehouseModel", crypto]),
    .testTarget(
      name: "FirebaseAuthTests",
      dependencies: [
        "FirebaseAuth", "FirebaseCore", "GatehouseClient", "GatehouseWire", "GatehouseJSON", crypto,
      ]),
    .testTarget(
      name: "GatehouseUITests",
      dependencies: ["GatehouseUI", "GatehouseClient", "GatehouseWire", "GatehouseJSON"]),
    .testTarget(
      name: "GatehouseVerifierTests",
      dependencies: [
        "GatehouseVerifier", "GatehouseTokens", "GatehouseJSON", "GatehouseModel", crypto,
        cryptoExtras,
        serverProduct("HTTPTypes", "swift-http-types"),
        serverProduct("Hummingbird", "hummingbird"),
        serverProduct("HummingbirdTesting", "hummingbird"),
        serverProduct("NIOCore", "swift-nio"),
      ]),
    .testTarget(
      name: "GatehouseAccountsTests",
      dependencies: [
        "GatehouseServer", "GatehouseTokens", "GatehouseJSON", "GatehouseModel", "TestStores",
      ]),
    .testTarget(
      name: "GatehouseFederationTests",
      dependencies: [
        "GatehouseServer", "GatehouseTokens", "GatehouseJSON", "GatehouseModel", crypto,
        cryptoExtras,
        serverProduct("Logging", "swift-log"),
        serverProduct("NIOCore", "swift-nio"),
        serverProduct("NIOHTTP1", "swift-nio"),
        serverProduct("NIOPosix", "swift-nio"),
        serverProduct("NIOSSL", "swift-nio-ssl"),
        serverProduct("SwiftASN1", "swift-asn1"),
        serverProduct("X509", "swift-certificates"),
      ]),
    .testTarget(
      name: "GatehouseSQLiteTests",
      dependencies: [
        "GatehouseServer", "GatehouseTokens", "GatehouseModel",
        serverProduct("GRDB", "GRDB.swift"),
      ]),
    .target(name: "TestPrograms", path: "Tests/TestPrograms"),
    .target(
      name: "TestStores",
      dependencies: ["TestPrograms", "GatehouseServer"],
      path: "Tests/TestStores", swiftSettings: strict),
    .testTarget(
      name: "GatehousePostgresTests",
      dependencies: [
        "GatehouseServer",
        "GatehouseModel",
        "TestStores", serverProduct("GRDB", "GRDB.swift"),
      ],
      exclude: ["tls_proxy.py"]),
    .testTarget(
      name: "StorageTests",
      dependencies: [
        "TestStores", "GatehouseServer",
        "GatehouseTokens",
        "GatehouseModel",
      ]),
    .testTarget(
      name: "GatehouseAPITests",
      dependencies: [
        "GatehouseServer", "TestStores",
        "GatehouseTokens", "GatehouseWire", "GatehouseJSON", "GatehouseModel", crypto,
        cryptoExtras,
        serverProduct("HTTPTypes", "swift-http-types"),
        serverProduct("Hummingbird", "hummingbird"),
        serverProduct("HummingbirdCore", "hummingbird"),
        serverProduct("HummingbirdTesting", "hummingbird"),
        serverProduct("Logging", "swift-log"),
        serverProduct("NIOCore", "swift-nio"),
        serverProduct("NIOEmbedded", "swift-nio"),
        serverProduct("NIOHTTPTypes", "swift-nio-extras"),
        serverProduct("NIOPosix", "swift-nio"),
        serverProduct("SwiftASN1", "swift-asn1"),
        serverProduct("X509", "swift-certificates"),
      ]),
    .testTarget(
      name: "GatehouseOperationTests",
      dependencies: [
        "GatehouseServer", "GatehouseTokens",
        "GatehouseModel", "GatehouseJSON", crypto,
        serverProduct("Logging", "swift-log"),
      ]),
    .testTarget(
      name: "GatehouseSimulatorTests",
      dependencies: [
        "GatehouseSimulator", crypto, cryptoExtras,
        serverProduct("HTTPTypes", "swift-http-types"),
        serverProduct("Hummingbird", "hummingbird"),
        serverProduct("HummingbirdTesting", "hummingbird"),
        serverProduct("Logging", "swift-log"),
        serverProduct("NIOCore", "swift-nio"),
        serverProduct("ServiceLifecycle", "swift-service-lifecycle"),
      ]),
    .testTarget(
      name: "GatehouseOutboxTests",
      dependencies: [
        "GatehouseServer", "TestStores", "GatehouseModel", "GatehouseJSON", "GatehouseTokens",
        crypto,
        serverProduct("Logging", "swift-log"),
      ]),
    .testTarget(
      name: "GatehouseMailTests", dependencies: ["GatehouseServer", "GatehouseModel"],
      exclude: ["Clients"]),
    .testTarget(
      name: "GatehouseCommandTests",
      dependencies: [
        "gatehouse", "GatehouseServer", "GatehouseModel", serverProduct("GRDB", "GRDB.swift"),
        serverProduct("Logging", "swift-log"),
      ]),
    // An app in a process of its own, for tests of what holds between processes.
    .executableTarget(
      name: "ClientProcess", dependencies: ["GatehouseClient"], path: "Tests/ClientProcess"),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "gatehouse", "ClientProcess", "TestPrograms", "TestStores", "GatehouseServer",
        "GatehouseClient", "FirebaseAuth", "FirebaseCore",
        "GatehouseVerifier", crypto, cryptoExtras,
        serverProduct("AsyncHTTPClient", "async-http-client"),
        serverProduct("NIOCore", "swift-nio"),
        serverProduct("NIOHTTP1", "swift-nio"),
        serverProduct("NIOPosix", "swift-nio"),
        serverProduct("NIOSSL", "swift-nio-ssl"),
      ],
      exclude: ["Clients"]),
  ]
)

// `make fuzz` instruments everything, in a build folder of its own. Nobody else sees this product.
if Context.environment["GATEHOUSE_FUZZING"] != nil {
  package.products.append(.library(name: "FuzzTargets", type: .static, targets: ["FuzzTargets"]))
  package.targets.append(
    .target(
      name: "FuzzTargets",
      dependencies: [
        "GatehouseServer", "GatehouseTokens", "GatehouseWire", "GatehouseModel", "GatehouseJSON",
      ],
      path: "Fuzzing", exclude: ["corpus", "entry.c"]))
}
