import Foundation
import HTTPTypes
import Hummingbird

extension OpenIDEndpoints {
  /// The UserInfo endpoint (OpenID Connect Core §5.3). The token is in the header or in a form (RFC
  /// 6750 §2.1, §2.2), not in both.
  func userInfo(_ request: Request) async throws -> Response {
    let now = store.now
    guard let token = try await accessToken(request),
      let claims = store.withState({ state in
        state.userInfo(accessToken: token, at: provider, kind, now: now)
      })
    else { throw refusal }
    return try .json(.object(claims))
  }

  private func accessToken(_ request: Request) async throws -> String? {
    let type = request.headers[.contentType] ?? ""
    guard request.method == .post,
      type.foldingASCII().hasPrefix("application/x-www-form-urlencoded")
    else { return request.bearerToken }
    let form = try await RequestForm.body(request, limit: store.configuration.limits.bodyBytes)
    guard let inForm = form.filled("access_token") else { return request.bearerToken }
    guard request.headers[.authorization] == nil else {
      throw SimulatorError.invalidRequest(
        "The access token must not be sent both in the header and in the form.")
    }
    return inForm
  }

  private var refusal: SimulatorError {
    var error = SimulatorError(
      .unauthorized, kind.userInfoRefusal,
      "Invalid Credentials")
    error.challenge = "Bearer realm=\"simulator\", error=\"invalid_token\""
    return error
  }
}

extension SimulatorState {
  /// - Returns: Nil if the token is invalid.
  fileprivate func userInfo(
    accessToken: String, at provider: Provider, _ kind: any OpenIDKind, now: Date
  ) -> [String: JSONValue]? {
    guard let grant = grant(ofAccessToken: accessToken, at: provider, now: now),
      let (consent, person) = standingConsent(of: grant)
    else { return nil }
    var claims = kind.userInfoClaims(
      ApprovedGrant(grant: grant, consent: consent, person: person, now: now))
    for name in ["acr", "azp", "auth_time"] { claims[name] = nil }
    faults.tokens[provider]?.apply(toUserInfo: &claims)
    return claims
  }
}
