public import Foundation

/// Sends a verifier's requests to the Gatehouse server.
///
/// It must not follow redirects, keep cookies, use a cache, or read more than the request allows.
/// It need not stop when the calling task is cancelled: other callers wait for the same keys.
public protocol ServerTransport: Sendable {
  /// - Throws: ``ServerFault`` if there is no response within the request's limits. A response with
  ///   an error status is returned, not thrown. A redirect may be either.
  func send(_ request: ServerRequest) async throws(ServerFault) -> ServerResponse
}

public struct ServerRequest: Sendable, Hashable {
  public var url: URL
  /// The JSON of a `POST`; if nil, the request is a `GET`.
  public var body: Data?
  public var headers: [String: String]
  /// A longer response fails with ``ServerFault/tooLarge``.
  public var maximumBytes: Int
  /// The time limit for the whole exchange, until the last byte is received, in seconds.
  public var timeout: TimeInterval

  public init(
    url: URL, body: Data? = nil, headers: [String: String] = [:], maximumBytes: Int,
    timeout: TimeInterval
  ) {
    self.url = url
    self.body = body
    self.headers = headers
    self.maximumBytes = maximumBytes
    self.timeout = timeout
  }
}

public struct ServerResponse: Sendable, Hashable {
  public var status: Int
  /// The header `Cache-Control`.
  public var cacheControl: String?
  /// The header `Age`, in seconds.
  public var age: Int?
  public var body: Data

  public init(status: Int, cacheControl: String? = nil, age: Int? = nil, body: Data = Data()) {
    self.status = status
    self.cacheControl = cacheControl
    self.age = age
    self.body = body
  }
}

/// Why there is no usable response from the server. Says nothing about a token.
public enum ServerFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// No complete response within the time limit.
  case timedOut
  /// The response is longer than ``ServerRequest/maximumBytes``.
  case tooLarge
  /// No connection, or no secure one.
  case connection(String)
  /// An unexpected status, such as a redirect.
  case status(Int)
  /// The response doesn't have the server's format.
  case malformed
  /// The key set holds no key that can verify a signature.
  case noUsableKey

  public var description: String {
    switch self {
    case .timedOut: "the Gatehouse server didn't respond in time"
    case .tooLarge: "the Gatehouse server's response is too long"
    case .connection(let reason): "the Gatehouse server could not be reached: \(reason)"
    case .status(let status):
      "the Gatehouse server responded with the status \(status)"
        + ((300..<400).contains(status) ? ", and redirects are not followed" : "")
    case .malformed: "the Gatehouse server's response can't be read"
    case .noUsableKey: "the Gatehouse server's key set has no usable key"
    }
  }
}
