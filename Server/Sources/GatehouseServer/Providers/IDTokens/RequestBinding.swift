import GatehouseProtocol
import GatehouseTokens

/// Checks a verified token against its request: nonce, hashes, and how the user authenticated, in
/// this order.
struct RequestBinding: Sendable {
  let origin: TokenOrigin
  let rules: IDTokenRules
  let provider: ProviderID
  let clockSkewSeconds: Int

  /// - Returns: The records that make the token usable once. The caller must store them in the
  ///   transaction that acts on the token.
  func check(
    _ token: VerifiedToken, _ credential: IdPCredential
  ) throws(FederationError) -> ProofUse {
    switch origin {
    case .app:
      let use = try checkNonce(token, credential, rules.nonce)
      try checkAppsHashes(token, credential)
      return use
    case .browser(_, let authentication?), .code(_, let authentication?):
      let use = try checkBrowsers(token, credential)
      try authentication.check(
        authenticatedAt: token.authenticatedAt, contextClass: token.claims.string("acr"),
        clockSkewSeconds: clockSkewSeconds)
      return use
    case .browser(_, nil):
      return try checkBrowsers(token, credential)
    case .code(_, nil):
      return .unlimited
    }
  }

  private func checkBrowsers(
    _ token: VerifiedToken, _ credential: IdPCredential
  ) throws(FederationError) -> ProofUse {
    let use = try checkNonce(token, credential, NonceRule(isRequired: true))
    try Self.checkHashes(token, credential)
    return rules.isReusableAfterBrowser ? .unlimited : use
  }

  private func checkNonce(
    _ token: VerifiedToken, _ credential: IdPCredential, _ rule: NonceRule
  ) throws(FederationError) -> ProofUse {
    try NonceCheck(provider: provider, rule: rule, clockSkewSeconds: clockSkewSeconds)
      .check(credential.rawNonce, token)
  }

  private func checkAppsHashes(
    _ token: VerifiedToken, _ credential: IdPCredential
  ) throws(FederationError) {
    guard rules.accessTokenMayBeCode else { return try Self.checkHashes(token, credential) }
    var code = credential
    code.accessToken = nil
    try Self.checkHashes(token, code)
    guard credential.hasAccessToken, let text = credential.accessToken?.reveal() else { return }
    // If the token has one of the claims, one of them must match the text.
    let hasCodeHash = token.claims.has("c_hash")
    let hasTokenHash = token.claims.has("at_hash")
    guard hasCodeHash || hasTokenHash else { return }
    if hasCodeHash, (try? token.checkCodeHash(text)) != nil { return }
    if hasTokenHash, (try? token.checkAccessTokenHash(text)) != nil { return }
    throw .otherToken
  }

  private static func checkHashes(
    _ token: VerifiedToken, _ credential: IdPCredential
  ) throws(FederationError) {
    do throws(TokenError) {
      if let code = credential.authorizationCode { try token.checkCodeHash(code.reveal()) }
      if credential.hasAccessToken, let accessToken = credential.accessToken {
        try token.checkAccessTokenHash(accessToken.reveal())
      }
    } catch {
      throw .otherToken
    }
  }
}
