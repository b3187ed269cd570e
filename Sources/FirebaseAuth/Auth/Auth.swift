public import Foundation
package import GatehouseClient

/// Signs people in to one project, and keeps the session.
@preconcurrency
open class Auth: NSObject, @unchecked Sendable {  // `state` locks all that changes.
  /// The client this is a facade of.
  package var client: AuthClient {
    let store = NoStore()
    return AuthClient(
      configuration: fixed, store: store, transport: NoTransport())
  }

  private let fixed: ClientConfiguration

  package init(configuration: ClientConfiguration) { fixed = configuration }
}

private struct NoStore: SessionStore {
  func read(_ key: String) throws(StoreFault) -> Data? { nil }
  func write(_ data: Data, for key: String) throws(StoreFault) {}
  func remove(_ key: String) throws(StoreFault) {}
  func update(
    _ key: String, _ change: (Data?) throws(StoreFault) -> Data?
  ) throws(StoreFault) -> Data? { try change(nil) }
}

private struct NoTransport: Transport {
  func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
    throw .cancelled
  }
}
