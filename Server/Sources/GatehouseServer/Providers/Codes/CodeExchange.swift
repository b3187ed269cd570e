import GatehouseProtocol

/// What a provider returned for an authorization code.
package struct CodeExchange: Sendable {
  /// As the provider sent them.
  package var tokens: ExternalIdentity.ProviderTokens
  /// The user of the ID token, or of an access token that identifies the user. Nil if the provider
  /// returned neither. Verified, except that no nonce is compared: the token came from the provider
  /// itself, in response to our request.
  package var identity: ExternalIdentity?
  /// The client to which the code was issued. Name it again to revoke the tokens.
  package var clientID: String
}
