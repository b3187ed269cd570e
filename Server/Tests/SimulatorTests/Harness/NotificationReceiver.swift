import Foundation
import Hummingbird
import Logging
import NIOCore
import Synchronization

/// An app's server for notifications: it stores the payloads and responds as configured.
final class NotificationReceiver: Sendable {
  struct Received: Sendable {
    let contentType: String?
    let body: String
  }

  private let all = Mutex<[Received]>([])
  private let status = Mutex(200)
  let url: String

  fileprivate init(port: Int) { url = "http://127.0.0.1:\(port)/notifications" }

  /// What was received, oldest first.
  var received: [Received] { all.withLock { $0 } }

  /// The received payloads of Apple, oldest first.
  var payloads: [String] { received.compactMap { JSONText($0.body).string("payload") } }

  func answer(with code: Int) { status.withLock { $0 = code } }

  fileprivate func take(_ notification: Received) -> Int {
    all.withLock { $0.append(notification) }
    return status.withLock { $0 }
  }
}

/// Runs `body` with a receiver on a free port.
func withReceiver<Result: Sendable>(
  _ body: @escaping @Sendable (NotificationReceiver) async throws -> Result
) async throws -> Result {
  let (ports, continuation) = AsyncStream<Int>.makeStream()
  let made = Mutex<NotificationReceiver?>(nil)
  let router = Router()
  router.post("/notifications") { request, _ in
    let bytes = try await request.body.collect(upTo: 65_536)
    let notification = NotificationReceiver.Received(
      contentType: request.headers[.contentType], body: String(buffer: bytes))
    let code = made.withLock { $0 }?.take(notification) ?? 500
    return Response(
      status: .init(code: code),
      body: ResponseBody(byteBuffer: ByteBuffer(string: "{\"answer\":\(code)}")))
  }
  var logger = Logger(label: "test")
  logger.logLevel = .error
  let application = Application(
    router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
    onServerRunning: { continuation.yield($0.localAddress?.port ?? 0) }, logger: logger)
  return try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask {
      defer { continuation.finish() }
      try await application.run()
    }
    defer { group.cancelAll() }
    guard let port = await ports.first(where: { _ in true }) else { throw SimulatorDidNotStart() }
    let receiver = NotificationReceiver(port: port)
    made.withLock { $0 = receiver }
    return try await body(receiver)
  }
}
