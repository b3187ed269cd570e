import Foundation
import HTTPTypes

/// The calls of an app at GitHub. Each part can be made invalid: an empty value removes a
/// parameter.
extension SimulatorClient {
  func gitHubAuthorize(_ changes: [String: String] = [:]) async throws -> Reply {
    let good = [
      "client_id": "gh-client", "redirect_uri": "https://app.example.com/callback",
      "scope": "read:user user:email", "state": "s 1",
      "code_challenge": OpenIDProvider.challenge, "code_challenge_method": "S256",
    ]
    return try await get("/github/login/oauth/authorize?\(Self.text(good, changes))")
  }

  func gitHubCode(_ changes: [String: String] = [:]) async throws -> String {
    try await gitHubAuthorize(changes).redirectParameters()["code"] ?? ""
  }

  func gitHubExchange(
    _ code: String, _ changes: [String: String] = [:], accept: String? = "application/json"
  ) async throws -> Reply {
    let good = [
      "client_id": "gh-client", "client_secret": "made-up-secret", "code": code,
      "redirect_uri": "https://app.example.com/callback", "code_verifier": OpenIDProvider.verifier,
    ]
    var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
    headers[.accept] = accept
    return try await send(
      .post, "/github/login/oauth/access_token", headers: headers, body: Self.text(good, changes))
  }

  /// An access token of alice, or of the person in `members`.
  func gitHubToken(_ members: String = "") async throws -> String {
    let rest = members.isEmpty ? "" : ",\(members)"
    let reply = try await post(
      "/github/native-sign-in", json: "{\"client_id\":\"gh-client\"\(rest)}")
    return reply.json.string("accessToken") ?? ""
  }

  func gitHubGet(
    _ path: String, _ token: String?, scheme: String = "Bearer", userAgent: String? = "tests"
  ) async throws -> Reply {
    var headers: HTTPFields = [:]
    headers[.authorization] = token.map { "\(scheme) \($0)" }
    headers[.userAgent] = userAgent
    return try await get("/github/api\(path)", headers: headers)
  }

  /// A call of an app to manage its own tokens.
  func gitHubApplications(
    _ method: HTTPRequest.Method, _ what: String, body: String,
    basic: String? =
      "gh-client:made-up-secret",
    client: String = "gh-client"
  ) async throws -> Reply {
    var headers: HTTPFields = [.userAgent: "tests", .contentType: "application/json"]
    headers[.authorization] = basic.map { "Basic \(Data($0.utf8).base64EncodedString())" }
    return try await send(
      method, "/github/api/applications/\(client)/\(what)", headers: headers, body: body)
  }

  func registerGitHubClient() async throws {
    _ = try await put(
      "/simulator/clients",
      json: """
        {"provider":"github","client_id":"gh-client","client_secret":"made-up-secret",
         "redirect_uris":["https://app.example.com/callback"]}
        """)
  }

  private static func text(_ good: [String: String], _ changes: [String: String]) -> String {
    good.merging(changes) { _, new in new }.filter { !$0.value.isEmpty }
      .map { Form.encode([$0.key: $0.value]) }.joined(separator: "&")
  }
}
