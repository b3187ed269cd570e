import GatehouseProtocol
import HTTPTypes

/// A request as a client sends it: with an API key unless a test changes that.
struct TestRequest: Sendable {
  var method: HTTPRequest.Method = .post
  var path: String
  var query: String?
  var key: String? = "any-key"
  var bearer: String? {
    didSet { headers[.authorization] = bearer.map { "Bearer \($0)" } }
  }
  var headers = HTTPFields()
  var body: String?

  init(_ path: String, _ json: JSONValue? = nil) {
    self.path = path
    body = json?.text()
  }

  /// `/v1/accounts:{method}`.
  static func accounts(_ method: String, _ json: JSONValue = [:]) -> TestRequest {
    TestRequest("/v1/accounts:\(method)", json)
  }

  /// An administrator's request, in the project `demo`.
  static func admin(
    _ method: HTTPRequest.Method = .post, _ path: String, _ json: JSONValue? = nil
  ) -> TestRequest {
    var request = TestRequest("/\(path)", json)
    request.method = method
    request.key = nil
    request.bearer = "owner"
    return request
  }

  var uri: String {
    let parts = [key.map { "key=\($0)" }, query].compactMap { $0 }
    return parts.isEmpty ? path : "\(path)?\(parts.joined(separator: "&"))"
  }

  func with(_ change: (inout TestRequest) -> Void) -> TestRequest {
    var copy = self
    change(&copy)
    return copy
  }
}

struct TestReply: Sendable {
  let status: Int
  let headers: HTTPFields
  let text: String

  var json: JSONValue { (try? JSONValue(parsing: text)) ?? .null }

  subscript(name: String) -> JSONValue? { json[name] }

  /// `error.message`.
  var error: String? { json["error"]?["message"]?.string }

  var errorStatus: String? { json["error"]?["status"]?.string }

  /// The claims of the token in the member, unverified.
  func claims(_ member: String = "idToken") -> JSONValue {
    let parts = json[member]?.string?.split(separator: ".") ?? []
    guard parts.count == 3, let bytes = Base64Text.decode(String(parts[1])) else { return .null }
    return (try? JSONValue(parsing: bytes)) ?? .null
  }
}

extension HTTPField.Name {
  /// Gives the test server a body that can't be read.
  static let testBrokenBody = HTTPField.Name("x-test-broken-body") ?? .age
  /// The address of the other end of the connection.
  static let testPeer = HTTPField.Name("x-test-peer") ?? .age
  static let testAuthority = HTTPField.Name("x-test-authority") ?? .age
  static let testAPIKey = HTTPField.Name("x-goog-api-key") ?? .age
  static let testFrameOptions = HTTPField.Name("x-frame-options") ?? .age
  static let testOpenerPolicy = HTTPField.Name("cross-origin-opener-policy") ?? .age
  static let testRequestID = HTTPField.Name("x-request-id") ?? .age
}
