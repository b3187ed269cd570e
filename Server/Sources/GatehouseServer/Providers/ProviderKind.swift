package import GatehouseProtocol

/// What the rest of the server, the command and their texts need to know about a kind of provider.
///
/// The kind's ``IdentityProvider`` sends the requests and reads the responses.
package struct ProviderKind: Sendable {
  /// As Firebase's API spells it, such as `github.com`; nil for OpenID Connect, because administrators
  /// choose a name for each of these providers.
  package let id: ProviderID?
  /// The name on the command line, in settings and in metrics, such as `github`.
  package let name: String
  /// As the vendor writes its name on a button.
  package let displayName: String
  /// Where the redirect URI is registered at the vendor, in the words of the command: "at GitHub
  /// (…)".
  package var redirectURIPlace = ""
  /// The default of `trustEmail`: whether the provider's statement that an email is verified is
  /// trusted.
  package var emailTrust = EmailTrust.never
  /// The same in `--dev`, where the emulator's rules apply.
  package var emailTrustInDevelopment = EmailTrust.never
  /// Whether a request without a nonce is rejected by default. Not in `--dev`.
  package var requiresNonce = false
  /// The prefix of the subject in `federatedId`, as in Firebase.
  package var federatedIDPrefix = ""
  /// The client of a `--dev` project, which the simulator knows.
  package var developmentClient: (id: String, secret: String)?
  /// Whether the issuer is configured (for Microsoft, its tenant).
  package var hasConfiguredIssuer = false
  /// Whether the provider sends the user's name only once, with the first response, and never in a
  /// token (Apple).
  var sendsNameOnce = false

  /// How the provider posts its notifications; nil if it sends none.
  package var notifications: NotificationForm?
  /// Whether revoking one token at the revocation endpoint revokes all tokens of the user for this
  /// app.
  package var revokesAllTokens = false

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
