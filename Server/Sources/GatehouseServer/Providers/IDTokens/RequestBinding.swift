import GatehouseProtocol
import GatehouseTokens

import struct Foundation.Date

/// An ID token that was verified and belongs to the request: only ``RequestBinding`` makes one.
struct BoundIDToken: Sendable {
  let token: VerifiedToken
  /// The discovery document; nil for a provider whose keys' URL is pinned.
  let metadata: ProviderMetadata?
  /// The records that make the token usable once. The caller must store them in the transaction that
  /// acts on the token.
  let use: ProofUse

  fileprivate init(_ token: VerifiedToken, _ metadata: ProviderMetadata?, _ use: ProofUse) {
    self.token = token
    self.metadata = metadata
    self.use = use
  }
}

/// Checks a verified token against its request: nonce, hashes, and how the user authenticated, in
/// this order.
struct RequestBinding: Sendable {
  let origin: TokenOrigin
  let rules: IDTokenRules
  let provider: ProviderID
  let clockSkewSeconds: Int

  /// The longest lifetime of a token with a nonce. The server records such a token until it
  /// expires.
  private static let maximumNonceTokenSeconds = 48 * 60 * 60

  func bind(
    _ token: VerifiedToken, _ metadata: ProviderMetadata?, to credential: IdPCredential
  ) throws(FederationError) -> BoundIDToken {
    BoundIDToken(token, metadata, try check(token, credential))
  }

  private func check(
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

  /// Compares the token's nonce with the request's; see `VerifiedToken.checkNonce(_:rule:)`.
  private func checkNonce(
    _ token: VerifiedToken, _ credential: IdPCredential, _ rule: NonceRule
  ) throws(FederationError) -> ProofUse {
    let raw = credential.rawNonce
    do throws(TokenError) {
      try token.checkNonce(raw, rule: rule)
    } catch {
      throw Self.nonceError(error, raw: raw ?? "")
    }
    guard token.hasNonce else { return .unlimited }
    let lifetime = token.expiresAt.timeIntervalSince(token.issuedAt)
    let maximum = Self.maximumNonceTokenSeconds
    guard lifetime <= Double(maximum) else {
      // Both dates are between 1970 and 9999, so the difference fits.
      throw .nonceTokenLivesTooLong(seconds: Int(lifetime), maximum: maximum)
    }
    let end = token.expiresAt.addingTimeInterval(Double(clockSkewSeconds))
    let itself = SingleUseToken(digest: token.signingInputSHA256, acceptedUntil: end)
    // A nonce that the provider's SDK chose doesn't bind the token to a request. Like a token
    // without a nonce, this token may be presented again, as apps do after a link conflict. It is
    // rejected only if a request with its nonce has spent it.
    guard let raw, !raw.isEmpty else { return .repeatable(itself) }
    return .once(
      token: itself,
      nonce: SingleUseToken(digest: token.nonceUseSHA256(of: provider), acceptedUntil: end))
  }

  private static func nonceError(_ error: TokenError, raw: String) -> FederationError {
    switch error.code {
    case .nonceMissingInRequest: .nonceMissingInRequest
    case .nonceMissingInToken: .nonceMissingInToken
    case .nonceLength: .nonceLength(bytes: raw.utf8.count)
    default:
      .nonceMismatch(
        received: TokenFailures.shown(error.received.first ?? ""), raw: raw,
        form: error.code == .nonceNotHashed ? .sameText : form(of: error))
    }
  }

  private static func form(of error: TokenError) -> NonceForm {
    guard let received = error.received.first, let expected = error.expected.first else {
      return .other
    }
    if received.lowercased().utf8.elementsEqual(expected.utf8) { return .upperCase }
    return AnyBase64.decode(received)?.lowercaseHex.utf8.elementsEqual(expected.utf8) == true
      ? .base64 : .other
  }
}

/// Checks that the user authenticated as the app requested with `max_age` and `acr_values` (OpenID
/// Connect Core §3.1.2.1).
///
/// The check is necessary because a provider may ignore both parameters, and a user can remove them
/// from the URL in the browser.
struct AuthenticationCheck: Sendable {
  let demand: AuthenticationDemand
  /// When the authorization request was created.
  let askedAt: Date

  /// - Parameters:
  ///   - authenticatedAt: The claim `auth_time`.
  ///   - contextClass: The claim `acr`.
  /// - Throws: ``FederationError/authenticationTooOld(maximumSeconds:)``,
  ///   ``FederationError/otherAuthenticationContext(received:)``.
  func check(
    authenticatedAt: Date?, contextClass: String?, clockSkewSeconds: Int = 0
  ) throws(FederationError) {
    if let maximum = demand.maximumAgeSeconds {
      // "When max_age is used, the ID Token returned MUST include an auth_time Claim Value" (OpenID
      // Connect Core §3.1.2.1). The age counts from the request and not from the response, because the
      // user may need minutes on the provider's page.
      let earliest = askedAt.addingTimeInterval(-Double(maximum + clockSkewSeconds))
      guard let authenticatedAt, authenticatedAt >= earliest else {
        throw .authenticationTooOld(maximumSeconds: maximum)
      }
    }
    guard
      demand.contextClasses.isEmpty || demand.contextClasses.containsBytes(of: contextClass ?? "")
    else { throw .otherAuthenticationContext(received: TokenFailures.shown(contextClass ?? "")) }
  }
}
