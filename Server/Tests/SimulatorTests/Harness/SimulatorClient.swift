import Foundation
import GatehouseSimulator
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// One connection to a simulator on its own port.
struct SimulatorClient: Sendable {
  private let client: TestClient
  let baseURL: String
  let boundPort: Int?
  let clock: TestClock

  fileprivate init(client: TestClient, baseURL: String, boundPort: Int?, clock: TestClock) {
    self.client = client
    self.baseURL = baseURL
    self.boundPort = boundPort
    self.clock = clock
  }

  func send(
    _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields = [:], body: String? = nil,
    authority: String = "127.0.0.1"
  ) async throws -> Reply {
    let response = try await client.execute(
      TestClient.Request(
        path, method: method, authority: authority, headers: headers,
        body: body.map { ByteBuffer(string: $0) }))
    let bytes = response.body.map { Data($0.readableBytesView) } ?? Data()
    return Reply(status: response.status.code, headers: response.headers, body: bytes)
  }

  func get(_ path: String, headers: HTTPFields = [:]) async throws -> Reply {
    try await send(.get, path, headers: headers)
  }

  func get(_ path: String, query: KeyValuePairs<String, String>) async throws -> Reply {
    try await send(.get, "\(path)?\(Form.encode(query))")
  }

  func post(_ path: String, json: String) async throws -> Reply {
    try await send(.post, path, headers: [.contentType: "application/json"], body: json)
  }

  func put(_ path: String, json: String) async throws -> Reply {
    try await send(.put, path, headers: [.contentType: "application/json"], body: json)
  }

  func post(
    _ path: String, form: KeyValuePairs<String, String>, headers: HTTPFields = [:]
  ) async throws -> Reply {
    var headers = headers
    headers[.contentType] = "application/x-www-form-urlencoded"
    return try await send(.post, path, headers: headers, body: Form.encode(form))
  }
}

/// Runs `body` with a simulator on a free port, and shuts it down afterwards.
func withSimulator<Result: Sendable>(
  configure: @Sendable (inout Simulator.Configuration) -> Void = { _ in },
  _ body: @escaping @Sendable (SimulatorClient) async throws -> Result
) async throws -> Result {
  let clock = TestClock()
  var configuration = Simulator.Configuration()
  configuration.port = 0
  configuration.now = { clock.now }
  let keys = SharedKeys()
  configuration.makeSigningKey = { try keys.next() }
  configure(&configuration)
  var logger = Logger(label: "test")
  logger.logLevel = .error
  let (running, continuation) = AsyncStream<String>.makeStream()
  let simulator = Simulator(configuration: configuration, logger: logger) { baseURL in
    continuation.yield(baseURL)
  }
  let service = ServiceGroup(
    configuration: ServiceGroupConfiguration(services: [simulator.application], logger: logger))
  return try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask {
      defer { continuation.finish() }
      try await service.run()
    }
    defer { group.cancelAll() }
    guard let baseURL = await running.first(where: { _ in true }), let port = simulator.boundPort
    else { throw SimulatorDidNotStart() }
    let result = try await TestClient.withClient(host: "127.0.0.1", port: port) { client in
      try await body(
        SimulatorClient(
          client: client, baseURL: baseURL, boundPort: simulator.boundPort, clock: clock))
    }
    // Cancelling could leave a connection that was just accepted without a handler, and then NIO
    // traps (`NIOAsyncWriter`).
    await service.triggerGracefulShutdown()
    try await group.next()
    return result
  }
}

/// A sequence of different keys for one simulator, from keys that all simulators share: creating
/// one takes a second in an unoptimized build.
final class SharedKeys: Sendable {
  private static let made = Mutex<[SigningKey]>([])
  private let count = Mutex(0)

  func next() throws -> SigningKey {
    let index = count.withLock { count in
      defer { count += 1 }
      return count
    }
    return try Self.made.withLock { made in
      while made.count <= index { made.append(try SigningKey()) }
      return made[index]
    }
  }
}

struct SimulatorDidNotStart: Error {}

/// A clock that changes only when a test moves it.
final class TestClock: Sendable {
  private let time = Mutex(Date(timeIntervalSince1970: 1_750_000_000))

  var now: Date { time.withLock { $0 } }

  func advance(seconds: Double) {
    time.withLock { $0 += seconds }
  }
}

enum Form {
  static func encode(_ pairs: KeyValuePairs<String, String>) -> String {
    pairs.map { "\($0.key)=\(escape($0.value))" }.joined(separator: "&")
  }

  private static func escape(_ text: String) -> String {
    let unreserved = CharacterSet(
      charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
    return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }
}
