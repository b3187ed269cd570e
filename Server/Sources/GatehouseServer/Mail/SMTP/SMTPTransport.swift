import Dispatch
import Synchronization

/// Sends messages to one server, on a few threads of its own.
///
/// libcurl's easy interface blocks. If it ran on the threads of Swift's concurrency, a server that
/// doesn't reply would stop all other work. Each thread keeps its connection for the next message. A
/// cancelled task still waits for the result of its message, because the caller must record it.
package final class SMTPTransport: Sendable {
  private let workers: [Worker]
  private let limit: Int
  private let state = Mutex((waiting: 0, next: 0))

  /// - Parameters:
  ///   - threads: The number of threads, and so of connections at the same time.
  ///   - limit: The maximum number of messages that wait or are being sent. The result of a further
  ///     message is ``DeliveryResult/unreachable(_:)``.
  package init(to server: SMTPServer, threads: Int = 2, limit: Int = 64) {
    workers = (0..<max(1, threads)).map { Worker(number: $0, server: server) }
    self.limit = limit
  }

  /// Sends one message and returns the result. Tries again only if the kept connection turns out
  /// to be closed.
  package func send(_ mail: ComposedMail) async -> DeliveryResult {
    await use { $0.send(mail) }
  }

  /// Connects and authenticates as for a message, but sends none.
  ///
  /// - Returns: ``DeliveryResult/delivered(reply:)`` if a message could be sent.
  package func check() async -> DeliveryResult { await use { $0.check() } }

  private func use(
    _ body: @escaping @Sendable (borrowing SMTPConnection) -> DeliveryResult
  ) async -> DeliveryResult {
    let worker: Worker? = state.withLock { state in
      guard state.waiting < limit else { return nil }
      state.waiting += 1
      state.next = (state.next + 1) % workers.count
      return workers[state.next]
    }
    guard let worker else { return .unreachable("too many messages wait for the mail server") }
    defer { state.withLock { $0.waiting -= 1 } }
    return await worker.use(body)
  }
}

/// A serial queue with its connection.
private final class Worker: Sendable {
  private let queue: DispatchQueue
  private let connection: KeptConnection

  init(number: Int, server: SMTPServer) {
    queue = DispatchQueue(label: "gatehouse.mail.\(number)")
    connection = KeptConnection(to: server)
  }

  /// Closes the connection on the worker's own queue. Closing sends QUIT and waits for the server's
  /// reply, which would block the thread that releases the worker.
  deinit { queue.async { [connection] in connection.close() } }

  func use(
    _ body: @escaping @Sendable (borrowing SMTPConnection) -> DeliveryResult
  ) async -> DeliveryResult {
    await withCheckedContinuation { continuation in
      queue.async { [connection] in continuation.resume(returning: connection.use(body)) }
    }
  }
}

/// The connection of a worker. Its queue is serial, so no thread ever waits for the lock.
private final class KeptConnection: Sendable {
  private let connection: Mutex<SMTPConnection?>

  init(to server: SMTPServer) { connection = Mutex(SMTPConnection(to: server)) }

  func use(_ body: (borrowing SMTPConnection) -> DeliveryResult) -> DeliveryResult {
    connection.withLock { connection in
      switch connection {
      case .none: .unreachable("the connection is closed")
      case .some(let open): body(open)
      }
    }
  }

  func close() { connection.withLock { $0 = nil } }
}
