import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What URLSession's tasks have received so far, and who waits for it.
///
/// Whatever ends an exchange takes it out of the table, so that its continuation is resumed once.
// Sendable by `table`, the lock around everything that changes.
final class Exchanges: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  typealias Waiter = CheckedContinuation<Result<ServerResponse, ServerFault>, Never>

  private struct Exchange {
    let waiter: Waiter
    let maximumBytes: Int
    var body = Data()
  }

  private let table = Mutex<[Int: Exchange]>([:])

  func begin(_ task: URLSessionTask, maximumBytes: Int, _ waiter: Waiter) {
    table.withLock {
      $0[task.taskIdentifier] = Exchange(waiter: waiter, maximumBytes: maximumBytes)
    }
  }

  /// Gives an exchange up, if it isn't over.
  func end(_ task: URLSessionTask, as fault: ServerFault) {
    guard let exchange = take(task) else { return }
    exchange.waiter.resume(returning: .failure(fault))
    task.cancel()
  }

  private func take(_ task: URLSessionTask) -> Exchange? {
    table.withLock { $0.removeValue(forKey: task.taskIdentifier) }
  }

  // MARK: URLSession

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let fits = table.withLock { table in
      guard let exchange = table[dataTask.taskIdentifier] else { return true }
      guard data.count <= exchange.maximumBytes - exchange.body.count else { return false }
      table[dataTask.taskIdentifier]?.body.append(data)
      return true
    }
    if !fits { end(dataTask, as: .tooLarge) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) {
    // Where keys come from is the configuration's to say.
    completionHandler(nil)
    end(task, as: .status(response.statusCode))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    guard let exchange = take(task) else { return }
    exchange.waiter.resume(returning: Self.outcome(task.response, exchange.body, error))
  }

  private static func outcome(
    _ response: URLResponse?, _ body: Data, _ error: (any Error)?
  ) -> Result<ServerResponse, ServerFault> {
    if let error {
      let isTimeout = (error as? URLError)?.code == .timedOut
      return .failure(isTimeout ? .timedOut : .connection(error.localizedDescription))
    }
    guard let response = response as? HTTPURLResponse else { return .failure(.malformed) }
    return .success(
      ServerResponse(
        status: response.statusCode,
        cacheControl: response.value(forHTTPHeaderField: "Cache-Control"),
        age: response.value(forHTTPHeaderField: "Age").flatMap { Int($0) }, body: body))
  }
}
