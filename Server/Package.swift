// swift-tools-version: 6.2
import PackageDescription

// The server, the gatehouse command and the simulator of the identity providers. What they share with
// apps is the package above.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

let shared: [Target.Dependency] = [
  .product(name: "GatehouseProtocol", package: "gatehouse"),
  .product(name: "GatehouseTokens", package: "gatehouse"),
]
let sdk: Target.Dependency = .product(name: "GatehouseClient", package: "gatehouse")
let firebase: Target.Dependency = .product(name: "GatehouseAuth", package: "gatehouse")
let verifier: Target.Dependency = .product(name: "GatehouseVerifier", package: "gatehouse")

let argumentParser: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")
let asn1: Target.Dependency = .product(name: "SwiftASN1", package: "swift-asn1")
let crypto: [Target.Dependency] = [
  .product(name: "Crypto", package: "swift-crypto"),
  .product(name: "CryptoExtras", package: "swift-crypto"),
]
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let httpClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore: Target.Dependency = .product(name: "HummingbirdCore", package: "hummingbird")
let hummingbirdTesting: Target.Dependency = .product(
  name: "HummingbirdTesting", package: "hummingbird")
let lifecycle: [Target.Dependency] = [
  .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
  .product(name: "UnixSignals", package: "swift-service-lifecycle"),
]
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let metrics: [Target.Dependency] = [
  .product(name: "CoreMetrics", package: "swift-metrics"),
  .product(name: "Metrics", package: "swift-metrics"),
]
let nio: [Target.Dependency] = [
  .product(name: "NIOCore", package: "swift-nio"),
  .product(name: "NIOHTTP1", package: "swift-nio"),
  .product(name: "NIOPosix", package: "swift-nio"),
]
let nioHTTPTypes: Target.Dependency = .product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let x509: Target.Dependency = .product(name: "X509", package: "swift-certificates")

let package = Package(
  name: "gatehouse-server",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "gatehouse", targets: ["gatehouse"])],
  dependencies: [
    .package(name: "gatehouse", path: ".."),
    .package(name: "gatehouse-firebase", path: "../Firebase"),
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
    // The C libraries are the system's.
    .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(
      name: "CLibcrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CLibcrypt", pkgConfig: "libxcrypt", providers: [.apt(["libcrypt-dev"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CResolv"),
    // A folder for each capability.
    .target(
      name: "GatehouseServer",
      dependencies: shared + crypto + metrics + nio + [
        "CPostgres", "CLibcrypto", "CLibcrypt", "CCurl", "CResolv",
        asn1, grdb, .product(name: "GRDBSQLite", package: "GRDB.swift"), httpClient, httpTypes,
        hummingbird, hummingbirdCore, logging,
        .product(name: "Mustache", package: "swift-mustache"), nioHTTPTypes, nioSSL, x509,
      ],
      resources: ["handler", "popup", "redirect", "iframe", "gapi", "passkeys"].map {
        .embedInCode("Browser/Scripts/\($0).js")
      } + [
        .embedInCode("Browser/Pages/design.css"),
        .embedInCode("Browser/Welcome/Assets"), .embedInCode("Console/Assets"),
        .embedInCode("Database/SQLite/Migrations"),
        .embedInCode("Database/Postgres/Migrations"),
        .embedInCode("HTTP/OpenAPI/Capabilities"),
      ],
      swiftSettings: strict),
    // Shares nothing with the server: a mistake in shared code would be made on both sides.
    .target(
      name: "GatehouseSimulator",
      dependencies: crypto + nio + [httpClient, hummingbird, hummingbirdCore, httpTypes, logging],
      resources: [.embedInCode("HTTP/design.css")],
      swiftSettings: strict),
    .executableTarget(
      name: "gatehouse",
      dependencies: shared + crypto + lifecycle + metrics + nio + [
        "GatehouseServer", "GatehouseSimulator", argumentParser, httpClient, hummingbird, logging,
        .product(name: "NIOFoundationCompat", package: "swift-nio"),
      ],
      swiftSettings: strict),

    // Examples that need more than the package for apps, built here too. Their own packages have the names
    // without `example-`.
    .executableTarget(
      name: "example-command-line", dependencies: [sdk, argumentParser],
      path: "Examples/CommandLine/Sources/GatehouseExample"),
    .executableTarget(
      name: "example-firebase-app",
      dependencies: [.product(name: "FirebaseAuth", package: "gatehouse-firebase")],
      path: "Examples/FirebaseApp/Sources/FirebaseApp"),
    .executableTarget(
      name: "example-notes-api",
      dependencies: crypto + [verifier, hummingbird, logging, httpTypes],
      path: "Examples/NotesAPI/Sources/NotesAPI"),
    .testTarget(
      name: "BackEndTests",
      dependencies: shared + nio + [
        "example-notes-api", verifier, httpTypes, hummingbird, hummingbirdTesting,
      ]),

    // The rules, by capability; the endpoints, over HTTP; the stores, all by one suite; the programs.
    .testTarget(
      name: "GatehouseServerTests",
      dependencies: shared + crypto + nio + [
        "GatehouseServer", "TestStores", asn1, logging, nioSSL, x509,
      ],
      exclude: ["Mail/Clients"]),
    .testTarget(
      name: "EndpointTests",
      dependencies: shared + crypto + nio + [
        "GatehouseServer", "TestStores", asn1, httpTypes, hummingbird, hummingbirdCore,
        hummingbirdTesting, logging, .product(name: "NIOEmbedded", package: "swift-nio"),
        nioHTTPTypes, x509,
      ]),
    .testTarget(
      name: "DatabaseTests", dependencies: shared + ["GatehouseServer", "TestStores", grdb],
      exclude: ["Postgres/tls_proxy.py"]),
    .testTarget(
      name: "SimulatorTests",
      dependencies: crypto + lifecycle + nio + [
        "GatehouseSimulator", httpTypes, hummingbird, hummingbirdTesting, logging,
      ]),
    .testTarget(
      name: "CommandTests",
      dependencies: shared + ["gatehouse", "GatehouseServer", "TestStores", grdb, logging]),
    .target(name: "TestPrograms", path: "Tests/TestPrograms"),
    .target(
      name: "TestStores", dependencies: ["TestPrograms", "GatehouseServer"],
      path: "Tests/TestStores", swiftSettings: strict),
    // An app in a process of its own, for tests of what holds between processes.
    .executableTarget(
      name: "ClientProcess", dependencies: [sdk], path: "Tests/ClientProcess"),
    .testTarget(
      name: "EndToEndTests",
      dependencies: shared + crypto + nio + [
        "gatehouse", "ClientProcess", "TestPrograms", "TestStores", "GatehouseServer",
        sdk, firebase, .product(name: "GatehouseCore", package: "gatehouse"),
        .product(name: "GatehouseTesting", package: "gatehouse"), verifier, httpClient, nioSSL,
      ],
      exclude: ["Clients"]),
  ]
)

// `make fuzz` instruments everything, in a build folder of its own. Nobody else sees this product.
if Context.environment["GATEHOUSE_FUZZING"] != nil {
  package.products.append(.library(name: "FuzzTargets", type: .static, targets: ["FuzzTargets"]))
  package.targets.append(
    .target(
      name: "FuzzTargets", dependencies: shared + ["GatehouseServer"], path: "Fuzzing",
      exclude: ["corpus", "entry.c"]))
}
