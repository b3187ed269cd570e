import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A ``Transport`` that uses `URLSession`: no cookies, no cache, no stored credentials, no
/// redirects.
///
/// Several clients may share one. Its session ends with it.
public final class URLSessionTransport: Transport {
  /// A longer answer ends the request.
  public static let maximumAnswerBytes = 1 << 20

  private let session: URLSession
  private let exchanges: URLSessionExchanges

  public init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.urlCredentialStorage = nil
    exchanges = URLSessionExchanges()
    session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
  }

  deinit { session.invalidateAndCancel() }

  public func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
    if Task.isCancelled { throw .cancelled }
    var native = URLRequest(url: request.url)
    native.httpMethod = request.method.rawValue
    native.httpBody = request.body
    native.timeoutInterval = request.timeout.seconds
    native.httpShouldHandleCookies = false
    for (name, value) in request.headers { native.setValue(value, forHTTPHeaderField: name) }
    let task = session.dataTask(with: native)
    let deadline = DispatchWorkItem { [exchanges] in exchanges.timeOut(task) }
    DispatchQueue.global().asyncAfter(
      deadline: .now() + request.timeout.seconds, execute: deadline)
    defer { deadline.cancel() }
    return try await exchanges.run(task).get()
  }
}
