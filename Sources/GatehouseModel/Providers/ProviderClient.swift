/// A further client of an OpenID Connect provider, which some apps use in place of the first.
public struct ProviderClient: Sendable {
  public var clientID: String
  /// Nil: it proves itself with the first client's key, or it is public as that one is.
  public var secret: Secret<String>?
  /// Of the apps that use it. An app that is in no client's list uses the first client.
  public var bundleIDs: [String]

  public init(clientID: String, secret: Secret<String>? = nil, bundleIDs: [String]) {
    self.clientID = clientID
    self.secret = secret
    self.bundleIDs = bundleIDs
  }
}
