import FirebaseAuth
import FirebaseCore
import Foundation
import Testing

/// What the guides' code does, against `gatehouse serve --dev` and its simulator.
///
/// One after the other: there is one device, one default app and one Google SDK per process.
@Suite(.serialized, .appOnADevice) struct Guides {}

/// Starts the server, and configures the app with it.
struct AppOnADevice: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await GatehouseServer.with { server in
      try configure(server)
      try await GatehouseServer.$current.withValue(server) { try await function() }
    }
  }

  /// As the guides' `FirebaseApp.configure()` does, but for the port.
  private func configure(_ server: GatehouseServer) throws {
    let file = try #require(
      URL(filePath: #filePath).pathComponents.lastIndex(of: "StandIns").map {
        URL(filePath: #filePath).pathComponents[..<$0].joined(separator: "/").dropFirst()
          + "/Examples/SignInWithApple/GoogleService-Info.plist"
      })
    let options = try #require(FirebaseOptions(contentsOfFile: String(file)))
    options.serverURL = URL(string: server.baseURL)
    FirebaseApp.configure(options: options)
  }
}

extension Trait where Self == AppOnADevice {
  static var appOnADevice: Self { AppOnADevice() }
}
