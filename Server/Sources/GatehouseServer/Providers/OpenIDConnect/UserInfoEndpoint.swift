import GatehouseProtocol
import GatehouseTokens
import Logging

/// Claims that a provider returns only from its userinfo endpoint (OpenID Connect Core §5.3).
///
/// Some providers' ID tokens have no email. The endpoint is called only for such an ID token, if there
/// is an access token. If the call fails, the sign-in continues with the claims of the ID token.
struct UserInfoEndpoint: Sendable {
  /// A larger response isn't read: its claims would become a part of our response and of the pending
  /// token in it.
  static let limits = JSONLimits(bytes: 32 * 1024, depth: 16, values: 1000)

  let rules: IDTokenRules
  let context: ProviderContext

  enum Answer: Sendable {
    case claims(JSONObject)
    /// The claims could not be fetched, or can't be read.
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
    guard let token = BearerToken(accessToken) else { return .none }
    let claims: JSONObject
    do throws(FederationError) {
      let response = try await context.send(
        OutboundRequest(url, authorization: token.authorization))
      switch response.status {
      case 200: claims = try await self.claims(response.body)
      case 400, 401: return .refused
      case let status: throw .refusedByProvider(status: status, error: nil)
      }
    } catch {
      // Without this line nothing would say why accounts have no email.
      context.services.logger.warning(
        "a provider's userinfo is not used: the sign-in has only the claims of the ID token",
        metadata: [
          "project": "\(context.configuration.project?.text ?? "")",
          "provider": "\(context.configuration.id)",
          "reason": error == Self.encrypted
            ? """
            the response is encrypted: register the client at the provider without \
            userinfo_encrypted_response_alg
            """ : "\(error)",
        ])
      return .none
    }
    guard let received = claims["sub"]?.string, received.hasSameBytes(as: subject) else {
      throw .otherSubject
    }
    return .claims(claims)
  }

  private static let encrypted = FederationError.unparsable(reason: "encryptedUserinfo")

  /// The claims of a plain or signed response: "If the UserInfo Response is signed and/or encrypted, then
  /// the Claims are returned in a JWT" (§5.3.2).
  private func claims(_ body: [UInt8]) async throws(FederationError) -> JSONObject {
    if let plain = try? JSONObject(parsing: body, limits: Self.limits) { return plain }
    let configuration = context.configuration
    let compact = Array(body.prefix { (0x21...0x7E).contains($0) })
    guard body.count <= Self.limits.bytes,
      body.dropFirst(compact.count).allSatisfy({ " \r\n".utf8.contains($0) })
    else { throw .unparsable(reason: "userinfo") }
    // A JWE has five parts (RFC 7516 §3.1).
    guard compact.count(where: { $0 == UInt8(ascii: ".") }) != 4 else { throw Self.encrypted }
    let failures = TokenFailures(
      issuer: rules.issuers.first ?? "", clientID: configuration.clientID)
    let token: UnverifiedToken
    do throws(TokenError) {
      token = try UnverifiedToken(compact, limits: TokenLimits(bytes: Self.limits.bytes))
    } catch {
      throw failures.federationError(error)
    }
    var policy = TokenPolicy(
      issuers: rules.issuers, audiences: configuration.audiences, algorithms: rules.algorithms)
    policy.trustedAudiences = configuration.trustedAudiences
    policy.clockSkewSeconds = context.services.options.clockSkewSeconds
    let verifier = TokenVerifier(policy: policy)
    let now = context.now
    return try await RemoteKeyVerification(
      remoteKeys: context.services.remoteKeys, failures: failures
    ).verify(token, keysOf: rules.keys, now: now) { keys throws(TokenError) in
      try verifier.verifyUserInfo(token, keys: keys.keys, now: now)
    }.json
  }
}
