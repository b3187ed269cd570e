import Foundation
import GatehouseServer
import TestStores

/// Seals nothing.
struct PlainSealer: SecretSealing {
  func seal(_ plaintext: [UInt8], at place: SealedPlace) throws -> [UInt8] { plaintext }
  func open(_ sealed: [UInt8], at place: SealedPlace) throws -> [UInt8] { sealed }
}

/// The address, for a busy machine.
func address(_ url: String, connections: Int = 1) throws -> PostgresAddress {
  var address = try PostgresAddress(url)
  address.connections = connections
  address.waitSeconds = 60
  return address
}

/// Runs `body` with a schema of the cluster, and its URL.
func withSchema(
  _ body: (_ cluster: PostgresCluster, _ schema: String, _ url: String) async throws -> Void
) async throws {
  let cluster = try PostgresCluster.shared.get()
  let schema = "test_" + UUID().uuidString.lowercased().replacing("-", with: "_")
  try await body(cluster, schema, try cluster.url(ofSchema: schema))
}
