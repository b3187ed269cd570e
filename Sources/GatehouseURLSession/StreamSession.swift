import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests whose answers have no end, with a `URLSession` of its own: their connections must not
/// keep other requests waiting, of which a session sends only a few to one host at once.
///
/// Like ``ExchangeSession`` without cookies, cache, stored credentials and redirects.
package final class StreamSession: Sendable {
  private let streams = Streams()
  private let session: URLSession

  package init() {
    session = URLSession(configuration: .isolated, delegate: streams, delegateQueue: nil)
  }

  deinit { session.invalidateAndCancel() }

  /// Sends `request`, and waits for the head of the answer.
  ///
  /// - Parameters:
  ///   - request: Its `timeout` is for the head, its `maximumBytes` for what has arrived and wasn't read yet.
  ///   - idle: The stream ends as ``ExchangeFault/Kind/timedOut`` if nothing arrives for this time.
  package func open(
    _ request: ExchangeRequest, idle: Duration
  ) async throws(ExchangeFault) -> ExchangeStream {
    if Task.isCancelled { throw .callerCancelled }
    var urlRequest = URLRequest(request)
    // Begins again with each byte.
    urlRequest.timeoutInterval = max(1, idle / .seconds(1))
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
        deadline: .now() + max(0.001, request.timeout / .seconds(1)), execute: deadline)
      task.resume()
    }
  }
}
