import Foundation
import GatehousePostgres
import TestStores

/// A PostgreSQL database of a test's own, for the real server and command.
struct TestDatabase: Sendable {
  let url: String

  static func make() throws -> TestDatabase {
    let name = "test_" + UUID().uuidString.lowercased().replacing("-", with: "_")
    return TestDatabase(url: try PostgresCluster.shared.get().url(ofDatabase: name))
  }

  /// Runs statements in the database.
  func run(_ statements: String) throws {
    try PostgresStore.script(statements, at: try PostgresAddress(url))
  }

  /// For a machine that runs other tests, too.
  static let patience = ["GATEHOUSE_POSTGRES_WAIT_SECONDS": "60"]

  /// The arguments and environment with which a `--dev` server uses the database.
  func options(_ arguments: [String] = []) -> GatehouseServer.Options {
    GatehouseServer.Options(
      arguments: ["--database", url] + arguments, environment: Self.patience)
  }
}
