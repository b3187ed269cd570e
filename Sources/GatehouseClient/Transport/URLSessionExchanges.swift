import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The exchanges of one session that are in progress: collects answers, within a limit.
///
/// A delegate, because only a delegate can stop a long answer while it arrives, and refuse a
/// redirect.
final class URLSessionExchanges: NSObject, URLSessionDataDelegate {
  typealias Outcome = Result<TransportResponse, TransportFault>

  private struct Exchange {
    var continuation: CheckedContinuation<Outcome, Never>
    var head: HTTPURLResponse?
    var body = Data()
  }

  private let exchanges = Mutex<[Int: Exchange]>([:])

  /// Runs `task`, and cancels it with the caller's task.
  func run(_ task: URLSessionDataTask) async -> Outcome {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        exchanges.withLock {
          $0[task.taskIdentifier] = Exchange(continuation: continuation)
        }
        // The task was cancelled before the exchange was registered.
        if Task.isCancelled { end(task) { _ in .failure(.cancelled) } }
        task.resume()
      }
    } onCancel: {
      task.cancel()
    }
  }

  /// A request's own timeout begins anew with each byte; this one limits the whole exchange.
  func timeOut(_ task: URLSessionTask) {
    end(task) { _ in
      .failure(.network(NetworkFault(.timedOut, detail: "The answer took too long.")))
    }
    task.cancel()
  }

  private func end(_ task: URLSessionTask, _ outcome: (Exchange) -> Outcome) {
    let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    guard let exchange else { return }
    exchange.continuation.resume(returning: outcome(exchange))
  }

  // MARK: URLSessionDataDelegate

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    exchanges.withLock {
      $0[dataTask.taskIdentifier]?.head = response as? HTTPURLResponse
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLong = exchanges.withLock { exchanges in
      exchanges[dataTask.taskIdentifier]?.body.append(data)
      let count = exchanges[dataTask.taskIdentifier]?.body.count ?? 0
      return count > URLSessionTransport.maximumAnswerBytes
    }
    guard isTooLong else { return }
    end(dataTask) { _ in
      .failure(.network(NetworkFault(.other, detail: "The answer is longer than 1 MiB.")))
    }
    dataTask.cancel()
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    end(task) { exchange in
      if let error {
        return .failure(TransportFault(error, afterHead: exchange.head != nil))
      }
      // swift-corelibs-foundation doesn't call the delegate for a head without a body.
      guard let head = exchange.head ?? task.response as? HTTPURLResponse else {
        return .failure(.network(NetworkFault(.lost, detail: "There was no answer.")))
      }
      var headers: [String: String] = [:]
      for (name, value) in head.allHeaderFields {
        guard let name = name as? String, let value = value as? String else { continue }
        headers[name.lowercased()] = value
      }
      // swift-corelibs-foundation may report an answer that broke off as complete.
      if headers["content-encoding"] == nil,
        let length = headers["content-length"].flatMap({ Int($0) }), length > exchange.body.count
      {
        return .failure(.network(NetworkFault(.lost, detail: "The answer broke off.")))
      }
      return .success(
        TransportResponse(status: head.statusCode, headers: headers, body: exchange.body))
    }
  }
}
