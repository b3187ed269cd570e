package import GatehouseModel

package import struct Foundation.Date

extension Federation {
  /// Exchanges an authorization code for tokens (RFC 6749 §4.1.3).
  ///
  /// - Parameters:
  ///   - redirectURI: Of the authorization request, if it had one.
  ///   - codeVerifier: PKCE's, if the authorization request had a challenge.
  ///   - clientID: The client that the code was issued to; nil tries those that are likely, the next
  ///     one only if the provider says that the code is another client's.
  /// - Throws: ``FederationError/incompleteConfiguration(provider:setting:)`` before anything is
  ///   sent, ``FederationError/unreachable(_:)``, ``FederationError/refusedByProvider(status:error:)``,
  ///   or what is wrong with the ID token that came.
  package func exchangeAuthorizationCode(
    _ code: Secret<String>, redirectURI: String? = nil, codeVerifier: String? = nil,
    clientID: String? = nil, for configuration: ProviderConfiguration, now: Date
  ) async throws(FederationError) -> CodeExchange {
    let rules = try ProviderRules(configuration, endpoints: endpoints)
    let (tokens, client) = try await tokens(
      forCode: code, redirectURI: redirectURI, codeVerifier: codeVerifier, clientID: clientID,
      rules, configuration, now: now)
    return try await exchange(tokens, client, rules, configuration, now: now)
  }

  /// - Returns: The tokens, unverified, and the client that the code was issued to.
  func tokens(
    forCode code: Secret<String>, redirectURI: String?, codeVerifier: String?, clientID: String?,
    _ rules: ProviderRules, _ configuration: ProviderConfiguration, now: Date
  ) async throws(FederationError) -> (tokens: ExternalIdentity.ProviderTokens, clientID: String) {
    let endpoints = try await codeEndpoints(
      configuration, rules, clientID: clientID, redirectURI: redirectURI, now: now)
    guard let url = endpoints.token else {
      throw .incompleteConfiguration(provider: configuration.id, setting: "token_endpoint")
    }
    var form: [OutboundRequest.FormField] = [
      .init("grant_type", "authorization_code"), .init("code", code),
    ]
    if let redirectURI { form.append(.init("redirect_uri", redirectURI)) }
    if let codeVerifier { form.append(.init("code_verifier", codeVerifier)) }

    var refusal = FederationError.incompleteConfiguration(
      provider: configuration.id, setting: "clientId")
    for client in endpoints.credentials.clientIDs {
      var request = OutboundRequest(url, form: form)
      endpoints.credentials.authenticate(&request, clientID: client, now: now)
      let response = try await send(request)
      do throws(FederationError) {
        return (try TokenAnswer(response).tokens, client)
      } catch .refusedByProvider(let status, let error) {
        refusal = .refusedByProvider(status: status, error: error)
        // Apple answers invalid_grant for a code of another client, which it doesn't use up.
        guard error?.hasSameBytes(as: "invalid_grant") == true else { throw refusal }
      }
    }
    throw refusal
  }

  /// Revokes a token at the provider (RFC 7009). At Facebook this takes every permission back.
  ///
  /// - Parameter clientID: The client that it was issued to; nil names every likely one, because
  ///   providers answer 200 for tokens that aren't the client's too (§2.2).
  /// - Throws: ``FederationError`` as ``exchangeAuthorizationCode(_:redirectURI:codeVerifier:clientID:for:now:)``
  ///   if no client's request was accepted.
  package func revoke(
    _ token: Secret<String>, kind: RevocableToken, clientID: String? = nil,
    for configuration: ProviderConfiguration, now: Date
  ) async throws(FederationError) {
    let rules = try ProviderRules(configuration, endpoints: endpoints)
    if case .facebook = rules.kind {
      let graph = try facebookGraph(configuration)
      guard let token = BearerToken(token) else { throw .accessToken(.unreadable) }
      return try await graph.revoke(token)
    }
    let endpoints = try await codeEndpoints(
      configuration, rules, clientID: clientID, redirectURI: nil, now: now)
    guard let url = endpoints.revoke else {
      throw .incompleteConfiguration(provider: configuration.id, setting: "revocation_endpoint")
    }
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

  func send(_ request: OutboundRequest) async throws(FederationError) -> OutboundResponse {
    do throws(OutboundError) {
      return try await transport.send(request)
    } catch {
      throw .unreachable(.outbound(error))
    }
  }

  private func exchange(
    _ tokens: ExternalIdentity.ProviderTokens, _ clientID: String, _ rules: ProviderRules,
    _ configuration: ProviderConfiguration, now: Date
  ) async throws(FederationError) -> CodeExchange {
    var identity: ExternalIdentity?
    if let idToken = tokens.idToken {
      // For this client alone: another of ours is another code's.
      let verified = try await verification.verify(
        idToken.reveal(), rules, audiences: [clientID], configuration, now: now)
      identity = try await self.identity(
        verified, rules, IdPCredential(accessToken: tokens.accessToken), configuration)
      identity?.tokens = tokens
    } else if case .facebook = rules.kind, let accessToken = tokens.accessToken {
      identity = try await self.identity(
        ofFacebookAccessToken: accessToken, configuration, now: now)
    }
    return CodeExchange(tokens: tokens, identity: identity, clientID: clientID)
  }
}
