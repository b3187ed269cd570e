import GatehouseJSON
import GatehouseModel

/// Claims that a provider returns only from its userinfo endpoint (OpenID Connect Core §5.3).
///
/// Some providers' ID tokens have no email. The endpoint is called only for such an ID token, if there
/// is an access token. If the call fails, the sign-in continues with the claims of the ID token.
struct UserInfo: Sendable {
  /// A larger response isn't read: its claims would become a part of our response and of the pending
  /// token in it.
  static let limits = JSONLimits(bytes: 32 * 1024, depth: 16, values: 1000)

  /// The maximum of calls in progress at the same time; further calls return no claims.
  static let maximumCalls = 8

  let transport: any OutboundTransport
  let calls: CallLimit

  enum Answer: Sendable {
    case claims(JSONObject)
    /// The claims could not be fetched, or aren't plain JSON.
    case none
    /// The provider says that the access token is invalid (RFC 6750 §3.1: 401 `invalid_token`; some
    /// providers respond 400).
    case refused
  }

  /// - Throws: ``FederationError/otherSubject`` if the access token is another user's: "The sub
  ///   Claim in the UserInfo Response MUST be verified to exactly match the sub Claim in the ID
  ///   Token" (§5.3.2).
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
