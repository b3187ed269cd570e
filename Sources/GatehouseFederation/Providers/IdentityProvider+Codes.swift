import GatehouseModel

extension ProviderContext {
  /// Exchanges a code at the token endpoint (RFC 6749 §4.1.3).
  ///
  /// - Returns: The tokens, unverified, and the client that the code was issued to.
  func tokens(
    forCode code: Secret<String>, redirectURI: String?, codeVerifier: String?,
    at endpoints: CodeEndpoints
  ) async throws(FederationError) -> (tokens: ExternalIdentity.ProviderTokens, clientID: String) {
    var form: [OutboundRequest.FormField] = [
      .init("grant_type", "authorization_code"), .init("code", code),
    ]
    if let redirectURI { form.append(.init("redirect_uri", redirectURI)) }
    if let codeVerifier { form.append(.init("code_verifier", codeVerifier)) }
    return try await tokens(grant: form, at: endpoints)
  }

  /// Presents a grant at the token endpoint, as one client after another, as long as the provider
  /// responds `invalid_grant`.
  ///
  /// - Returns: The tokens, unverified, and the client that the grant was issued to.
  func tokens(
    grant form: [OutboundRequest.FormField], at endpoints: CodeEndpoints
  ) async throws(FederationError) -> (tokens: ExternalIdentity.ProviderTokens, clientID: String) {
    guard let url = endpoints.token else { throw missing("token_endpoint") }
    var refusal = missing("clientId")
    for client in endpoints.credentials.clientIDs {
      var request = OutboundRequest(url, form: form)
      endpoints.credentials.authenticate(&request, clientID: client, now: now)
      let response = try await send(request)
      do throws(FederationError) {
        var tokens = try TokenAnswer(response).tokens
        tokens.clientID = client
        return (tokens, client)
      } catch .refusedByProvider(let status, let error) {
        refusal = .refusedByProvider(status: status, error: error)
        // Apple responds to a code of another client with invalid_grant. The code stays usable.
        guard error?.hasSameBytes(as: "invalid_grant") == true else { throw refusal }
      }
    }
    throw refusal
  }

  /// Revokes a token for every client to which it may have been issued: a provider responds with
  /// 200 even to a token of another client (RFC 7009 §2.2), so a success doesn't end the search.
  func revokeByRFC7009(
    _ token: Secret<String>, kind: RevocableToken, at endpoints: CodeEndpoints
  ) async throws(FederationError) {
    guard let url = endpoints.revoke else { throw missing("revocation_endpoint") }
    var refusal: FederationError?
    var isRevoked = false
    for client in endpoints.credentials.clientIDs {
      var request = OutboundRequest(
        url, form: [.init("token", token), .init("token_type_hint", kind.rawValue)])
      endpoints.credentials.authenticate(&request, clientID: client, now: now)
      let response = try await send(request)
      if response.status == 200 {
        isRevoked = true
      } else {
        refusal = .refusedByProvider(
          status: response.status, error: TokenAnswer.errorCode(of: response))
      }
    }
    if !isRevoked, let refusal { throw refusal }
  }
}

extension IdentityProvider {
  /// ``codeEndpoints(clientID:redirectURI:in:)`` for the given client, with its own secret.
  ///
  /// - Throws: ``FederationError`` if the configuration lacks a setting that the provider requires.
  ///   Nothing is sent then, except the requests of discovery.
  func configuredCodeEndpoints(
    clientID: String?, redirectURI: String?, in context: ProviderContext
  ) async throws(FederationError) -> CodeEndpoints {
    let configuration =
      clientID.flatMap { context.configuration.used(byClient: $0) } ?? context.configuration
    guard !configuration.clientID.isEmpty else { throw context.missing("clientId") }
    return try await codeEndpoints(
      clientID: clientID, redirectURI: redirectURI, in: context.with(configuration))
  }

  /// ``configuredCodeEndpoints(clientID:redirectURI:in:)`` for a code, after the keys for the ID token
  /// that it yields were fetched.
  ///
  /// A code works only once, so everything else that the server needs is required before the code is
  /// sent.
  ///
  /// - Throws: The errors of ``configuredCodeEndpoints(clientID:redirectURI:in:)``, and
  ///   ``FederationError/unreachable(_:)``.
  func endpointsForCode(
    clientID: String?, redirectURI: String?, yieldsIDToken: Bool = true,
    in context: ProviderContext
  ) async throws(FederationError) -> CodeEndpoints {
    let endpoints = try await configuredCodeEndpoints(
      clientID: clientID, redirectURI: redirectURI, in: context)
    if yieldsIDToken { try await requireKeys(in: context) }
    return endpoints
  }

  /// Fetches the keys for the provider's ID tokens, if it issues any and the keys aren't cached.
  ///
  /// - Throws: ``FederationError/incompleteConfiguration(provider:setting:)`` or
  ///   ``FederationError/unreachable(_:)``.
  func requireKeys(in context: ProviderContext) async throws(FederationError) {
    guard let rules = try idTokenRules(context.configuration) else { return }
    try await RemoteKeyVerification.requireKeys(
      of: rules.keys, in: context.services.remoteKeys, now: context.now)
  }
}
