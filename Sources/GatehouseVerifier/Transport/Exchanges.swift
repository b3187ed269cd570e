import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The data that URLSession's tasks have received so far, and the callers that wait for it.
///
/// Everything that ends an exchange removes it from the table, so that its continuation is resumed
/// exactly once.
// Sendable because of `table`, the lock around all mutable state.
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

  /// Ends an exchange with an error, unless it has ended already.
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
    // Only the configuration decides where keys come from.
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
