import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests with a `URLSession` of its own: no cookies, no cache, no stored credentials, no
/// redirects.
///
/// Several callers may share one. When it is released, exchanges in progress end as
/// ``ExchangeFault/Kind/cancelled``.
package final class ExchangeSession: Sendable {
  private let exchanges: Exchanges
  private let session: URLSession

  package init() {
    exchanges = Exchanges()
    session = URLSession(configuration: .isolated, delegate: exchanges, delegateQueue: nil)
  }

  deinit { session.invalidateAndCancel() }

  /// Sends `request`, and waits for the last byte of the response.
  ///
  /// - Parameter stopsIfCancelled: Whether the exchange ends when the caller's task is cancelled. If
  ///   not, it continues, at most until its time limit: other callers may wait for the same
  ///   response.
  package func send(
    _ request: ExchangeRequest, stopsIfCancelled: Bool
  ) async throws(ExchangeFault) -> ExchangeResponse {
    if stopsIfCancelled, Task.isCancelled { throw .callerCancelled }
    let task = session.dataTask(with: URLRequest(request))
    let result = await withTaskCancellationHandler {
      await outcome(of: task, request, stopsIfCancelled: stopsIfCancelled)
    } onCancel: {
      if stopsIfCancelled { exchanges.end(task, as: .callerCancelled) }
    }
    return try result.get()
  }

  private func outcome(
    of task: URLSessionDataTask, _ request: ExchangeRequest, stopsIfCancelled: Bool
  ) async -> Exchanges.Outcome {
    let deadline = DispatchWorkItem { [exchanges] in
      exchanges.end(task, as: ExchangeFault(.timedOut, detail: "The answer took too long."))
    }
    defer { deadline.cancel() }
    return await withCheckedContinuation { continuation in
      exchanges.begin(task, maximumBytes: request.maximumBytes, continuation)
      // The caller was cancelled before the exchange was registered.
      if stopsIfCancelled, Task.isCancelled { return exchanges.end(task, as: .callerCancelled) }
      DispatchQueue.global().asyncAfter(
        deadline: .now() + max(0.001, request.timeout), execute: deadline)
      task.resume()
    }
  }
}

extension URLSessionConfiguration {
  /// Without anything that outlives a request.
  static var isolated: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.urlCredentialStorage = nil
    return configuration
  }
}

extension ExchangeFault {
  static let callerCancelled = ExchangeFault(
    .cancelled, detail: "The caller's task was cancelled.")
}

extension URLRequest {
  init(_ request: ExchangeRequest) {
    self.init(url: request.url)
    httpMethod = request.method.rawValue
    httpBody = request.body
    // `URLSession` restarts this timeout at each byte. The deadline limits the whole exchange.
    timeoutInterval = max(1, request.timeout)
    httpShouldHandleCookies = false
    for (name, value) in request.headers { setValue(value, forHTTPHeaderField: name) }
  }
}
