import Foundation
import GRDB
import GatehouseServer
import GatehouseProtocol
import Testing

/// A store with one project, `first-project`.
func openStore(
  _ folder: URL, lockWaitMilliseconds: Int = 5000
) async throws -> SQLiteStore {
  let store = try SQLiteStore.open(
    at: folder, sealing: TaggingSealer(), lockWaitMilliseconds: lockWaitMilliseconds)
  let project = Project(
    id: try projectID(), number: 1, issuer: "https://auth.example.com/first-project",
    authorizedDomains: [], policies: ProjectPolicies())
  try await store.write { try $0.save(project) }
  return store
}

func projectID() throws -> ProjectID { try #require(ProjectID("first-project")) }

func databasePath(_ folder: URL) -> String {
  folder.appendingPathComponent(SQLiteStore.fileName).path
}

/// Another program's connection to the same file.
func connect(_ folder: URL) throws -> DatabaseQueue {
  var configuration = Configuration()
  // A test may leave a transaction open, as a slow command would.
  configuration.allowsUnsafeTransactions = true
  return try DatabaseQueue(path: databasePath(folder), configuration: configuration)
}

func token(_ number: Int) -> SingleUseToken {
  let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
  return SingleUseToken(digest: bytes, expiresAt: Date(timeIntervalSince1970: 1_800_000_000))
}
