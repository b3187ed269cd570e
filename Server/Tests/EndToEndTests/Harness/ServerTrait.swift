import Testing

/// Gives all tests of a suite the same development server: ``GatehouseServer/current``.
///
/// The tests run concurrently, so each creates its own accounts.
struct ServerTrait: SuiteTrait, TestScoping {
  let options: GatehouseServer.Options

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await Turns.ofSuites.take {
      try await GatehouseServer.with(options) { server in
        try await GatehouseServer.$current.withValue(server) { try await function() }
      }
    }
  }
}

extension Trait where Self == ServerTrait {
  /// A `--dev` server for the suite.
  static func developmentServer(_ arguments: String...) -> Self {
    ServerTrait(options: GatehouseServer.Options(arguments: arguments))
  }

  static var developmentServer: Self { developmentServer() }
}

/// The suite's server.
func suiteServer() throws -> GatehouseServer { try #require(GatehouseServer.current) }
