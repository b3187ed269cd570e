import Dispatch
package import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests whose responses have no end. It has a `URLSession` of its own, because a session opens
/// only a few connections to one host: open streams would keep other requests waiting.
///
/// Like ``ExchangeSession``, it uses no cookies, no cache and no stored credentials, and follows no
/// redirects.
package final class StreamSession: Sendable {
  private let streams = Streams()
  private let session: URLSession

  package init() {
    session = URLSession(configuration: .isolated, delegate: streams, delegateQueue: nil)
  }

  deinit { session.invalidateAndCancel() }

  /// Sends `request`, and waits for the head of the response.
  ///
  /// - Parameters:
  ///   - request: Its `timeout` limits the wait for the head, its `maximumBytes` the length of all
  ///     pieces together that the reader hasn't taken yet.
  ///   - idle: The stream ends as ``ExchangeFault/Kind/timedOut`` if nothing arrives for this time, in
  ///     seconds.
  package func open(
    _ request: ExchangeRequest, idle: TimeInterval
  ) async throws(ExchangeFault) -> ExchangeStream {
    if Task.isCancelled { throw .callerCancelled }
    var urlRequest = URLRequest(request)
    // `URLSession` restarts this timeout at each byte.
    urlRequest.timeoutInterval = max(1, idle)
    let task = session.dataTask(with: urlRequest)
    let result = await withTaskCancellationHandler {
      await head(of: task, request)
    } onCancel: {
      streams.end(task, as: .callerCancelled)
    }
    return try result.get()
  }

  private func head(
    of task: URLSessionDataTask, _ request: ExchangeRequest
  ) async -> Streams.Outcome {
    let deadline = DispatchWorkItem { [streams] in
      streams.endIfWaiting(task, as: ExchangeFault(.timedOut, detail: "The answer took too long."))
    }
    defer { deadline.cancel() }
    return await withCheckedContinuation { continuation in
      streams.begin(task, maximumBytes: request.maximumBytes, continuation)
      // The caller was cancelled before the exchange was registered.
      if Task.isCancelled { return streams.end(task, as: .callerCancelled) }
      DispatchQueue.global().asyncAfter(
        deadline: .now() + max(0.001, request.timeout), execute: deadline)
      task.resume()
    }
  }
}
