package import GatehouseModel

/// What a provider gave for an authorization code.
package struct CodeExchange: Sendable {
  /// As the provider sent them.
  package var tokens: ExternalIdentity.ProviderTokens
  /// Whom the ID token speaks of, if there was one. Verified, except that no nonce is compared: the
  /// token came from the provider itself, in answer to us.
  package var identity: ExternalIdentity?
  /// The client that the code was issued to. To revoke the tokens, name it again.
  package var clientID: String
}
