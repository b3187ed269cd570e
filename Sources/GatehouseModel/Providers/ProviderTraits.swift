/// What the domain has to know about a kind of provider. Everything else about a kind is in its folder in
/// `GatehouseFederation`, which the domain doesn't import.
///
/// A kind whose values are the defaults needs no line here.
public struct ProviderTraits: Hashable, Sendable {
  /// Whether the refresh tokens that the provider issues are kept, unless an operator configures
  /// something else.
  public var keepsRefreshTokens = false
  /// Whether kept refresh tokens are checked every day: the provider's report that a user withdrew the
  /// app's access may be lost.
  public var checksRefreshTokens = false
  /// Whether the bundle ids of the project's apps are audiences of the provider's tokens.
  public var acceptsBundleIDs = false
  /// Whether the server signs its client secrets with the key of `ProviderConfiguration.AppleSettings`.
  public var signsClientSecrets = false
  /// Whether the app can revoke a user's grants with only the user's id, without a token.
  public var revokesGrantsBySubject = false

  private static let differing: [(id: ProviderID, traits: ProviderTraits)] = [
    (.apple, apple), (.facebook, ProviderTraits(revokesGrantsBySubject: true)),
  ]

  private static let apple = ProviderTraits(
    keepsRefreshTokens: true, checksRefreshTokens: true, acceptsBundleIDs: true,
    signsClientSecrets: true)

  static func of(_ id: ProviderID) -> ProviderTraits {
    differing.first { $0.id == id }?.traits ?? ProviderTraits()
  }

  /// The providers of which ``checksRefreshTokens`` is true.
  public static let withCheckedRefreshTokens =
    differing.filter(\.traits.checksRefreshTokens).map(\.id)
}

extension ProviderID {
  public var traits: ProviderTraits { ProviderTraits.of(self) }
}
