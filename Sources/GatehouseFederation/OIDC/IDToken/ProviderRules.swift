import GatehouseModel
import GatehouseTokens

/// What an ID token of one provider is checked against: all of it from configuration.
struct ProviderRules: Sendable {
  enum Kind: Sendable {
    case apple
    case google
    case facebook
    case openIDConnect
  }

  let kind: Kind
  let issuers: [String]
  let keys: KeySource
  let algorithms: Set<SignatureAlgorithm>

  /// - Throws: ``FederationError/unsupportedProvider(_:)`` or
  ///   ``FederationError/incompleteConfiguration(provider:setting:)``.
  init(
    _ configuration: ProviderConfiguration, endpoints: BuiltInEndpoints
  ) throws(FederationError) {
    switch configuration.id {
    case .apple:
      kind = .apple
      issuers = AppleProvider.issuers
      keys = KeySource(keys: endpoints.apple.keys)
      algorithms = AppleProvider.algorithms
    case .google:
      kind = .google
      issuers = GoogleProvider.issuers
      keys = KeySource(keys: endpoints.google.keys)
      algorithms = GoogleProvider.algorithms
    case .facebook:
      kind = .facebook
      issuers = FacebookProvider.issuers
      keys = KeySource(keys: endpoints.facebook.keys)
      algorithms = FacebookProvider.algorithms
    case let id where id.isOpenIDConnect:
      guard let issuer = configuration.issuer, !issuer.isEmpty else {
        throw .incompleteConfiguration(provider: id, setting: "issuer")
      }
      kind = .openIDConnect
      issuers = [issuer]
      keys = KeySource(issuer: issuer)
      // The keys decide: they are the configured issuer's, and each fits its own kind of algorithm
      // only. There is no symmetric one.
      algorithms = Set(SignatureAlgorithm.allCases)
    default:
      throw .unsupportedProvider(configuration.id)
    }
  }
}
