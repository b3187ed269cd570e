import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// One HTTP client for all tests, with capacity for many concurrent requests.
enum HTTP {
  private static let client: HTTPClient = {
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 128
    configuration.connectionPool.retryConnectionEstablishment = false
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }()

  private static let maximumAnswerBytes = 4 << 20

  enum Method: String {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"
  }

  /// Waits long, because a test shares the processors with all others.
  ///
  /// - Throws: Only if there is no response.
  static func send(
    _ method: Method, _ url: String, headers: [(String, String)] = [], body: String? = nil
  ) async throws -> Reply {
    var request = HTTPClientRequest(url: url)
    request.method = HTTPMethod(rawValue: method.rawValue)
    request.headers = HTTPHeaders(headers)
    if let body { request.body = .bytes(ByteBuffer(string: body)) }
    let response = try await client.execute(request, timeout: .seconds(300))
    let bytes = try await response.body.collect(upTo: maximumAnswerBytes)
    return Reply(
      status: Int(response.status.code), headers: response.headers,
      body: Data(bytes.readableBytesView))
  }

  static func get(_ url: String, headers: [(String, String)] = []) async throws -> Reply {
    try await send(.get, url, headers: headers)
  }

  static func post(
    _ url: String, _ body: JSON, headers: [(String, String)] = []
  ) async throws -> Reply {
    try await send(
      .post, url, headers: headers + [("content-type", "application/json")], body: body.text)
  }

  static func post(_ url: String, form: KeyValuePairs<String, String>) async throws -> Reply {
    try await send(
      .post, url, headers: [("content-type", "application/x-www-form-urlencoded")],
      body: Form.encode(form))
  }
}

/// A response.
struct Reply: Sendable {
  let status: Int
  let headers: HTTPHeaders
  let body: Data

  var json: JSON { JSON(reading: body) }
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The protocol's error message; nil for a response without an error.
  var message: String? { json["error"]["message"].string }

  /// The status and the error message, if there is one: for expectations that show both when they
  /// fail.
  var verdict: String { message.map { "\(status) \($0)" } ?? "\(status)" }

  func header(_ name: String) -> String? { headers.first(name: name) }
}

enum Form {
  static func encode(_ pairs: KeyValuePairs<String, String>) -> String {
    pairs.map { "\($0.key)=\(escape($0.value))" }.joined(separator: "&")
  }

  static func escape(_ text: String) -> String {
    let unreserved = CharacterSet(
      charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
    return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }
}
