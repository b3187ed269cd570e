import Foundation
import HTTPTypes
import Testing

/// The endpoints of a provider that follows the standards.
struct OpenIDProvider: Sendable, CustomTestStringConvertible {
  let name: String
  let authorize: String
  let token: String
  let userInfo: String
  let keys: String
  let revoke: String

  static let google = OpenIDProvider(
    name: "google", authorize: "/google/o/oauth2/v2/auth", token: "/google/token",
    userInfo: "/google/oauth2/v3/userinfo", keys: "/google/oauth2/v3/certs",
    revoke: "/google/revoke")
  static let oidc = OpenIDProvider(
    name: "oidc", authorize: "/oidc/authorize", token: "/oidc/token", userInfo: "/oidc/userinfo",
    keys: "/oidc/jwks", revoke: "/oidc/revoke")
  static let all = [google, oidc]

  var testDescription: String { name }

  var discovery: String { "/\(name)/.well-known/openid-configuration" }
  var nativeSignIn: String { "/\(name)/native-sign-in" }

  func issuer(_ baseURL: String) -> String {
    name == "google" ? "https://accounts.google.com" : "\(baseURL)/oidc"
  }

  static let redirectURI = "https://app.example.com/callback"
  static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  /// The challenge of RFC 7636 Appendix B for this verifier.
  static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

  /// A valid authorization request with `changes`; an empty value removes the parameter.
  func authorize(_ client: SimulatorClient, _ changes: [String: String] = [:]) async throws -> Reply
  {
    let good = [
      "client_id": "client-1", "redirect_uri": Self.redirectURI, "response_type": "code",
      "scope": "openid email profile", "state": "s 1", "nonce": "n1",
      "code_challenge": Self.challenge, "code_challenge_method": "S256",
    ]
    let query = good.merging(changes) { _, new in new }.filter { !$0.value.isEmpty }
      .map { Form.encode([$0.key: $0.value]) }.joined(separator: "&")
    return try await client.get("\(authorize)?\(query)")
  }

  /// A valid exchange with `changes`; an empty value removes the parameter.
  func exchange(
    _ code: String?, _ client: SimulatorClient, _ changes: [String: String] = [:],
    headers: HTTPFields = [:]
  ) async throws -> Reply {
    let good = [
      "client_id": "client-1", "client_secret": "secret", "grant_type": "authorization_code",
      "code": code ?? "", "redirect_uri": Self.redirectURI, "code_verifier": Self.verifier,
    ]
    return try await post(good.merging(changes) { _, new in new }, client, headers)
  }

  func refresh(
    _ refreshToken: String?, _ client: SimulatorClient, _ changes: [String: String] = [:]
  ) async throws -> Reply {
    let good = [
      "client_id": "client-1", "client_secret": "secret", "grant_type": "refresh_token",
      "refresh_token": refreshToken ?? "",
    ]
    return try await post(good.merging(changes) { _, new in new }, client, [:])
  }

  private func post(
    _ form: [String: String], _ client: SimulatorClient, _ headers: HTTPFields
  ) async throws -> Reply {
    var headers = headers
    headers[.contentType] = "application/x-www-form-urlencoded"
    let body = form.filter { !$0.value.isEmpty }.map { Form.encode([$0.key: $0.value]) }
    return try await client.send(
      .post, token, headers: headers, body: body.joined(separator: "&"))
  }
}
