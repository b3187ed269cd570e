import FirebaseAuth
import FirebaseCore
import Foundation
import Testing

/// Tests of the guides' code, against `gatehouse serve --dev` and its simulator.
///
/// They run one after the other: each process has one device, one default app and one Google SDK.
@Suite(.serialized, .appOnADevice) struct Guides {}

/// Starts the server, and configures the app with it.
struct AppOnADevice: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await GatehouseServer.with { server in
      try configure(server)
      try await register(server)
      try await GatehouseServer.$current.withValue(server) { try await function() }
    }
  }

  /// Does what the guides' `FirebaseApp.configure()` does, except for the server's port, the
  /// browser and listening.
  private func configure(_ server: GatehouseServer) throws {
    let file = try #require(
      URL(filePath: #filePath).pathComponents.lastIndex(of: "StandIns").map {
        URL(filePath: #filePath).pathComponents[..<$0].joined(separator: "/").dropFirst()
          + "/Examples/SignInWithApple/SignInWithApple.swiftpm/Resources/GoogleService-Info.plist"
      })
    let options = try #require(FirebaseOptions(contentsOfFile: String(file)))
    options.serverURL = URL(string: server.baseURL)
    // Tests decide when the device learns of changes that were made elsewhere.
    options.listensForChanges = false
    // A command has no Info.plist, in which an app registers its URL scheme.
    let browser = DeviceBrowser(scheme: "com.example.apps.demo")
    _ = try FirebaseApp.add(
      name: FirebaseApp.defaultName, values: options.values,
      services: AppServices(browser: browser))
  }

  /// The provider of the guide to OpenID Connect, as an operator registers it.
  private func register(_ server: GatehouseServer) async throws {
    let reply = try await HTTP.send(
      "POST",
      "\(server.baseURL)/identitytoolkit.googleapis.com/v2/projects/demo/oauthIdpConfigs"
        + "?oauthIdpConfigId=oidc.example-provider",
      bearer: "owner",
      [
        "issuer": .string(server.simulatorURL + "/oidc"), "clientId": "gatehouse-demo",
        "clientSecret": "demo-oidc-secret", "enabled": true, "displayName": "Example",
        "responseType": ["code": true],
      ])
    try #require(reply.status == 200, "\(reply.text)")
  }
}

extension Trait where Self == AppOnADevice {
  static var appOnADevice: Self { AppOnADevice() }
}
