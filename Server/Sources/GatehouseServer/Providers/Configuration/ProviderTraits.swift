package import GatehouseProtocol

/// What sign-ins and jobs have to know about a kind of provider. Everything else about a kind is in its
/// folder.
///
/// A kind whose values are the defaults needs no line here.
package struct ProviderTraits: Hashable, Sendable {
  /// Whether the refresh tokens that the provider issues are kept by default: see
  /// ``ProviderConfiguration/keepsRefreshToken``.
  package var keepsRefreshTokens = false
  /// Whether kept refresh tokens are checked every day: the provider's report that a user withdrew the
  /// app's access may be lost.
  package var checksRefreshTokens = false
  /// Whether the bundle ids of the project's apps are audiences of the provider's tokens.
  package var acceptsBundleIDs = false
  /// Whether the server signs its client secrets with the key of `ProviderConfiguration.AppleSettings`.
  package var signsClientSecrets = false
  /// Whether the server can revoke a user's grants with only the user's id, without a token.
  package var revokesGrantsBySubject = false
  /// Issuers that can be configured although no token has them; see
  /// ``ProviderConfiguration/tokenIssuer``.
  package var issuerAliases: [IssuerAlias] = []

  private static let differing: [(id: ProviderID, traits: ProviderTraits)] = [
    (.apple, apple), (.facebook, ProviderTraits(revokesGrantsBySubject: true)),
    (.microsoft, ProviderTraits(issuerAliases: microsoftAliases)),
  ]

  /// <https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc#find-your-apps-openid-configuration-document-uri>
  private static let microsoftAliases: [IssuerAlias] = [
    IssuerAlias(configured: "https://login.microsoftonline.com/common/v2.0", ofTokens: nil),
    IssuerAlias(configured: "https://login.microsoftonline.com/organizations/v2.0", ofTokens: nil),
    // All personal accounts are in one tenant.
    IssuerAlias(
      configured: "https://login.microsoftonline.com/consumers/v2.0",
      ofTokens: "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0"),
  ]

  private static let apple = ProviderTraits(
    keepsRefreshTokens: true, checksRefreshTokens: true, acceptsBundleIDs: true,
    signsClientSecrets: true)

  static func of(_ id: ProviderID) -> ProviderTraits {
    differing.first { $0.id == id }?.traits ?? ProviderTraits()
  }

  /// The providers of which ``checksRefreshTokens`` is true.
  package static let withCheckedRefreshTokens =
    differing.filter(\.traits.checksRefreshTokens).map(\.id)
}

/// A configured issuer that no token has: the vendor has an issuer for each tenant.
package struct IssuerAlias: Hashable, Sendable {
  package let configured: String
  /// The issuer of the tokens. Nil if it depends on the user's tenant.
  package let ofTokens: String?
}

extension ProviderID {
  package var traits: ProviderTraits { ProviderTraits.of(self) }

  /// The issuer of the provider's tokens, if `issuer` determines it. Nil for a provider with fixed
  /// issuers.
  ///
  /// - Parameter issuer: A configured or stored issuer.
  package func tokenIssuer(for issuer: String?) -> String? {
    guard let issuer, !issuer.isEmpty else { return nil }
    if isOpenIDConnect { return issuer }
    let aliases = traits.issuerAliases
    // The other vendors' issuers are fixed, and nothing is stored about them.
    if aliases.isEmpty { return nil }
    // A configuration may have the id of a tenant in capitals. Tokens have it in lower case.
    let tenant = issuer.lowercased()
    guard let alias = aliases.first(where: { $0.configured.hasSameBytes(as: tenant) }) else {
      return tenant
    }
    return alias.ofTokens
  }
}
