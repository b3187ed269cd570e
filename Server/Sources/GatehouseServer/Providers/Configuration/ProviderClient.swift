package import GatehouseProtocol

/// A further client at an OpenID Connect provider, which some apps use in place of the first one.
package struct ProviderClient: Sendable {
  package var clientID: String
  /// If nil, the client authenticates with the first client's key, or it is a public client because
  /// the first client is public.
  package var secret: Secret<String>?
  /// The bundle ids of the apps that use it. An app that is in no list uses the first client.
  package var bundleIDs: [String]

  package init(clientID: String, secret: Secret<String>? = nil, bundleIDs: [String]) {
    self.clientID = clientID
    self.secret = secret
    self.bundleIDs = bundleIDs
  }
}
