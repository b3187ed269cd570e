import GatehouseProtocol
import Metrics

/// Counts, times and traces the requests of another transport.
package struct ObservedTransport: OutboundTransport {
  package enum Kind: String, Sendable {
    case provider, webhook, function, mail
  }

  private let kind: Kind
  private let base: any OutboundTransport

  package init(_ kind: Kind, _ base: any OutboundTransport) {
    self.kind = kind
    self.base = base
  }

  package func send(
    _ request: OutboundRequest
  ) async throws(OutboundError) -> OutboundResponse {
    let kind = request.isForKeys ? "keys" : kind.rawValue
    let provider = request.provider.map { IdentityProviders.metricsLabel(of: $0) } ?? "none"
    let start = ContinuousClock.now
    let result = await traced(request, kind, provider)
    Metric.outboundSeconds.timer(("kind", kind), ("provider", provider)).record(.now - start)
    Metric.outboundRequests.counter(
      ("kind", kind), ("provider", provider), ("outcome", Self.outcome(result))
    ).increment()
    return try result.get()
  }

  private static func outcome(_ result: Result<OutboundResponse, OutboundError>) -> String {
    switch result {
    case .success(let response) where response.status < 400: "ok"
    case .success(let response) where response.status < 500: "refused"
    case .success, .failure: "failed"
    }
  }

  private func traced(
    _ request: OutboundRequest, _ kind: String, _ provider: String
  ) async -> Result<OutboundResponse, OutboundError> {
    let attributes = ["server.address": request.url.host, "gatehouse.provider": provider]
    let sent = try? await Span.within(kind, of: .client, attributes) {
      let result = await answer(to: request)
      switch result {
      case .success(let response): Span.current?.set("http.response.status_code", response.status)
      case .failure: Span.current?.fail("unreachable")
      }
      return result
    }
    return sent ?? .failure(.cancelled)
  }

  private func answer(
    to request: OutboundRequest
  ) async -> Result<OutboundResponse, OutboundError> {
    var request = request
    // Only programs of the operator and of projects learn of traces.
    if self.kind != .provider { request.traceParent = Span.current?.place.text }
    do {
      return .success(try await base.send(request))
    } catch {
      return .failure(error)
    }
  }
}
