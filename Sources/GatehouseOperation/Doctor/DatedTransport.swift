package import Foundation
package import GatehouseFederation
import Synchronization

/// Notes what time others have, while something else is asked of them.
package final class DatedTransport: OutboundTransport {
  private let transport: any OutboundTransport
  private let noted = Mutex<[(date: String, receivedAt: Date)]>([])

  package init(_ transport: any OutboundTransport) { self.transport = transport }

  /// `Date` headers with this machine's time when they came.
  package var answers: [(date: String, receivedAt: Date)] { noted.withLock { $0 } }

  package func send(
    _ request: OutboundRequest
  ) async throws(OutboundError) -> OutboundResponse {
    let response = try await transport.send(request)
    if let date = response.date { noted.withLock { $0.append((date, Date())) } }
    return response
  }
}
