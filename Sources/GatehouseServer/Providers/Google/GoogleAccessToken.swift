import GatehouseJSON
import GatehouseModel
import GatehouseTokens

/// Asks Google for which user and to which client an access token was issued.
///
/// ```
///   POST tokeninfo   access_token=…
///   GET  userinfo    Authorization: Bearer <access token>
/// ```
///
/// Browser extensions have only access tokens: `chrome.identity.getAuthToken` returns no ID token.
/// An access token contains no information, so every sign-in with one makes two calls, and no response
/// is cached.
struct GoogleAccessToken: Sendable {
  let endpoints: GoogleEndpoints
  let context: ProviderContext

  /// The claims of the token's user, from the userinfo endpoint.
  ///
  /// A token for a client that isn't the project's (compared byte for byte) is rejected: otherwise that
  /// client's operator could sign in here as each of its users.
  ///
  /// - Throws: ``FederationError/accessToken(_:)``; ``FederationError/otherSubject`` if the two
  ///   responses are about different users; ``FederationError/refusedByProvider(status:error:)``
  ///   for any response that isn't about the token.
  func claims(
    of token: BearerToken
  ) async throws(FederationError) -> JSONObject {
    let info = try await ask(
      OutboundRequest(endpoints.tokenInfo, form: [.init("access_token", token.secret)]))
    guard let audience = info["aud"]?.string else { throw .accessToken(.unreadable) }
    guard context.configuration.audiences.containsBytes(of: audience) else {
      throw .accessToken(.otherApp)
    }
    let claims = try await ask(
      OutboundRequest(endpoints.userInfo, authorization: token.authorization))
    guard let subject = claims["sub"]?.string else { throw .accessToken(.unreadable) }
    // Absent if the token was issued without the scope `openid`.
    guard info.optional("sub")?.string?.hasSameBytes(as: subject) ?? true else {
      throw .otherSubject
    }
    return claims
  }

  /// 400 from tokeninfo or 401 from userinfo: Google doesn't know the token, or it has expired.
  private func ask(_ request: OutboundRequest) async throws(FederationError) -> JSONObject {
    let response = try await context.send(request)
    if response.status == 400 || response.status == 401 { throw .accessToken(.notGood) }
    guard response.status == 200,
      let json = try? JSONObject(parsing: response.body, limits: UserInfoEndpoint.limits)
    else { throw .refusedByProvider(status: response.status, error: nil) }
    return json
  }
}
