import GatehouseProtocol
import HTTPTypes

/// The token endpoint: returns a session's new tokens for its refresh token (Secure Token's
/// `v1/token`), and an administrator's access token for a service account's assertion (the
/// `token_uri` of its key file).
struct Token: Endpoint {
  let services: APIServices
  let configuration: APIConfiguration

  var routes: [Route] {
    Self.paths.map { pattern in
      Route(
        method: .post, pattern: pattern, name: "token", access: .clientOrAssertion,
        envelope: .secureToken, handle: answer)
    }
  }

  func answer(_ call: Call) async throws -> Answer {
    let request =
      if let form = call.form { try Self.request(form) } else {
        try call.request(TokenRequest.self)
      }
    if request.grantType == .jwtBearer { return try await accessToken(request, call) }
    // Refresh tokens are sent by clients, which name their project with an API key.
    guard let project = call.project else { throw APIError.missingAPIKey }
    guard let grantType = request.grantType else { throw APIError.refused(.missingGrantType) }
    guard grantType == .refreshToken else { throw APIError.refused(.invalidGrantType) }
    guard let refreshToken = request.refreshToken else {
      throw APIError.refused(.missingRefreshToken)
    }
    let refreshed = try await services.accounts.refresh(
      refreshToken, in: project, now: call.now)
    return Answer(
      TokenResponse(
        idToken: refreshed.tokens.idToken, refreshToken: refreshed.tokens.refreshToken,
        expiresInSeconds: refreshed.tokens.expiresInSeconds, userID: refreshed.account.uid.text,
        projectNumber: String(project.number)))
  }

  /// "Request and response parameters MUST NOT be included more than once" (RFC 6749 §3.2).
  private static func request(_ form: FormFields) throws(APIError) -> TokenRequest {
    let names = ["grant_type", "grantType", "refresh_token", "refreshToken", "assertion"]
    if let name = form.repeated(of: names) {
      throw .invalidArgument("The parameter \(name) is there more than once.")
    }
    return TokenRequest(form: form)
  }

  /// RFC 7523 §2.1. The assertion authenticates the caller, so no other credential is needed.
  private func accessToken(_ request: TokenRequest, _ call: Call) async throws -> Answer {
    guard let assertion = request.assertion else { throw OAuthError.assertionMissing }
    let issued = try await services.accessTokens.exchange(
      assertion, audiences: Self.paths.map { "\(configuration.publicURL)/\($0)" }, now: call.now)
    return Answer(
      AccessTokenResponse(
        accessToken: issued.text.reveal(), expiresInSeconds: issued.expiresInSeconds))
  }

  /// The endpoint's paths, which an assertion's `aud` may name.
  static let paths = ["v1/token", "token"]
}
