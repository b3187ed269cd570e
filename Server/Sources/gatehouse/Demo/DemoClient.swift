import AsyncHTTPClient
import GatehouseProtocol
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// Sends the story's requests and shows them, with tokens cut short.
struct DemoClient: Sendable {
  let http: HTTPClient

  struct Answer {
    let status: Int
    let body: JSONObject

    func string(_ name: String) -> String? { body[name]?.string }

    /// `error.message` of the protocol's envelope, or the simulator's own.
    var message: String? { body["error"]?.object?["message"]?.string ?? string("error") }
  }

  func get(_ url: String) async throws -> Answer { try await send(.GET, url, nil) }

  /// Members that are null are left out.
  func post(_ url: String, _ members: KeyValuePairs<String, JSONValue>) async throws -> Answer {
    var writer = JSONWriter()
    writer.object { object in
      for (name, value) in members where !value.isNull { object.member(name, value) }
    }
    return try await send(.POST, url, writer.bytes)
  }

  private func send(
    _ method: HTTPMethod, _ url: String, _ body: [UInt8]?
  ) async throws -> Answer {
    var request = HTTPClientRequest(url: url)
    request.method = method
    if let body {
      request.headers.add(name: "content-type", value: "application/json")
      request.body = .bytes(body)
    }
    show("→ \(method) \(url)", body)
    do {
      let response = try await http.execute(request, timeout: .seconds(20))
      let bytes = Array(try await response.body.collect(upTo: 1 << 20).readableBytesView)
      show("← \(response.status.code)", bytes)
      return Answer(
        status: Int(response.status.code),
        body: (try? JSONObject(parsing: bytes)) ?? JSONObject())
    } catch {
      throw CommandFailure(
        "\(url) can't be reached (\(error)). Start the server in another terminal with "
          + "`gatehouse serve --dev`, or name it with --url and --simulator")
    }
  }

  private func show(_ line: String, _ body: [UInt8]?) {
    let text = body.map { String(decoding: $0, as: UTF8.self) } ?? ""
    Terminal.say("     \(line) \(Self.abridged(text))")
  }

  /// Long texts are tokens, which tell a reader nothing.
  private static func abridged(_ text: String) -> String {
    let short = text.replacing(/[A-Za-z0-9_\-+\/=.%]{48,}/) { "\($0.output.prefix(12))…" }
    return short.count > 600 ? short.prefix(600) + "…" : String(short)
  }
}
