package import Foundation

/// An HTTP request, and the limits of its response.
package struct ExchangeRequest: Sendable {
  package enum Method: String, Sendable { case get = "GET", post = "POST" }

  package var method: Method
  package var url: URL
  /// If a name occurs twice, in upper or lower case, the last value is sent.
  package var headers: [(name: String, value: String)]
  package var body: Data?
  /// A longer response ends the exchange with ``ExchangeFault/Kind/tooLong``.
  package var maximumBytes: Int
  /// The time limit until the last byte has arrived. For a stream: until the head has arrived. In
  /// seconds.
  package var timeout: TimeInterval

  package init(
    _ method: Method, _ url: URL, headers: [(name: String, value: String)] = [],
    body: Data? = nil, maximumBytes: Int, timeout: TimeInterval
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.maximumBytes = maximumBytes
    self.timeout = timeout
  }
}

/// A complete response, of any status.
package struct ExchangeResponse: Sendable {
  package var status: Int
  /// Names in lower case.
  package var headers: [String: String]
  package var body: Data
  /// Whether the response is a redirect, which wasn't followed.
  package var isRedirect: Bool
}
