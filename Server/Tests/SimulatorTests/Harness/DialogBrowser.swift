import Foundation
import HTTPTypes
import Testing

/// A person with a browser, who opens an authorization URL and clicks on the simulator's pages.
struct DialogBrowser: Sendable {
  let client: SimulatorClient
  let provider: String
  private(set) var page: Reply

  /// - Parameter path: With the query.
  static func open(
    _ path: String, _ client: SimulatorClient, language: String? = nil, provider: String? = nil
  ) async throws -> DialogBrowser {
    var headers: HTTPFields = [.accept: "text/html,application/xhtml+xml,*/*;q=0.8"]
    headers[.acceptLanguage] = language
    let provider = provider ?? path.split(separator: "/").first.map(String.init) ?? ""
    return DialogBrowser(
      client: client, provider: provider, page: try await client.get(path, headers: headers))
  }

  /// `choose`, `person`, `consent` or `ended`; nil if it isn't such a page.
  var step: String? { page.text.firstMatch(of: /<body data-step="([a-z]+)"/).map { String($0.1) } }

  /// The secret in the page's forms.
  var token: String {
    page.text.firstMatch(of: /name="request" value="([^"]+)"/).map { String($0.1) } ?? ""
  }

  /// The ids of the persons on the page, in their order.
  var persons: [String] {
    page.text.matches(of: /<button id="person-([^"]+)"/).map { String($0.1) }
  }

  func has(id: String) -> Bool { page.text.contains("id=\"\(id)\"") }

  /// The initial value of a text field.
  func value(id: String) -> String? {
    page.text.firstMatch(of: /<input id="([^"]+)"/) == nil
      ? nil
      : page.text.matches(of: /<input id="([^"]+)" name="[^"]+" type="[^"]+" value="([^"]*)"/)
        .first { $0.1 == id }.map { String($0.2) }
  }

  /// Submits a form of the page, and follows redirects within the simulator.
  @discardableResult
  mutating func submit(_ fields: KeyValuePairs<String, String>) async throws -> Reply {
    let all = [("request", token)] + fields.map { ($0.key, $0.value) }
    let body = all.map { Form.encode([$0.0: $0.1]) }.joined(separator: "&")
    page = try await client.send(
      .post, "/\(provider)/sheet",
      headers: [
        .contentType: "application/x-www-form-urlencoded", .accept: "text/html",
        .origin: client.baseURL,
      ],
      body: body)
    if let location = page.headers[.location], location.hasPrefix("/") {
      page = try await client.get(location, headers: [.accept: "text/html"])
    }
    return page
  }

  @discardableResult
  mutating func choose(_ person: String) async throws -> Reply {
    try await submit(["action": "choose", "person": person])
  }

  @discardableResult
  mutating func goOn(
    _ person: String, _ choices: [(String, String)] = []
  ) async throws -> Reply {
    let body = ([("action", "continue"), ("person", person)] + choices)
    let fields = [("request", token)] + body
    page = try await client.send(
      .post, "/\(provider)/sheet",
      headers: [.contentType: "application/x-www-form-urlencoded", .accept: "text/html"],
      body: fields.map { Form.encode([$0.0: $0.1]) }.joined(separator: "&"))
    return page
  }

  @discardableResult
  mutating func cancel() async throws -> Reply { try await submit(["action": "cancel"]) }
}

enum DialogURL {
  static let redirectURI = "https://app.example.com/callback"

  static func apple(_ more: KeyValuePairs<String, String> = [:]) -> String {
    url(
      "/apple/auth/authorize",
      [
        ("client_id", "com.example.web"), ("response_type", "code id_token"),
        ("response_mode", "form_post"), ("scope", "name email"), ("nonce", "n1"),
      ], more)
  }

  static func google(_ more: KeyValuePairs<String, String> = [:]) -> String {
    standard(.google, more)
  }

  static func oidc(_ more: KeyValuePairs<String, String> = [:]) -> String {
    standard(.oidc, more)
  }

  static func standard(
    _ provider: OpenIDProvider, _ more: KeyValuePairs<String, String> = [:]
  ) -> String {
    url(
      provider.authorize,
      [("client_id", "client-1"), ("response_type", "code"), ("scope", "openid email profile")],
      more)
  }

  static func facebook(_ more: KeyValuePairs<String, String> = [:]) -> String {
    url("/facebook/dialog/oauth", [("client_id", "1234"), ("scope", "email")], more)
  }

  private static func url(
    _ path: String, _ good: [(String, String)], _ more: KeyValuePairs<String, String>
  ) -> String {
    let changed = Set(more.map(\.key))
    let fields =
      (good + [("redirect_uri", redirectURI), ("state", "s 1")])
      .filter { !changed.contains($0.0) } + more.map { ($0.key, $0.value) }
    return path + "?" + fields.map { Form.encode([$0.0: $0.1]) }.joined(separator: "&")
  }
}
