import Foundation
import GatehouseClient
import GatehouseProtocol

/// A scripted server that also has streams. A test writes into the latest one.
final class StreamingServer: StreamingTransport {
  typealias Writer = AsyncThrowingStream<Data, any Error>.Continuation

  private struct State {
    var status = 200
    var headers = ["content-type": "text/event-stream"]
    var body = ""
    var requests: [TransportRequest] = []
    var writers: [Writer] = []
    var ended = 0
  }

  let scripted: ScriptedTransport
  private let state = Locked(State())

  init(_ scripted: ScriptedTransport) { self.scripted = scripted }

  var requests: [TransportRequest] { state.withLock(\.requests) }
  /// How many streams the client has left.
  var leftCount: Int { state.withLock(\.ended) }

  func refuse(_ status: Int, _ body: String = "", headers: [String: String] = [:]) {
    state.withLock { state in
      state.status = status
      state.body = body
      state.headers = headers
    }
  }

  func write(_ text: String) {
    _ = state.withLock(\.writers.last)?.yield(Data(text.utf8))
  }

  func event(_ type: String, id: String? = nil) {
    write((id.map { "id: \($0)\n" } ?? "") + "event: \(type)\ndata: {}\n\n")
  }

  func end() { state.withLock(\.writers.last)?.finish() }

  func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
    try await scripted.send(request)
  }

  func stream(_ request: TransportRequest) async throws(TransportFault) -> TransportStream {
    let (pieces, writer) = AsyncThrowingStream.makeStream(of: Data.self)
    writer.onTermination = { [weak self] in
      guard case .cancelled = $0 else { return }
      self?.state.withLock { $0.ended += 1 }
    }
    return state.withLock { state in
      state.requests.append(request)
      state.writers.append(writer)
      if state.status != 200 {
        writer.yield(Data(state.body.utf8))
        writer.finish()
      }
      return TransportStream(status: state.status, headers: state.headers, pieces: pieces)
    }
  }
}
