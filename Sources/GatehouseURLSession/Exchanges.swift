import Foundation
import GatehouseProtocol

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The exchanges of one session that are in progress: what has arrived, and the callers that wait.
///
/// A delegate, because only a delegate can stop a long response while it arrives, and refuse a
/// redirect. Everything that ends an exchange removes it from the table, so that its continuation is
/// resumed exactly once.
final class Exchanges: NSObject, URLSessionDataDelegate {
  typealias Outcome = Result<ExchangeResponse, ExchangeFault>
  typealias Waiter = CheckedContinuation<Outcome, Never>

  private struct Exchange {
    let waiter: Waiter
    let maximumBytes: Int
    var head: HTTPURLResponse?
    var body = Data()
    var isRedirect = false
  }

  private let table = Locked<[Int: Exchange]>([:])

  func begin(_ task: URLSessionTask, maximumBytes: Int, _ waiter: Waiter) {
    table.withLock {
      $0[task.taskIdentifier] = Exchange(waiter: waiter, maximumBytes: maximumBytes)
    }
  }

  /// Ends an exchange with a fault, unless it has ended already.
  func end(_ task: URLSessionTask, as fault: ExchangeFault) {
    take(task)?.waiter.resume(returning: .failure(fault))
    task.cancel()
  }

  private func take(_ task: URLSessionTask) -> Exchange? {
    table.withLock { $0.removeValue(forKey: task.taskIdentifier) }
  }

  // MARK: URLSessionDataDelegate

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) {
    // The redirect itself is the response.
    table.withLock { $0[task.taskIdentifier]?.isRedirect = true }
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    table.withLock { $0[dataTask.taskIdentifier]?.head = response as? HTTPURLResponse }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let fits = table.withLock { table in
      guard let exchange = table[dataTask.taskIdentifier] else { return true }
      guard data.count <= exchange.maximumBytes - exchange.body.count else { return false }
      table[dataTask.taskIdentifier]?.body.append(data)
      return true
    }
    if !fits { end(dataTask, as: ExchangeFault(.tooLong, detail: "The answer is too long.")) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    guard let exchange = take(task) else { return }
    exchange.waiter.resume(returning: Self.outcome(exchange, task.response, error))
  }

  private static func outcome(
    _ exchange: Exchange, _ response: URLResponse?, _ error: (any Error)?
  ) -> Outcome {
    if let error { return .failure(ExchangeFault(error, afterHead: exchange.head != nil)) }
    // swift-corelibs-foundation doesn't call the delegate for a head without a body.
    guard let head = exchange.head ?? response as? HTTPURLResponse else {
      return .failure(ExchangeFault(.noAnswer, detail: "There was no answer."))
    }
    var headers: [String: String] = [:]
    for (name, value) in head.allHeaderFields {
      guard let name = name as? String, let value = value as? String else { continue }
      headers[name.lowercased()] = value
    }
    // swift-corelibs-foundation may report a response that broke off as complete.
    if headers["content-encoding"] == nil,
      let length = headers["content-length"].flatMap({ Int($0) }), length > exchange.body.count
    {
      return .failure(ExchangeFault(.lost, detail: "The answer broke off."))
    }
    return .success(
      ExchangeResponse(
        status: head.statusCode, headers: headers, body: exchange.body,
        isRedirect: exchange.isRedirect))
  }
}
