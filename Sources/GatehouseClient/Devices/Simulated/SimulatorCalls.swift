import Foundation
import GatehouseProtocol

/// A device's calls to the simulator.
struct SimulatorCalls: Sendable {
  /// Without a slash at the end.
  let baseURL: String
  let transport: any Transport

  init(_ url: URL, _ transport: any Transport) {
    let text = url.absoluteString
    baseURL = text.hasSuffix("/") ? String(text.dropLast()) : text
    self.transport = transport
  }

  /// The status and the JSON object of a response; the object is empty if the body isn't one.
  typealias Answer = (status: Int, body: JSONObject)

  func get(_ path: String, _ query: KeyValuePairs<String, String>) async throws(DeviceFault)
    -> Answer
  {
    try await send(.get, "\(path)?\(Self.form(query))", body: nil, type: nil)
  }

  func post(_ path: String, _ body: JSONObject) async throws(DeviceFault) -> Answer {
    try await send(.post, path, body: Data(body.serialized()), type: "application/json")
  }

  func post(_ path: String, form: KeyValuePairs<String, String>) async throws(DeviceFault)
    -> Answer
  {
    try await send(
      .post, path, body: Data(Self.form(form).utf8), type: "application/x-www-form-urlencoded")
  }

  private func send(
    _ method: TransportRequest.Method, _ path: String, body: Data?, type: String?
  ) async throws(DeviceFault) -> Answer {
    guard let url = URL(string: baseURL + path) else {
      throw .unavailable(detail: "The simulator's URL can't be used")
    }
    let request = TransportRequest(
      method: method, url: url, headers: type.map { ["content-type": $0] } ?? [:], body: body)
    do {
      let response = try await transport.send(request)
      return (response.status, (try? JSONObject(parsing: Array(response.body))) ?? [:])
    } catch {
      switch error {
      case .cancelled: throw .cancelled
      case .network(let fault): throw .offline(detail: fault.detail)
      }
    }
  }

  /// The simulator's description of an error.
  static func fault(_ answer: Answer) -> DeviceFault {
    let detail = answer.body["error_description"]?.string ?? answer.body["error"]?.string
    return .failed(detail: "The simulator answered \(answer.status): \(detail ?? "nothing")")
  }

  private static func form(_ pairs: KeyValuePairs<String, String>) -> String {
    PercentEncoding.form(pairs.map { ($0.key, $0.value) })
  }
}
