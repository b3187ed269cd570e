import Foundation
import Hummingbird

/// A token endpoint's response before the ID token is signed.
struct TokenAnswer: Sendable {
  let accessToken: String
  let refreshToken: String?
  /// Nil if the provider gives none, because `openid` was not requested.
  let idToken: UnsignedToken?
  /// The granted scopes, in the provider's order.
  let scope: String
  /// In seconds; nil if the token is valid as long as the consent.
  let expiresIn: Int?
}

extension SimulatorState {
  /// Issues the tokens for an exchanged code.
  ///
  /// - Parameter faults: Replace the provider's.
  /// - Throws: `invalid_grant` if the consent was withdrawn.
  mutating func issueTokens(
    for grant: Grant, baseURL: String, now: Date, faults: TokenFaults? = nil
  ) throws -> TokenAnswer {
    let access = issueAccessToken(for: grant, now: now, faults: faults)
    var refresh: String?
    if grant.givesRefreshToken {
      let token = grant.provider.kind.newRefreshToken()
      tokens.set(
        IssuedToken(kind: .refresh, grant: grant, issuedAt: now, expiresAt: nil),
        for: Identifier(token))
      refresh = token
    }
    return TokenAnswer(
      accessToken: access,
      refreshToken: refresh,
      idToken: try idToken(
        for: grant, baseURL: baseURL, now: now,
        contents: IDTokenContents(nonce: grant.nonce, accessToken: access), faults: faults),
      scope: grant.provider.kind.text(grant.scopes),
      expiresIn: grant.provider.kind.accessTokenLifetime)
  }

  /// Issues new tokens for a refresh token. The refresh token stays valid, and isn't replaced.
  ///
  /// - Throws: ``GrantRefusal`` as the provider's error.
  mutating func refresh(
    _ provider: Provider, token: String, clientID: String, baseURL: String, now: Date
  ) throws -> TokenAnswer {
    guard let issued = tokens[Identifier(token)], issued.kind == .refresh,
      issued.grant.provider == provider
    else { throw provider.kind.error(for: .unknownRefreshToken) }
    let grant = issued.grant
    guard grant.clientID.isSame(as: clientID) else {
      throw provider.kind.error(for: .refreshTokenOfAnotherClient)
    }
    guard standingConsent(of: grant) != nil else {
      throw provider.kind.error(for: .withdrawn)
    }
    let access = issueAccessToken(for: grant, now: now, faults: nil)
    return TokenAnswer(
      accessToken: access,
      refreshToken: nil,
      // OpenID Connect Core §12.2: an ID token from a refresh should not have a nonce.
      idToken: try idToken(
        for: grant, baseURL: baseURL, now: now,
        contents: IDTokenContents(accessToken: access), faults: nil),
      scope: provider.kind.text(grant.scopes), expiresIn: provider.kind.accessTokenLifetime)
  }

  /// - Parameter text: The token; nil for a new one in the provider's usual format.
  mutating func issueAccessToken(
    for grant: Grant, now: Date, faults: TokenFaults?, text: String? = nil
  ) -> String {
    let token = text ?? grant.provider.kind.newAccessToken()
    let isExpired = (faults ?? self.faults.tokens[grant.provider])?.expiredTokens == true
    tokens.set(
      IssuedToken(
        kind: .access, grant: grant,
        issuedAt: now,
        expiresAt: isExpired
          ? now
          : grant.provider.kind.accessTokenLifetime.map { now.addingTimeInterval(Double($0)) }),
      for: Identifier(token))
    return token
  }

  /// The grant of an access token; nil if the token is invalid.
  func grant(ofAccessToken token: String, at provider: Provider, now: Date) -> Grant? {
    guard let issued = tokens[Identifier(token)], issued.kind == .access,
      issued.grant.provider == provider, !issued.isRevoked,
      issued.expiresAt.map({ now < $0 }) ?? true
    else { return nil }
    return issued.grant
  }
}

extension TokenAnswer {
  /// The response of a token endpoint (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3).
  func response(withScope: Bool) throws -> Response {
    var members: [String: JSONValue] = [
      "access_token": .string(accessToken),
      "token_type": "Bearer",
    ]
    members["expires_in"] = expiresIn.map(JSONValue.integer)
    members["refresh_token"] = refreshToken.map(JSONValue.string)
    members["id_token"] = try idToken.map { .string(try $0.signed()) }
    if withScope { members["scope"] = .string(scope) }
    return try .json(.object(members))
  }
}
