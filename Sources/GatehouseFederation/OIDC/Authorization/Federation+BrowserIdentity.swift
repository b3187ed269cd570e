package import GatehouseModel
import GatehouseTokens

package import struct Foundation.Date

/// What came through a browser, and what it was asked for with.
package struct BrowserProof: Sendable {
  package var proof: Proof
  package var redirectURI: String
  package var rawNonce: String
  package var codeVerifier: String?
  /// `iss` of the answer (RFC 9207).
  package var issuer: String?
  /// The name in Apple's `user` field.
  package var userName: IdPCredential.UserName?
  package var demand = AuthenticationDemand()
  /// When the sign-in began.
  package var askedAt: Date

  package enum Proof: Sendable {
    case code(Secret<String>)
    case idToken(Secret<String>)
  }

  package init(
    _ proof: Proof, redirectURI: String, rawNonce: String, codeVerifier: String?, askedAt: Date
  ) {
    self.askedAt = askedAt
    self.proof = proof
    self.redirectURI = redirectURI
    self.rawNonce = rawNonce
    self.codeVerifier = codeVerifier
  }
}

extension Federation {
  /// Who the provider says came through the browser.
  ///
  /// A code is exchanged for tokens, and the ID token among them checked as any: signature, issuer,
  /// audience (the client that asked, no other of ours), times, `at_hash` and `c_hash` where it has
  /// them, the nonce of this request, without which it is refused, and how the user authenticated
  /// where that was asked for. Facebook's code gives an access token, about which Facebook is asked.
  ///
  /// - Throws: ``FederationError``: the answer's issuer before anything is sent, then what
  ///   ``exchangeAuthorizationCode(_:redirectURI:codeVerifier:clientID:for:now:)`` and
  ///   ``identity(from:for:now:)`` throw.
  package func identity(
    from answer: BrowserProof, for configuration: ProviderConfiguration, now: Date
  ) async throws(FederationError) -> ExternalIdentity {
    try await checkIssuer(answer.issuer, ofAnswerFor: configuration, now: now)
    let rules = try ProviderRules(configuration, endpoints: endpoints)
    switch answer.proof {
    case .code(let code):
      let (tokens, clientID) = try await tokens(
        forCode: code, redirectURI: answer.redirectURI, codeVerifier: answer.codeVerifier,
        clientID: configuration.clientID, rules, configuration, now: now)
      let credential = IdPCredential(
        idToken: tokens.idToken, accessToken: tokens.accessToken, authorizationCode: code,
        rawNonce: answer.rawNonce, userName: answer.userName)
      if case .facebook = rules.kind {
        // It carries no nonce, and comes from Facebook itself in answer to us.
        guard let accessToken = tokens.accessToken else { throw .missingIDToken(configuration.id) }
        try AuthenticationCheck(answer).check(authenticatedAt: nil, contextClass: nil)
        return try await identity(ofFacebookAccessToken: accessToken, configuration, now: now)
      }
      var identity = try await identity(
        ofBound: credential, rules, configuration, audience: clientID,
        check: AuthenticationCheck(answer), now: now)
      identity.tokens = tokens
      return identity
    case .idToken(let idToken):
      return try await identity(
        ofBound: IdPCredential(
          idToken: idToken, rawNonce: answer.rawNonce, userName: answer.userName),
        rules, configuration, audience: configuration.clientID, check: AuthenticationCheck(answer),
        now: now)
    }
  }

  /// Of an ID token that has to carry the request's nonce.
  private func identity(
    ofBound credential: IdPCredential, _ rules: ProviderRules,
    _ configuration: ProviderConfiguration, audience: String, check: AuthenticationCheck, now: Date
  ) async throws(FederationError) -> ExternalIdentity {
    guard let idToken = credential.idToken else { throw .missingIDToken(configuration.id) }
    let (verified, use) = try await verifyBound(
      idToken, rawNonce: credential.rawNonce, rules, configuration, audience: audience, now: now)
    do throws(TokenError) {
      if let code = credential.authorizationCode {
        try verified.token.checkCodeHash(code.reveal())
      }
      if let accessToken = credential.accessToken {
        try verified.token.checkAccessTokenHash(accessToken.reveal())
      }
    } catch {
      throw .otherToken
    }
    try check.check(
      authenticatedAt: verified.token.authenticatedAt,
      contextClass: verified.token.claims.string("acr"),
      clockSkewSeconds: options.clockSkewSeconds)
    var identity = try await identity(verified, rules, credential, configuration)
    // Firebase's SDK makes a page's credential of Google's tokens, without a nonce, and expects to
    // link or re-authenticate with it. What came for this sign-in, its code and its state, is used up
    // already.
    if rules.kind != .google { identity.use = use }
    identity.tokens.idToken = credential.idToken
    return identity
  }

  /// Verifies an ID token that has to carry the request's nonce.
  func verifyBound(
    _ idToken: Secret<String>, rawNonce: String?, _ rules: ProviderRules,
    _ configuration: ProviderConfiguration, audience: String, now: Date
  ) async throws(FederationError) -> (IDTokenVerification.Verified, ProofUse) {
    let verified = try await verification.verify(
      idToken.reveal(), rules, audiences: [audience], configuration, now: now)
    let use = try NonceCheck(
      provider: configuration.id, rule: NonceRule(isRequired: true),
      clockSkewSeconds: options.clockSkewSeconds
    ).check(rawNonce, verified.token)
    return (verified, use)
  }
}
