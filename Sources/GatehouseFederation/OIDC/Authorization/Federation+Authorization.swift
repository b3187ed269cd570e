package import GatehouseModel

package import struct Foundation.Date

extension Federation {
  /// How to ask the provider.
  ///
  /// - Throws: ``FederationError/incompleteConfiguration(provider:setting:)`` for whatever the flow
  ///   would fail for later, such as a client secret; ``FederationError/unreachable(_:)`` for a
  ///   provider with discovery.
  package func authorizationPlan(
    for configuration: ProviderConfiguration, now: Date
  ) async throws(FederationError) -> AuthorizationPlan {
    let rules = try ProviderRules(configuration, endpoints: endpoints)
    let missing = { (setting: String) in
      FederationError.incompleteConfiguration(provider: configuration.id, setting: setting)
    }
    guard !configuration.clientID.isEmpty else { throw missing("clientId") }
    switch rules.kind {
    case .apple:
      _ = try AppleClientSecret(configuration)
      // Apple documents no PKCE. "If you request any scopes the value must be form_post."
      return AuthorizationPlan(
        response: .code, usesPKCE: false, endpoint: endpoints.apple.authorize,
        clientID: configuration.clientID, scopes: .init(usual: ["name", "email"]),
        mode: .formWithScopes, sendsNonce: true, namesSubjectEarly: true)
    case .google:
      guard configuration.clientSecret != nil || configuration.isPublicClient else {
        throw missing("clientSecret")
      }
      return AuthorizationPlan(
        response: .code, usesPKCE: true, endpoint: endpoints.google.authorize,
        clientID: configuration.clientID, scopes: .init(required: ["openid", "email", "profile"]),
        mode: .unsaid, sendsNonce: true)
    case .facebook:
      _ = try FacebookApp(configuration)
      // What comes of the code is an access token: Facebook has a nonce, and PKCE, for ID tokens.
      return AuthorizationPlan(
        response: .code, usesPKCE: false, endpoint: endpoints.facebook.authorize,
        clientID: configuration.clientID,
        scopes: .init(required: ["public_profile", "email"], separator: ","), mode: .unsaid,
        sendsNonce: false)
    case .openIDConnect:
      guard let metadata = try await metadata(rules, now: now) else {
        throw missing("issuer")
      }
      return try plan(configuration, metadata)
    }
  }

  private func plan(
    _ configuration: ProviderConfiguration, _ metadata: ProviderMetadata
  ) throws(FederationError) -> AuthorizationPlan {
    let missing = { (setting: String) in
      FederationError.incompleteConfiguration(provider: configuration.id, setting: setting)
    }
    guard let endpoint = metadata.authorize else { throw missing("authorization_endpoint") }
    let takesCode = configuration.takesCode
    // Who doesn't know the parameter ignores it (RFC 6749 §3.1), so it goes to who says nothing.
    let hasPKCE = metadata.challengeMethods?.containsBytes(of: "S256") ?? true
    guard hasPKCE || !configuration.isPublicClient else {
      throw missing("code_challenge_methods_supported")
    }
    // "Scope values used that are not understood by an implementation SHOULD be ignored" (OpenID
    // Connect Core §3.1.2.1).
    let offered = ["email", "profile"].filter { metadata.scopes?.containsBytes(of: $0) ?? true }
    return AuthorizationPlan(
      response: takesCode ? .code : .idToken, usesPKCE: takesCode && hasPKCE, endpoint: endpoint,
      clientID: configuration.clientID, scopes: .init(required: ["openid"] + offered),
      mode: try mode(configuration, metadata, isCode: takesCode),
      sendsNonce: true)
  }

  /// - Throws: ``FederationError/incompleteConfiguration(provider:setting:)`` if the way that is
  ///   configured isn't one that the provider has.
  private func mode(
    _ configuration: ProviderConfiguration, _ metadata: ProviderMetadata, isCode: Bool
  ) throws(FederationError) -> AuthorizationPlan.ModeRule {
    guard let mode = configuration.responseMode else {
      // A form keeps an ID token out of URLs.
      return !isCode && metadata.offers(.formPost) ? .whereOurs(.formPost) : .unsaid
    }
    guard metadata.offers(mode) else {
      throw .incompleteConfiguration(
        provider: configuration.id, setting: "response_modes_supported")
    }
    return .whereOurs(mode)
  }

  /// Checks the `iss` of an answer that came through a browser (RFC 9207 §2.4), so that another
  /// provider's code isn't sent to this one.
  ///
  /// - Throws: ``FederationError/answerOfOtherIssuer(received:expected:)``.
  package func checkIssuer(
    _ received: String?, ofAnswerFor configuration: ProviderConfiguration, now: Date
  ) async throws(FederationError) {
    let rules = try ProviderRules(configuration, endpoints: endpoints)
    let expected = rules.issuers.first ?? ""
    guard let received else {
      guard case .openIDConnect = rules.kind,
        try await metadata(rules, now: now)?.namesIssuerInAnswers == true
      else { return }
      throw .answerOfOtherIssuer(received: "", expected: expected)
    }
    guard rules.issuers.containsBytes(of: received) else {
      throw .answerOfOtherIssuer(received: TokenFailures.shown(received), expected: expected)
    }
  }
}
