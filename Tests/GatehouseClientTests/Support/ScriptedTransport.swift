import Foundation
import GatehouseClient
import GatehouseProtocol

/// A server whose answers a test sets.
final class ScriptedTransport: Transport {
  typealias Answer = @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse

  private struct State {
    var answers: [(path: String, answer: Answer)] = []
    var requests: [TransportRequest] = []
  }

  private let state = Locked(State())

  var requests: [TransportRequest] { state.withLock(\.requests) }

  func requests(_ path: String) -> [TransportRequest] {
    requests.filter { $0.url.path.hasSuffix(path) }
  }

  /// The answer to all later requests to `path`. The latest call wins.
  func on(_ path: String, _ answer: @escaping Answer) {
    state.withLock { $0.answers.append((path, answer)) }
  }

  func on(_ path: String, _ response: @escaping @Sendable () -> any WireResponse) {
    on(path) { (_) throws(TransportFault) in Self.ok(response()) }
  }

  func on(_ path: String, refusing message: String, status: Int = 400) {
    on(path) { (_) throws(TransportFault) in Self.refusal(message, status: status) }
  }

  func on(_ path: String, failing kind: NetworkFault.Kind) {
    on(path) { (_) throws(TransportFault) in throw .network(NetworkFault(kind, detail: "scripted"))
    }
  }

  /// These answers, one after another; the last one is repeated.
  func on(_ path: String, inTurn answers: [Answer]) {
    let turn = Locked(0)
    on(path) { (request) throws(TransportFault) in
      let index = turn.withLock { turn in
        defer { turn += 1 }
        return min(turn, answers.count - 1)
      }
      return try await answers[index](request)
    }
  }

  func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
    let answer = state.withLock { state in
      state.requests.append(request)
      return state.answers.last { request.url.path.hasSuffix($0.path) }?.answer
    }
    guard let answer else { throw .network(NetworkFault(.other, detail: "No script for this")) }
    return try await answer(request)
  }

  static func ok(_ response: any WireResponse) -> TransportResponse {
    TransportResponse(status: 200, headers: [:], body: Data(response.json()))
  }

  static func refusal(_ message: String, status: Int = 400) -> TransportResponse {
    TransportResponse(
      status: status, headers: [:], body: Data(ErrorBody(code: status, message: message).json()))
  }

  static func answering(_ response: @escaping @Sendable () -> any WireResponse) -> Answer {
    { (_) throws(TransportFault) in ok(response()) }
  }

  static func refusing(_ message: String) -> Answer {
    { (_) throws(TransportFault) in refusal(message) }
  }

  static let lost: Answer = { (_) throws(TransportFault) in
    throw .network(NetworkFault(.lost, detail: "scripted"))
  }
}

extension TransportRequest {
  /// The body as the server's own types read it.
  func message<Request: WireRequest>(_ type: Request.Type) throws -> Request {
    try Request(WireFields(try JSONObject(parsing: [UInt8](body ?? Data()))))
  }
}
