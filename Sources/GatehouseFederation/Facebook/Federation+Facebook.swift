import GatehouseModel

import struct Foundation.Date

extension Federation {
  /// Whom a Facebook access token speaks of: asked of Facebook itself, at each sign-in.
  ///
  /// Doesn't look at a nonce, which such a token can't have: the caller refuses where one is
  /// wanted.
  func identity(
    ofFacebookAccessToken accessToken: Secret<String>, _ configuration: ProviderConfiguration,
    now: Date
  ) async throws(FederationError) -> ExternalIdentity {
    let graph = try facebookGraph(configuration)
    guard let token = BearerToken(accessToken) else { throw .accessToken(.unreadable) }
    let inspection = try await graph.inspect(
      token, clockSkewSeconds: options.clockSkewSeconds, now: now)
    let profile = try await graph.profile(of: token)
    var identity = try FacebookProvider.identity(
      inspection, profile: profile, pictures: endpoints.facebook.pictures, configuration)
    identity.tokens.accessToken = accessToken
    return identity
  }

  func facebookGraph(
    _ configuration: ProviderConfiguration
  ) throws(FederationError) -> FacebookGraph {
    FacebookGraph(
      endpoints: endpoints.facebook, app: try FacebookApp(configuration), transport: transport,
      calls: facebookCalls)
  }
}
