import GatehouseProtocol
import GatehouseTokens

extension ProviderContext {
  /// Exchanges a code at the token endpoint (RFC 6749 §4.1.3).
  ///
  /// - Returns: The tokens, unverified, and the client that the code was issued to.
  func answer(
    toCode code: Secret<String>, redirectURI: String?, codeVerifier: String?,
    at endpoints: CodeEndpoints
  ) async throws(FederationError) -> TokenAnswer {
    var form: [OutboundRequest.FormField] = [
      .init("grant_type", "authorization_code"), .init("code", code),
    ]
    if let redirectURI { form.append(.init("redirect_uri", redirectURI)) }
    if let codeVerifier { form.append(.init("code_verifier", codeVerifier)) }
    return try await answer(toGrant: form, at: endpoints)
  }

  /// Presents a grant at the token endpoint, as one client after another, as long as the provider
  /// responds `invalid_grant`.
  ///
  /// - Returns: The tokens, unverified, and the client that the grant was issued to.
  func answer(
    toGrant form: [OutboundRequest.FormField], at endpoints: CodeEndpoints
  ) async throws(FederationError) -> TokenAnswer {
    guard let url = endpoints.token else { throw missing("token_endpoint") }
    var refusal = missing("clientId")
    for client in endpoints.credentials.clientIDs {
      var request = OutboundRequest(url, form: form)
      endpoints.credentials.authenticate(&request, clientID: client, now: now)
      let response = try await send(request)
      do throws(FederationError) {
        return try TokenAnswer(response, to: endpoints.credentials, clientID: client)
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
    if yieldsIDToken {
      try await requireKeys(in: context, orSecret: endpoints.credentials.method.sharedSecret)
    }
    return endpoints
  }

  /// Fetches the keys for the provider's ID tokens, if it issues any and the keys aren't cached.
  ///
  /// - Parameter secret: The client's secret, if the token will come from the token endpoint. Then
  ///   the provider needs no keys, because it can sign with the secret.
  /// - Throws: ``FederationError/incompleteConfiguration(provider:setting:)`` or
  ///   ``FederationError/unreachable(_:)``; ``FederationError/signature(reason:detail:)`` if the
  ///   provider has no keys, and the secret is too short.
  func requireKeys(
    in context: ProviderContext, orSecret secret: Secret<String>? = nil
  ) async throws(FederationError) {
    guard let rules = try idTokenRules(context.configuration) else { return }
    let remoteKeys = context.services.remoteKeys
    guard rules.acceptsClientSecret, let secret else {
      try await RemoteKeyVerification.requireKeys(of: rules.keys, in: remoteKeys, now: context.now)
      return
    }
    let keys = try await RemoteKeyVerification.keys(
      of: rules.keys, in: remoteKeys, now: context.now)
    if keys.lack == nil { return }
    do throws(TokenError) {
      _ = try ClientSecretKey(secret.reveal())
    } catch {
      throw .signature(reason: error.code.rawValue)
    }
  }
}
