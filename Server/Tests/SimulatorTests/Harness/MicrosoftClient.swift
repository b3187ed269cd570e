import Foundation
import HTTPTypes
import Testing

/// The simulated tenants.
enum Tenant {
  static let first = "aaaabbbb-0000-cccc-1111-dddd2222eeee"
  static let second = "bbbbcccc-1111-dddd-2222-eeee3333ffff"
  static let personal = "9188040d-6c67-4c5b-b112-36a304b66dad"

  static func issuer(_ tenant: String) -> String {
    "https://login.microsoftonline.com/\(tenant)/v2.0"
  }
}

/// The calls of an app at Microsoft. Each part can be made invalid: an empty value removes a
/// parameter.
extension SimulatorClient {
  func microsoftAuthorize(
    _ changes: [String: String] = [:], at authority: String = "common"
  ) async throws -> Reply {
    let good = [
      "client_id": "ms-client", "redirect_uri": OpenIDProvider.redirectURI,
      "response_type": "code", "scope": "openid profile email", "state": "s 1", "nonce": "n1",
      "code_challenge": OpenIDProvider.challenge, "code_challenge_method": "S256",
    ]
    return try await get(
      "/microsoft/\(authority)/oauth2/v2.0/authorize?\(Self.text(good, changes))")
  }

  func microsoftCode(
    _ changes: [String: String] = [:], at authority: String = "common"
  ) async throws -> String {
    try await microsoftAuthorize(changes, at: authority).redirectParameters()["code"] ?? ""
  }

  func microsoftToken(
    _ changes: [String: String], at authority: String = "common", headers: HTTPFields = [:]
  ) async throws -> Reply {
    let good = [
      "client_id": "ms-client", "client_secret": "made-up-secret",
      "grant_type": "authorization_code", "redirect_uri": OpenIDProvider.redirectURI,
      "code_verifier": OpenIDProvider.verifier,
    ]
    var headers = headers
    headers[.contentType] = "application/x-www-form-urlencoded"
    return try await send(
      .post, "/microsoft/\(authority)/oauth2/v2.0/token", headers: headers,
      body: Self.text(good, changes))
  }

  /// The ID token of a sign-in without a browser.
  func microsoftIDToken(_ members: String = "") async throws -> IDToken {
    let rest = members.isEmpty ? "" : ",\(members)"
    let reply = try await post(
      "/microsoft/native-sign-in", json: "{\"client_id\":\"ms-client\"\(rest)}")
    try #require(reply.status == 200)
    return try IDToken(reply.json.string("idToken"))
  }

  private static func text(_ good: [String: String], _ changes: [String: String]) -> String {
    good.merging(changes) { _, new in new }.filter { !$0.value.isEmpty }
      .map { Form.encode([$0.key: $0.value]) }.joined(separator: "&")
  }
}
