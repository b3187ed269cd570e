import GatehouseServer
import GatehouseProtocol
import Synchronization

/// Returns prepared responses, and records the requests.
final class StubTransport: OutboundTransport {
  typealias Answer = @Sendable (OutboundRequest) throws(OutboundError) -> OutboundResponse

  private struct State {
    var answers: [String: Answer] = [:]
    var requests: [OutboundRequest] = []
  }

  private let state = Mutex(State())

  func on(_ url: String, _ answer: @escaping Answer) {
    state.withLock { $0.answers[url] = answer }
  }

  func on(
    _ url: String, status: Int = 200, _ body: [UInt8], cacheControl: String? = nil
  ) {
    on(url) { _ throws(OutboundError) in
      OutboundResponse(status: status, cacheControl: cacheControl, body: body)
    }
  }

  func on(_ url: String, status: Int = 200, _ json: JSONObject) {
    on(url, status: status, json.serialized())
  }

  func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
    let answer = state.withLock { state in
      state.requests.append(request)
      return state.answers[request.url.text]
    }
    guard let answer else { throw .notConnected(host: request.url.host) }
    return try answer(request)
  }

  var requests: [OutboundRequest] { state.withLock { $0.requests } }

  func count(_ url: String) -> Int { requests.count { $0.url.text == url } }

  /// The values of a form field in the requests to `url`, in order.
  func fields(_ name: String, at url: String) -> [String?] {
    requests.filter { $0.url.text == url }.map { request in
      request.form?.first { $0.name == name }?.value.reveal()
    }
  }
}
