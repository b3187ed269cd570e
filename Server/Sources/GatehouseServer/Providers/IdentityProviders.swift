package import GatehouseProtocol
package import GatehouseTokens

/// Every kind of provider that this server supports.
package struct IdentityProviders: Sendable {
  /// The only list of the kinds, in the order in which users see them. OpenID Connect, of which a
  /// project may have many providers, is the last.
  static let all: [any IdentityProvider.Type] = [
    AppleProvider.self, GoogleProvider.self, FacebookProvider.self, GitHubProvider.self,
    MicrosoftProvider.self, OpenIDConnectProvider.self,
  ]

  package static let kinds = all.map { $0.kind }

  /// The kinds of the vendors, each of which has one id.
  package static let builtIn = kinds.filter { $0.id != nil }

  /// - Returns: Nil if there is no such provider.
  package static func kind(of id: ProviderID) -> ProviderKind? { type(of: id)?.kind }

  /// See ``ProviderKind/revokesAllTokens``.
  package static func revokesAllTokens(_ id: ProviderID) -> Bool {
    kind(of: id)?.revokesAllTokens == true
  }

  static func type(of id: ProviderID) -> (any IdentityProvider.Type)? {
    if id.isOpenIDConnect { return OpenIDConnectProvider.self }
    return all.first { $0.kind.id == id }
  }

  private var builtIn: [(id: ProviderID, provider: any IdentityProvider)]
  private let openIDConnect = OpenIDConnectProvider()

  /// Uses the vendors' own endpoints.
  package init() {
    builtIn = Self.all.compactMap { type in type.kind.id.map { ($0, type.init()) } }
  }

  /// - Parameter baseURL: The address of a stand-in for the vendors, such as the simulator, without a
  ///   slash at the end. It has a path for each: ``ProviderKind/name``. It changes only where the server
  ///   connects: the issuers in tokens remain those of the vendors. If nil, the vendors are called.
  package init(baseURL: String?) throws(MalformedBaseURL) {
    self.init()
    guard let baseURL else { return }
    for (index, type) in Self.all.enumerated() {
      guard let id = type.kind.id else { continue }
      guard let standIn = type.init(baseURL: "\(baseURL)/\(type.kind.name)") else {
        throw MalformedBaseURL(url: baseURL)
      }
      builtIn[index] = (id, standIn)
    }
  }

  /// The provider's label in metrics. All OpenID Connect providers share one label, because
  /// administrators choose their names and there may be many.
  package static func metricsLabel(of id: ProviderID) -> String {
    kind(of: id).map { $0.id?.text ?? $0.name } ?? "other"
  }

  /// The rule for nonces of the vendor to which all of these issuers belong. If there is no such
  /// vendor, the rule for OpenID Connect providers.
  package static func nonceRule(ofIssuers issuers: [String]) -> NonceRule {
    for type in all {
      guard let id = type.kind.id,
        let rules = try? type.init().idTokenRules(
          ProviderConfiguration(new: id, development: true)),
        issuers.allSatisfy({ rules.issuers.containsBytes(of: $0) })
      else { continue }
      return rules.nonce
    }
    return NonceRule()
  }

  /// - Throws: ``FederationError/unsupportedProvider(_:)``.
  func provider(_ id: ProviderID) throws(FederationError) -> any IdentityProvider {
    if id.isOpenIDConnect { return openIDConnect }
    for known in builtIn where known.id == id { return known.provider }
    throw .unsupportedProvider(id)
  }
}

/// A base URL that isn't an absolute http or https URL of the form that ``OutboundURL`` accepts.
package struct MalformedBaseURL: Error, Hashable, Sendable {
  package let url: String

  package init(url: String) { self.url = url }
}
