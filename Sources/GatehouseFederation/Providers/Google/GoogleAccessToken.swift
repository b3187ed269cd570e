import GatehouseJSON
import GatehouseModel

/// Asks Google whose an access token is and for which client it was given.
///
/// ```
///   POST tokeninfo   access_token=…
///   GET  userinfo    Authorization: Bearer <access token>
/// ```
///
/// Browser extensions have nothing else: `chrome.identity.getAuthToken` gives no ID token. The token says
/// nothing by itself, so Google is asked twice at every sign-in and nothing of the answer is kept. At
/// most ``maximumCalls`` are under way at once (``OutboundError/busy`` beyond).
struct GoogleAccessToken: Sendable {
  static let maximumCalls = 8

  let endpoints: GoogleEndpoints
  let transport: any OutboundTransport
  let calls: CallLimit

  /// The claims of the token's user, as the userinfo endpoint has them.
  ///
  /// - Parameter audiences: The project's client ids, compared byte for byte. A token for any other
  ///   client is refused: its operator could sign in here as each of its users.
  /// - Throws: ``FederationError/accessToken(_:)``; ``FederationError/otherSubject`` if the two answers
  ///   speak of different users; ``FederationError/refusedByProvider(status:error:)`` for anything
  ///   else than an answer about the token.
  func claims(
    of token: BearerToken, audiences: [String]
  ) async throws(FederationError) -> JSONObject {
    let info = try await ask(
      OutboundRequest(endpoints.tokenInfo, form: [.init("access_token", token.secret)]))
    guard let audience = info["aud"]?.string else { throw .accessToken(.unreadable) }
    guard audiences.containsBytes(of: audience) else { throw .accessToken(.otherApp) }
    let claims = try await ask(
      OutboundRequest(endpoints.userInfo, authorization: token.authorization))
    guard let subject = claims["sub"]?.string else { throw .accessToken(.unreadable) }
    // Absent where the token was given without `openid`.
    guard info["sub"]?.string?.hasSameBytes(as: subject) ?? true else { throw .otherSubject }
    return claims
  }

  /// 400 from tokeninfo, 401 from userinfo: Google doesn't know the token, or it has ended.
  private func ask(_ request: OutboundRequest) async throws(FederationError) -> JSONObject {
    guard calls.enter() else { throw .unreachable(.outbound(.busy)) }
    defer { calls.leave() }
    let response: OutboundResponse
    do throws(OutboundError) {
      response = try await transport.send(request)
    } catch {
      throw .unreachable(.outbound(error))
    }
    if response.status == 400 || response.status == 401 { throw .accessToken(.notGood) }
    guard response.status == 200,
      let json = try? JSONObject(parsing: response.body, limits: UserInfo.limits)
    else { throw .refusedByProvider(status: response.status, error: nil) }
    return json
  }
}
