import AsyncHTTPClient
import GatehouseProtocol
import NIOCore
import NIOHTTP1

/// The test control of a simulator on this machine.
struct SimulatorClient: Sendable {
  /// A simulator can list 50,000 consents.
  private static let limits = JSONLimits(bytes: 32 << 20, values: 2_000_000)

  /// Without a slash at the end.
  let baseURL: String
  private let http: HTTPClient

  /// Passes a client for the simulator at `baseURL` to `body`.
  ///
  /// - Throws: ``CommandFailure`` if no simulator answers there, and the errors of `body`.
  static func with<Result>(
    _ baseURL: String, _ body: (SimulatorClient) async throws -> Result
  ) async throws -> Result {
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    // One attempt tells whether a simulator is there; it is on this machine.
    configuration.connectionPool.retryConnectionEstablishment = false
    let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    let client = SimulatorClient(baseURL: baseURL, http: http)
    do {
      try await client.checkIsThere()
      let result = try await body(client)
      try? await http.shutdown()
      return result
    } catch {
      try? await http.shutdown()
      throw error
    }
  }

  private func checkIsThere() async throws {
    guard let index = try? await send(.GET, "/", nil),
      index.body["name"]?.string == "Gatehouse simulator"
    else {
      throw CommandFailure(
        "no simulator answers at \(baseURL): start one with `gatehouse serve --dev`, or name its "
          + "port with \(Settings.simulatorPort.flag)")
    }
  }

  /// - Throws: ``CommandFailure`` with the simulator's explanation if it refuses.
  func get(_ path: String) async throws -> JSONObject { try await call(.GET, path, nil) }

  func put(_ path: String, _ members: KeyValuePairs<String, String?>) async throws {
    _ = try await call(.PUT, path, Self.object(members))
  }

  func post(
    _ path: String, _ members: KeyValuePairs<String, String?>
  ) async throws -> JSONObject {
    try await call(.POST, path, Self.object(members))
  }

  private static func object(_ members: KeyValuePairs<String, String?>) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { object in
      for (name, value) in members { object.member(name, ifPresent: value) }
    }
    return writer.bytes
  }

  private func call(_ method: HTTPMethod, _ path: String, _ body: [UInt8]?) async throws
    -> JSONObject
  {
    let answer: Answer
    do {
      answer = try await send(method, path, body)
    } catch {
      throw CommandFailure(
        "the simulator at \(baseURL) didn't answer as a simulator does: \(error)")
    }
    guard answer.status == 200 else {
      throw CommandFailure(
        "the simulator refused: "
          + (answer.body["error_description"]?.string ?? "status \(answer.status)"))
    }
    return answer.body
  }

  private struct Answer {
    let status: Int
    let body: JSONObject
  }

  private func send(_ method: HTTPMethod, _ path: String, _ body: [UInt8]?) async throws -> Answer {
    var request = HTTPClientRequest(url: baseURL + path)
    request.method = method
    if let body {
      request.headers.add(name: "content-type", value: "application/json")
      request.body = .bytes(body)
    }
    let response = try await http.execute(request, timeout: .seconds(20))
    let bytes = try await response.body.collect(upTo: Self.limits.bytes)
    return Answer(
      status: Int(response.status.code),
      body: try JSONObject(parsing: Array(bytes.readableBytesView), limits: Self.limits))
  }
}
