import Foundation
import HTTPTypes
import Hummingbird

extension StandardRoutes {
  /// The UserInfo endpoint (OpenID Connect Core §5.3), with the token in the header (RFC 6750 §2.1).
  func userInfo(_ request: Request) throws -> Response {
    let now = store.now
    guard let token = request.bearerToken,
      let claims = store.withState({ state in
        state.userInfo(accessToken: token, at: provider, now: now)
      })
    else { throw refusal }
    return try .json(.object(claims))
  }

  private var refusal: SimulatorError {
    var error = SimulatorError(
      .unauthorized, provider == .google ? "invalid_request" : "invalid_token",
      "Invalid Credentials")
    error.challenge = "Bearer realm=\"simulator\", error=\"invalid_token\""
    return error
  }
}

extension SimulatorState {
  /// - Returns: Nil if the token is good for nothing.
  fileprivate func userInfo(
    accessToken: String, at provider: Provider, now: Date
  ) -> [String: JSONValue]? {
    guard let grant = grant(ofAccessToken: accessToken, at: provider, now: now),
      let (_, person) = standingConsent(of: grant)
    else { return nil }
    var claims =
      provider == .google
      ? GoogleClaims.claims(grant, person) : OIDCClaims.claims(grant, person)
    for name in ["acr", "azp", "auth_time"] { claims[name] = nil }
    faults.tokens[provider]?.apply(toUserInfo: &claims)
    return claims
  }
}
