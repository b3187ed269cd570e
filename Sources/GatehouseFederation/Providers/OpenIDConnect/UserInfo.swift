import GatehouseJSON
import GatehouseModel

/// Claims that a provider keeps for its userinfo endpoint (OpenID Connect Core §5.3).
///
/// Asked only when an app brought an access token and the ID token has no email, as some providers
/// make it. What can't be had is absent: an ID token that is good stays good.
struct UserInfo: Sendable {
  /// More than this is as none: it becomes a part of the answer and of its pending token.
  static let limits = JSONLimits(bytes: 32 * 1024, depth: 16, values: 1000)

  /// At most so many calls are under way at once; beyond that the claims can't be had.
  static let maximumCalls = 8

  let transport: any OutboundTransport
  let calls: CallLimit

  enum Answer: Sendable {
    case claims(JSONObject)
    /// They can't be had, or aren't plain JSON.
    case none
    /// The provider says that the access token isn't good (RFC 6750 §3.1: 401 `invalid_token`; some
    /// answer 400).
    case refused
  }

  /// - Throws: ``FederationError/otherSubject``: "The sub Claim in the UserInfo Response MUST be
  ///   verified to exactly match the sub Claim in the ID Token" (§5.3.2), or somebody brought the
  ///   access token of another person.
  func claims(
    at url: OutboundURL, accessToken: Secret<String>, subject: String
  ) async throws(FederationError) -> Answer {
    guard let token = BearerToken(accessToken), calls.enter() else { return .none }
    defer { calls.leave() }
    guard
      let response = try? await transport.send(
        OutboundRequest(url, authorization: token.authorization))
    else { return .none }
    if response.status == 400 || response.status == 401 { return .refused }
    guard response.status == 200,
      let claims = try? JSONObject(parsing: response.body, limits: Self.limits)
    else { return .none }
    guard let received = claims["sub"]?.string, received.hasSameBytes(as: subject) else {
      throw .otherSubject
    }
    return .claims(claims)
  }
}
