public import Foundation

/// Sends a request to the server and returns the response. It must use no cookies and no cache, and
/// follow no redirects.
public protocol Transport: Sendable {
  /// - Throws: ``TransportFault``.
  func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse
}

/// A transport that can also read a response while it arrives, such as a stream of events. With a transport
/// that can't, the client doesn't listen for changes of the account.
public protocol StreamingTransport: Transport {
  /// Sends a request, and returns when the head of the response has arrived, within
  /// ``TransportRequest/timeout``.
  ///
  /// - Throws: ``TransportFault``.
  func stream(_ request: TransportRequest) async throws(TransportFault) -> TransportStream
}

public struct TransportRequest: Sendable, Hashable {
  public enum Method: String, Sendable, Hashable { case get = "GET", post = "POST" }
  public var method: Method
  public var url: URL
  public var headers: [String: String]
  public var body: Data?
  /// In seconds.
  public var timeout: TimeInterval

  public init(
    method: Method, url: URL, headers: [String: String], body: Data?,
    timeout: TimeInterval = 60
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
  }
}

public struct TransportResponse: Sendable, Hashable {
  public var status: Int
  /// Names in lower case.
  public var headers: [String: String]
  /// At most 1 MiB.
  public var body: Data

  public init(status: Int, headers: [String: String], body: Data) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// A response whose body is still arriving.
public struct TransportStream: Sendable {
  public var status: Int
  /// Names in lower case.
  public var headers: [String: String]
  /// The pieces of the body. Throws if the connection breaks. The request ends when the reading task is
  /// cancelled, or when this sequence is released.
  public var pieces: AsyncThrowingStream<Data, any Error>

  public init(
    status: Int, headers: [String: String], pieces: AsyncThrowingStream<Data, any Error>
  ) {
    self.status = status
    self.headers = headers
    self.pieces = pieces
  }
}

public enum TransportFault: Error, Sendable, Hashable {
  case network(NetworkFault)
  case cancelled
}

/// Secrets stay out of logs.
extension TransportRequest: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  public var description: String { "\(method.rawValue) \(url.path)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["url.path": url.path]) }
}

extension TransportResponse: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  public var description: String { "\(status), \(body.count) bytes" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["status": status]) }
}
