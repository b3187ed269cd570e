import GatehouseProtocol

extension AppleProvider {
  /// Apple doesn't document PKCE. Of `response_mode` it says: "If you request any scopes the value
  /// must be form_post."
  func authorizationPlan(
    in context: ProviderContext
  ) throws(FederationError) -> AuthorizationPlan {
    _ = try AppleClientSecret(context.configuration)
    return AuthorizationPlan(
      response: .code, usesPKCE: false, endpoint: endpoints.authorize,
      clientID: context.configuration.clientID, scopes: .init(usual: ["name", "email"]),
      mode: .formWithScopes, sendsNonce: true, namesSubjectEarly: true)
  }

  func codeEndpoints(
    clientID: String?, redirectURI: String?, in context: ProviderContext
  ) throws(FederationError) -> CodeEndpoints {
    CodeEndpoints(
      token: endpoints.token, revoke: endpoints.revoke,
      credentials: ClientCredentials(
        clientIDs: clientID.map { [$0] }
          ?? Self.likelyClients(context.configuration, isWeb: redirectURI != nil),
        method: .minted(try AppleClientSecret(context.configuration))))
  }

  /// The most clients that are tried for one code, or to revoke one token.
  private static let maximumClients = 8

  /// Apple issues a native app's code to its bundle id and a web page's code to the Services ID.
  /// The exchange must use the same client. A code with a redirect URI comes from a web page.
  private static func likelyClients(
    _ configuration: ProviderConfiguration, isWeb: Bool
  ) -> [String] {
    let audiences = configuration.audiences
    let native = audiences.filter { !$0.hasSameBytes(as: configuration.clientID) }
      .prefix(maximumClients - 1)
    // The limit leaves a place for the Services ID, however many apps are registered.
    return isWeb || native.isEmpty
      ? [configuration.clientID] + native : native + [configuration.clientID]
  }
}
