import GatehouseModel

import struct Foundation.Date

/// Where codes are exchanged and tokens revoked, and as whom.
struct CodeEndpoints: Sendable {
  var token: OutboundURL?
  var revoke: OutboundURL?
  var credentials: ClientCredentials
}

extension Federation {
  /// - Throws: ``FederationError`` if the configuration lacks what the provider wants; nothing is
  ///   sent then but, for a provider with discovery, the requests of that.
  func codeEndpoints(
    _ configuration: ProviderConfiguration, _ rules: ProviderRules, clientID: String?,
    redirectURI: String?, now: Date
  ) async throws(FederationError) -> CodeEndpoints {
    let configuration = clientID.flatMap { configuration.used(byClient: $0) } ?? configuration
    guard !configuration.clientID.isEmpty else {
      throw .incompleteConfiguration(provider: configuration.id, setting: "clientId")
    }
    switch rules.kind {
    case .apple:
      return CodeEndpoints(
        token: endpoints.apple.token, revoke: endpoints.apple.revoke,
        credentials: ClientCredentials(
          clientIDs: clientID.map { [$0] }
            ?? AppleProvider.likelyClients(configuration, isWeb: redirectURI != nil),
          method: .apple(try AppleClientSecret(configuration))))
    case .google:
      return CodeEndpoints(
        token: endpoints.google.token, revoke: endpoints.google.revoke,
        credentials: secretInBody(configuration, clientID))
    case .facebook:
      // Revoked by other means: see ``FacebookGraph/revoke(_:)``.
      return CodeEndpoints(
        token: endpoints.facebook.token, revoke: nil,
        credentials: secretInBody(configuration, clientID))
    case .openIDConnect:
      let metadata = try await metadata(rules, now: now)
      return CodeEndpoints(
        token: metadata?.token, revoke: metadata?.revoke,
        credentials: ClientCredentials(
          clientIDs: [clientID ?? configuration.clientID],
          method: try method(configuration, metadata)))
    }
  }

  private func secretInBody(
    _ configuration: ProviderConfiguration, _ clientID: String?
  ) -> ClientCredentials {
    ClientCredentials(
      clientIDs: [clientID ?? configuration.clientID],
      method: configuration.clientSecret.map { .secretInBody($0) } ?? .none)
  }

  func metadata(
    _ rules: ProviderRules, now: Date
  ) async throws(FederationError) -> ProviderMetadata? {
    do throws(RemoteKeyFailure) {
      return try await remoteKeys.keys(of: rules.keys, now: now).metadata
    } catch {
      throw .unreachable(error)
    }
  }

  /// The key, if there is one; a secret in the way that is configured, else in the way that the provider
  /// says, in the header where it says nothing (OpenID Connect Discovery §3).
  private func method(
    _ configuration: ProviderConfiguration, _ metadata: ProviderMetadata?
  ) throws(FederationError) -> ClientCredentials.Method {
    if let key = configuration.clientKey {
      return .assertion(
        try ClientAssertion(
          key, of: configuration.id, issuer: configuration.issuer ?? "",
          tokenEndpoint: metadata?.token))
    }
    guard let secret = configuration.clientSecret else { return .none }
    let inBody = metadata?.acceptsSecretInBody == true && metadata?.acceptsSecretInHeader == false
    return switch configuration.secretPlace ?? (inBody ? .body : .header) {
    case .body: .secretInBody(secret)
    case .header: .secretInHeader(secret)
    }
  }
}

extension AppleProvider {
  /// At most this many clients are tried for one code, and named to revoke one token.
  private static let maximumClients = 8

  /// Apple issues a native app's code to its bundle id and a web page's to the Services ID, and the
  /// request for the exchange must name that client. A redirect URI tells a web page's.
  static func likelyClients(
    _ configuration: ProviderConfiguration, isWeb: Bool
  ) -> [String] {
    let audiences = configuration.audiences
    let native = audiences.filter { !$0.hasSameBytes(as: configuration.clientID) }
      .prefix(maximumClients - 1)
    // However many apps are registered, the web's client is named.
    return isWeb || native.isEmpty
      ? [configuration.clientID] + native : native + [configuration.clientID]
  }
}
