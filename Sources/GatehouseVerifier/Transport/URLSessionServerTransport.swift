import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A transport for verifiers that uses URLSession. Many verifiers can share one.
///
/// The time limit is for the whole exchange. URLSession's timeout starts again at each byte, so a
/// server that sends a byte now and then could hold the request forever. A cancelled task still
/// waits for the response, at most until the time limit.
public final class URLSessionServerTransport: ServerTransport {
  private let exchanges: Exchanges
  private let session: URLSession

  public init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    exchanges = Exchanges()
    session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
  }

  deinit { session.invalidateAndCancel() }

  public func send(_ request: ServerRequest) async throws(ServerFault) -> ServerResponse {
    let task = session.dataTask(with: Self.urlRequest(request))
    let milliseconds = max(1, Int(request.timeout / .milliseconds(1)))
    let deadline = DispatchWorkItem { [exchanges] in exchanges.end(task, as: .timedOut) }
    let outcome: Result<ServerResponse, ServerFault> = await withCheckedContinuation {
      exchanges.begin(task, maximumBytes: request.maximumBytes, $0)
      DispatchQueue.global().asyncAfter(
        deadline: .now() + .milliseconds(milliseconds), execute: deadline)
      task.resume()
    }
    deadline.cancel()
    return try outcome.get()
  }

  private static func urlRequest(_ request: ServerRequest) -> URLRequest {
    var made = URLRequest(url: request.url)
    made.timeoutInterval = max(1, request.timeout / .seconds(1))
    made.setValue("application/json", forHTTPHeaderField: "Accept")
    for (name, value) in request.headers { made.setValue(value, forHTTPHeaderField: name) }
    if let body = request.body {
      made.httpMethod = "POST"
      made.httpBody = body
      made.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    return made
  }
}
