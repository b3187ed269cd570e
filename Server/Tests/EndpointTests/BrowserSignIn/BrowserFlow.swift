import Foundation
import GatehouseProtocol
import HTTPTypes
import Testing

/// One sign-in through the handler: what the app, its browser and the provider do, step by step.
struct BrowserFlow: Sendable {
  static let sessionID = "a-session-of-the-app"

  let server: TestServer
  /// In the form in which a browser sends them back.
  var cookies: [String] = []
  /// The parameters of the authorization request.
  private(set) var asked: [String: String] = [:]

  /// The parameters of an app's request; a change to nil omits the parameter.
  static func query(
    _ provider: String, _ changes: KeyValuePairs<String, String?> = [:]
  ) -> String {
    let fields = [
      ("apiKey", "any-key"), ("authType", "signInWithRedirect"), ("ibi", "com.example.app"),
      ("sessionId", sessionID.sha256Hex), ("v", "12.0.0"), ("eventId", "event-1"),
      ("providerId", provider),
    ]
    return query(fields, changes)
  }

  /// `fields` with `changes`.
  static func query(
    _ fields: [(String, String)], _ changes: KeyValuePairs<String, String?>
  ) -> String {
    var fields = fields
    for (name, value) in changes {
      fields.removeAll { $0.0 == name }
      if let value { fields.append((name, value)) }
    }
    return fields.map { "\($0)=\(escape($1))" }.joined(separator: "&")
  }

  static func start(
    _ server: TestServer, _ provider: String, _ changes: KeyValuePairs<String, String?> = [:]
  ) async throws -> TestReply {
    try await get(server, query(provider, changes))
  }

  static func get(
    _ server: TestServer, _ query: String, cookies: [String] = [], path: String = "/__/auth/handler"
  ) async throws -> TestReply {
    var request = TestRequest(path)
    request.method = .get
    request.key = nil
    request.query = query
    request.headers[.cookie] = cookies.isEmpty ? nil : cookies.joined(separator: "; ")
    return try await server.call(request)
  }

  /// Begins the sign-in, up to the provider's page.
  init(
    _ server: TestServer, _ provider: String, _ changes: KeyValuePairs<String, String?> = [:]
  ) async throws {
    try await self.init(server, query: Self.query(provider, changes))
  }

  init(_ server: TestServer, query: String) async throws {
    self.server = server
    let reply = try await Self.get(server, query)
    let location = try #require(reply.headers[.location], "\(reply.status) \(reply.text)")
    asked = Self.parameters(location)
    cookies = reply.headers[values: .setCookie].map { String($0.prefix { $0 != ";" }) }
  }

  var state: String { asked["state"] ?? "" }

  /// The URL to which the provider was told to send the browser back.
  var path: String { Self.path(asked["redirect_uri"] ?? "") }

  /// The provider sends the browser back.
  ///
  /// - Parameter path: Nil for the path that the provider was given.
  func arrive(_ query: String, at path: String? = nil) async throws -> TestReply {
    try await Self.get(server, query, cookies: cookies, path: path ?? self.path)
  }

  /// The provider's page posts a form, without cookies; the browser follows.
  func post(_ form: String, at path: String? = nil) async throws -> TestReply {
    var request = TestRequest(path ?? self.path)
    request.key = nil
    request.body = form
    request.headers[.contentType] = "application/x-www-form-urlencoded"
    request.headers[.origin] = "https://appleid.apple.com"
    let reply = try await server.call(request)
    guard let location = reply.headers[.location] else { return reply }
    return try await Self.get(
      server, String(location.drop { $0 != "?" }.dropFirst()), cookies: cookies,
      path: Self.path(location))
  }

  /// An ID token for the request.
  func token(_ provider: String, _ claims: KeyValuePairs<String, JSONValue> = [:]) throws -> String
  {
    var all: [(String, JSONValue)] = [
      ("sub", "somebody"), ("nonce", .string(asked["nonce"] ?? "")),
    ]
    all += claims.map { ($0.key, $0.value) }
    return try FakeProviders.token(provider, claims: all)
  }

  /// signInWithIdp with the link that the app got.
  func redeem(
    _ link: String?, _ fields: KeyValuePairs<String, JSONValue> = [:]
  ) async throws -> TestReply {
    var body: JSONObject = [
      "requestUri": .string(link ?? "http://localhost"), "sessionId": .string(Self.sessionID),
      "returnSecureToken": true,
    ]
    for (name, value) in fields { body[name] = value }
    return try await server.call(.accounts("signInWithIdp", .object(body)))
  }

  static func path(_ url: String) -> String { URLComponents(string: url)?.path ?? "" }

  /// A URL's query, decoded.
  static func parameters(_ url: String) -> [String: String] {
    let items = URLComponents(string: url)?.queryItems ?? []
    return Dictionary(
      items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
  }

  static func escape(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }
}

extension TestReply {
  /// The parameters in the URL to which the browser was redirected.
  var deepLink: [String: String] {
    let link = headers[.location].map { BrowserFlow.parameters($0) }?["deep_link_id"]
    return link.map { BrowserFlow.parameters($0) } ?? [:]
  }

  var link: String? { deepLink["link"] }

  /// `auth/…`
  var appError: String? {
    deepLink["firebaseError"].flatMap { try? JSONValue(parsing: $0) }?["code"]?.string
  }

  /// The heading of a page.
  var heading: String? {
    text.firstMatch(of: /<h1>(.*)<\/h1>/).map { String($0.1) }
  }
}
