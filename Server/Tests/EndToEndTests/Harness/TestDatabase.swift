import Foundation
import GatehouseServer
import Synchronization
import TestStores

/// A PostgreSQL database for one test of the real server and command.
struct TestDatabase: Sendable {
  let url: String

  static func make() throws -> TestDatabase {
    let name = "test_" + UUID().uuidString.lowercased().replacing("-", with: "_")
    return TestDatabase(url: try PostgresCluster.shared.get().url(ofDatabase: name))
  }

  private static let ofFolders = Mutex<[String: TestDatabase]>([:])

  /// With `GATEHOUSE_TEST_DATABASE=postgres` each data folder is mapped to its own database. So all
  /// end-to-end tests run on PostgreSQL, except those of SQLite's files.
  static func environment(of arguments: [String]) throws -> [String: String] {
    guard TestStore.isPostgres, !arguments.contains("--database"),
      let flag = arguments.firstIndex(of: "--data"), flag + 1 < arguments.endIndex
    else { return [:] }
    let database = try ofFolders.withLock { databases in
      let folder = arguments[flag + 1]
      if let known = databases[folder] { return known }
      let new = try make()
      databases[folder] = new
      return new
    }
    return patience.merging(["GATEHOUSE_DATABASE": database.url]) { $1 }
  }

  /// Runs statements in the database.
  func run(_ statements: String) throws {
    try PostgresStore.script(statements, at: try PostgresAddress(url))
  }

  /// A long wait, because the machine runs other tests, too.
  static let patience = ["GATEHOUSE_POSTGRES_WAIT_SECONDS": "60"]

  /// The arguments and environment with which a `--dev` server uses the database.
  func options(_ arguments: [String] = []) -> GatehouseServer.Options {
    GatehouseServer.Options(
      arguments: ["--database", url] + arguments, environment: Self.patience)
  }
}
