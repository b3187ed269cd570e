import GatehouseProtocol
import GatehouseTokens

extension OpenIDConnectProvider {
  func authorizationPlan(
    in context: ProviderContext
  ) async throws(FederationError) -> AuthorizationPlan {
    let configuration = context.configuration
    guard let metadata = try await metadata(in: context) else { throw context.missing("issuer") }
    guard let endpoint = metadata.authorize else {
      throw context.missing("authorization_endpoint")
    }
    let takesCode = configuration.takesCode
    try await requireKeys(in: context, orSecret: takesCode ? configuration.clientSecret : nil)
    // A provider that doesn't know PKCE ignores its parameters (RFC 6749 §3.1). They are sent also
    // if the discovery document doesn't mention PKCE.
    let hasPKCE = metadata.challengeMethods?.containsBytes(of: "S256") ?? true
    guard hasPKCE || !configuration.isPublicClient else {
      throw context.missing("code_challenge_methods_supported")
    }
    return AuthorizationPlan(
      response: takesCode ? .code : .idToken, usesPKCE: takesCode && hasPKCE, endpoint: endpoint,
      clientID: configuration.clientID, scopes: Self.scopes(configuration, metadata),
      mode: try mode(metadata, isCode: takesCode, in: context),
      sendsNonce: true)
  }

  /// The configured scopes, or those of `email` and `profile` that the discovery document names. Some
  /// providers refuse a request with a scope that they don't know (Kakao), although "scope values used that
  /// are not understood by an implementation SHOULD be ignored" (OpenID Connect Core §3.1.2.1). So where
  /// nothing says which scopes there are, an app's own list replaces the two.
  private static func scopes(
    _ configuration: ProviderConfiguration, _ metadata: ProviderMetadata
  ) -> AuthorizationPlan.ScopeRule {
    let usual = ["email", "profile"]
    if !configuration.scopes.isEmpty {
      return .init(
        required: ["openid"] + configuration.scopes.filter { !$0.hasSameBytes(as: "openid") })
    }
    guard let offered = metadata.scopes else { return .init(required: ["openid"], usual: usual) }
    return .init(required: ["openid"] + usual.filter { offered.containsBytes(of: $0) })
  }

  /// - Throws: ``FederationError/incompleteConfiguration(provider:setting:)`` if the provider
  ///   doesn't support the configured response mode.
  private func mode(
    _ metadata: ProviderMetadata, isCode: Bool, in context: ProviderContext
  ) throws(FederationError) -> AuthorizationPlan.ModeRule {
    guard let mode = context.configuration.responseMode else {
      // With form_post, no URL contains the ID token.
      return !isCode && metadata.offers(.formPost) ? .whereOurs(.formPost) : .unsaid
    }
    guard metadata.offers(mode) else { throw context.missing("response_modes_supported") }
    return .whereOurs(mode)
  }

  func alwaysNamesIssuer(in context: ProviderContext) async throws(FederationError) -> Bool {
    try await metadata(in: context)?.namesIssuerInAnswers == true
  }

  func codeEndpoints(
    clientID: String?, redirectURI: String?, in context: ProviderContext
  ) async throws(FederationError) -> CodeEndpoints {
    let metadata = try await metadata(in: context)
    return CodeEndpoints(
      token: metadata?.token, revoke: metadata?.revoke,
      credentials: ClientCredentials(
        clientIDs: [clientID ?? context.configuration.clientID],
        method: try method(context.configuration, metadata)))
  }

  private func metadata(
    in context: ProviderContext
  ) async throws(FederationError) -> ProviderMetadata? {
    guard let rules = try idTokenRules(context.configuration) else { return nil }
    do throws(RemoteKeyFailure) {
      return try await context.services.remoteKeys.keys(of: rules.keys, now: context.now).metadata
    } catch {
      throw .unreachable(error)
    }
  }

  /// The key, if there is one; otherwise the secret, sent as configured. If no method is configured, the
  /// discovery document decides: the secret is sent in the body if the document names that method and
  /// doesn't name the header, otherwise in the header (OpenID Connect Discovery §3).
  private func method(
    _ configuration: ProviderConfiguration, _ metadata: ProviderMetadata?
  ) throws(FederationError) -> ClientCredentials.Method {
    if let key = configuration.clientKey {
      return .assertion(
        try ClientAssertion(
          key, of: configuration.id, issuer: configuration.issuer ?? "",
          tokenEndpoint: metadata?.token))
    }
    guard let secret = configuration.clientSecret else { return .none }
    let inBody = metadata?.acceptsSecretInBody == true && metadata?.acceptsSecretInHeader == false
    return switch configuration.secretPlace ?? (inBody ? .body : .header) {
    case .body: .secretInBody(secret)
    case .header: .secretInHeader(secret)
    }
  }
}
