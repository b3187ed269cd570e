import Foundation
import GatehouseServer
import Synchronization

/// Records the times in other servers' responses to the requests that it sends.
final class DatedTransport: OutboundTransport {
  private let transport: any OutboundTransport
  private let noted = Mutex<[(date: String, receivedAt: Date)]>([])

  init(_ transport: any OutboundTransport) { self.transport = transport }

  /// `Date` headers, each with this machine's time when the response arrived.
  var answers: [(date: String, receivedAt: Date)] { noted.withLock { $0 } }

  func send(
    _ request: OutboundRequest
  ) async throws(OutboundError) -> OutboundResponse {
    let response = try await transport.send(request)
    if let date = response.date { noted.withLock { $0.append((date, Date())) } }
    return response
  }
}
