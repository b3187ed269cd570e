public import Foundation

/// Carries a verifier's questions to the Gatehouse server.
///
/// Follows no redirect, keeps no cookies and no cache, and reads no more than it is asked to. It need
/// not end when the task is cancelled that asks: an answer about keys is for everyone who waits.
public protocol ServerTransport: Sendable {
  /// - Throws: ``ServerFault`` if there is no answer within the request's limits. Any status is an
  ///   answer, a redirect too.
  func send(_ request: ServerRequest) async throws(ServerFault) -> ServerResponse
}

public struct ServerRequest: Sendable, Hashable {
  public var url: URL
  /// JSON to post; nil is a `GET`.
  public var body: Data?
  public var headers: [String: String]
  /// A longer answer is ``ServerFault/tooLarge``.
  public var maximumBytes: Int
  /// Until the last byte.
  public var timeout: Duration

  public init(
    url: URL, body: Data? = nil, headers: [String: String] = [:], maximumBytes: Int,
    timeout: Duration
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

/// Why the server could not be asked. Says nothing about a token.
public enum ServerFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// No answer within the time.
  case timedOut
  /// The answer is longer than it may be.
  case tooLarge
  /// No connection, or none that is secure.
  case connection(String)
  /// Another status than was wanted; a redirect is one.
  case status(Int)
  /// The answer isn't what the server sends.
  case malformed
  /// The key set holds no key that can verify a signature.
  case noUsableKey

  public var description: String {
    switch self {
    case .timedOut: "the Gatehouse server didn't answer in time"
    case .tooLarge: "the Gatehouse server's answer is too long"
    case .connection(let reason): "the Gatehouse server could not be reached: \(reason)"
    case .status(let status):
      "the Gatehouse server answered with the status \(status)"
        + ((300..<400).contains(status) ? ", and redirects are not followed" : "")
    case .malformed: "the Gatehouse server's answer can't be read"
    case .noUsableKey: "the Gatehouse server's key set holds no key that can be used"
    }
  }
}
