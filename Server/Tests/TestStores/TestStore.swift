package import Foundation
package import GatehouseServer

/// The store of tests that need one and any will do: SQLite, or PostgreSQL with
/// `GATEHOUSE_TEST_DATABASE=postgres`.
package enum TestStore {
  package static let isPostgres =
    ProcessInfo.processInfo.environment["GATEHOUSE_TEST_DATABASE"] == "postgres"

  /// Opens the store whose data is in the folder, as a process does when it starts.
  package static func open(at folder: URL, sealing: any SecretSealing) throws -> any Store {
    isPostgres
      ? try postgres(at: folder, sealing: sealing)
      : try SQLiteStore.open(at: folder, sealing: sealing)
  }

  /// The data is in a schema with the folder's name.
  package static func postgres(at folder: URL, sealing: any SecretSealing) throws -> any Store {
    let schema = folder.lastPathComponent.lowercased().replacing("-", with: "_")
    var address = try PostgresAddress(try PostgresCluster.shared.get().url(ofSchema: schema))
    address.connections = 4
    // The machine may be busy with other tests.
    address.waitSeconds = 60
    address.statementSeconds = 60
    return try PostgresStore.open(address, sealing: sealing)
  }
}
