import Foundation
import HTTPTypes
import Hummingbird

extension OpenIDEndpoints {
  /// `/google/tokeninfo?access_token=`: the client, the user and the scopes of an access token
  /// (Google, "Using OAuth 2.0 for Server-side Web Apps", "Validating tokens").
  func tokenInfo(_ request: Request) async throws -> Response {
    var form = try RequestForm.query(request)
    if request.method == .post, form.filled("access_token") == nil {
      form = try await RequestForm.body(request, limit: store.configuration.limits.bodyBytes)
    }
    let token = try form.require("access_token")
    let now = store.now
    guard let info = store.withState({ $0.tokenInfo(of: token, now: now) }) else {
      throw SimulatorError(.badRequest, "invalid_token", "Invalid Value")
    }
    return try .json(.object(info))
  }
}

extension SimulatorState {
  /// - Returns: Nil if the token is invalid. All values are strings, as Google writes them.
  fileprivate func tokenInfo(of token: String, now: Date) -> [String: JSONValue]? {
    guard let grant = grant(ofAccessToken: token, at: .google, now: now),
      let expiresAt = tokens[Identifier(token)]?.expiresAt,
      let (_, person) = standingConsent(of: grant)
    else { return nil }
    let seconds = { (time: Double) in JSONValue.string(String(Int(time))) }
    var info: [String: JSONValue] = [
      // The app that requested the token, also if the ID token is for its server.
      "azp": .string(grant.authorizedParty), "aud": .string(grant.authorizedParty),
      "sub": .string(GoogleClaims.subject(of: person)),
      "scope": .string(GoogleClaims.scopeText(grant.scopes)),
      "exp": seconds(expiresAt.timeIntervalSince1970),
      "expires_in": seconds(expiresAt.timeIntervalSince(now)),
      "access_type": .string(grant.givesRefreshToken ? "offline" : "online"),
    ]
    if grant.scopes.contains(.email) {
      info["email"] = .string(person.email)
      info["email_verified"] = .string(person.emailVerified ? "true" : "false")
    }
    return info
  }
}

extension GoogleClaims {
  /// The scopes as Google writes them; only `openid` keeps its short name.
  static func scopeText(_ scopes: Set<Scope>) -> String {
    let email = "https://www.googleapis.com/auth/userinfo.email"
    let profile = "https://www.googleapis.com/auth/userinfo.profile"
    return [(Scope.openid, "openid"), (.email, email), (.profile, profile)]
      .filter { scopes.contains($0.0) }.map(\.1).joined(separator: " ")
  }
}
