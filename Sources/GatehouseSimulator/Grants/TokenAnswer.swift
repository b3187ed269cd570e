import Foundation

/// What a token endpoint answers, before the ID token is signed.
struct TokenAnswer: Sendable {
  let accessToken: String
  let refreshToken: String?
  /// Nil where `openid` was not asked for. Apple always gives one.
  let idToken: UnsignedToken?
  let scopes: Set<Scope>
  /// In seconds.
  let expiresIn: Int
}

extension SimulatorState {
  /// The tokens of an exchanged code.
  ///
  /// - Parameter faults: In place of the provider's.
  /// - Throws: `invalid_grant` if the consent was withdrawn.
  mutating func issueTokens(
    for grant: Grant, baseURL: String, now: Date, faults: TokenFaults? = nil
  ) throws -> TokenAnswer {
    let access = issueAccessToken(for: grant, now: now, faults: faults)
    var refresh: String?
    if grant.givesRefreshToken {
      let token = RandomToken.refresh(grant.provider)
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
      scopes: grant.scopes, expiresIn: grant.provider.accessTokenLifetime)
  }

  /// New tokens for a refresh token, which stays as it is at every provider.
  ///
  /// - Throws: ``GrantRefusal`` in the provider's words.
  mutating func refresh(
    _ provider: Provider, token: String, clientID: String, baseURL: String, now: Date
  ) throws -> TokenAnswer {
    guard let issued = tokens[Identifier(token)], issued.kind == .refresh,
      issued.grant.provider == provider
    else { throw GrantRefusal.unknownRefreshToken.error(at: provider) }
    let grant = issued.grant
    guard grant.clientID.isSame(as: clientID) else {
      throw GrantRefusal.refreshTokenOfAnotherClient.error(at: provider)
    }
    guard standingConsent(of: grant) != nil else {
      throw GrantRefusal.withdrawn.error(at: provider)
    }
    let access = issueAccessToken(for: grant, now: now, faults: nil)
    return TokenAnswer(
      accessToken: access,
      refreshToken: nil,
      // OpenID Connect Core §12.2: an ID token of a refresh should not have a nonce.
      idToken: try idToken(
        for: grant, baseURL: baseURL, now: now,
        contents: IDTokenContents(accessToken: access), faults: nil),
      scopes: grant.scopes, expiresIn: provider.accessTokenLifetime)
  }

  mutating func issueAccessToken(
    for grant: Grant, now: Date, faults: TokenFaults?
  ) -> String {
    let token = RandomToken.access(grant.provider)
    let isExpired = (faults ?? self.faults.tokens[grant.provider])?.expiredTokens == true
    tokens.set(
      IssuedToken(
        kind: .access, grant: grant,
        issuedAt: now,
        expiresAt: isExpired
          ? now : now.addingTimeInterval(Double(grant.provider.accessTokenLifetime))),
      for: Identifier(token))
    return token
  }

  /// The grant of an access token that is good for something.
  func grant(ofAccessToken token: String, at provider: Provider, now: Date) -> Grant? {
    guard let issued = tokens[Identifier(token)], issued.kind == .access,
      issued.grant.provider == provider, let expiresAt = issued.expiresAt, now < expiresAt
    else { return nil }
    return issued.grant
  }
}
