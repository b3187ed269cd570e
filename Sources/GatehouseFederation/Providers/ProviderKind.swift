package import GatehouseModel

/// What the rest of the server, the command and their texts need to know of a kind of provider.
///
/// Everything that is asked of a provider, and everything that its answers mean, is in its
/// ``IdentityProvider``.
package struct ProviderKind: Sendable {
  /// As Firebase's API spells it, such as `github.com`; nil for OpenID Connect, whose operators choose
  /// a name for each provider.
  package let id: ProviderID?
  /// The name on the command line, in settings and in metrics, such as `github`.
  package let name: String
  /// As the vendor writes its name on a button.
  package let displayName: String
  /// Where the redirect URI is registered at the vendor, as the command says it: "at GitHub (…)".
  package var redirectURIPlace = ""
  /// Whose statement about an email address counts where an operator names nothing.
  package var emailTrust = EmailTrust.never
  /// The same in `--dev`, where the emulator's rules hold.
  package var emailTrustInDevelopment = EmailTrust.never
  /// Whether a token without a nonce is refused where an operator names nothing. Not in `--dev`.
  package var requiresNonce = false
  /// What stands before the subject in `federatedId`; Firebase's own prefix for each provider.
  package var federatedIDPrefix = ""
  /// What a project of `--dev` has, for which the simulator knows the client.
  package var developmentClient: (id: String, secret: String)?
  /// Whether an operator names the issuer: it says which tokens are accepted.
  package var hasConfiguredIssuer = false
  /// The user's name comes once, beside the first answer, and never in a token (Apple).
  var sendsNameOnce = false

  /// The setting that names a stand-in for the vendor.
  package var baseURLSetting: String { "providers.\(name).baseURL" }

  package init(id: ProviderID?, name: String, displayName: String) {
    self.id = id
    self.name = name
    self.displayName = displayName
  }
}

extension ProviderConfiguration {
  /// A provider's first configuration, with the defaults of its kind and the mode.
  package init(new id: ProviderID, clientID: String = "", development: Bool) {
    let kind = IdentityProviders.kind(of: id)
    self.init(
      id: id, clientID: clientID,
      trustEmail: (development ? kind?.emailTrustInDevelopment : kind?.emailTrust) ?? .never)
    requiresNonce = kind?.requiresNonce == true && !development
  }
}
