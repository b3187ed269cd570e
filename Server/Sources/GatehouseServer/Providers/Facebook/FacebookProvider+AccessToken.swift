import GatehouseProtocol

extension FacebookProvider {
  var identifiesByAccessToken: Bool { true }

  func identity(
    ofAccessToken accessToken: Secret<String>, in context: ProviderContext
  ) async throws(FederationError) -> ExternalIdentity {
    let graph = try graph(in: context)
    guard let token = BearerToken(accessToken) else { throw .accessToken(.unreadable) }
    let inspection = try await graph.inspect(
      token, clockSkewSeconds: context.services.options.clockSkewSeconds, now: context.now)
    let profile = try await graph.profile(of: token)
    var identity = try Self.identity(
      inspection, profile: profile, pictures: endpoints.pictures, context.configuration)
    identity.tokens.accessToken = accessToken
    return identity
  }

  /// Revokes every permission that the user granted to the app: Facebook has no other way to end a
  /// token.
  func revoke(
    _ token: Secret<String>, kind: RevocableToken, clientID: String?, in context: ProviderContext
  ) async throws(FederationError) {
    let graph = try graph(in: context)
    guard let token = BearerToken(token) else { throw .accessToken(.unreadable) }
    try await graph.revoke(token)
  }

  func revokeGrant(
    of subject: Subject, in context: ProviderContext
  ) async throws(FederationError) {
    guard let url = endpoints.permissions(of: subject) else {
      throw .subjectForm(context.configuration.id)
    }
    try await graph(in: context).revokeGrant(at: url)
  }

  func clientFindings(in context: ProviderContext) async -> [Finding] {
    let check = "app secret"
    guard context.configuration.clientSecret != nil else {
      return [
        Finding(
          check,
          .warning(remedy: "Set the app secret, unless your apps use only Limited Login."),
          "there is no app secret: access tokens are rejected")
      ]
    }
    do throws(FederationError) {
      let graph = try graph(in: context)
      guard let token = BearerToken(Secret("gatehouse-test")) else {
        throw .accessToken(.unreadable)
      }
      // The token doesn't exist. If Facebook says so, it accepted the app's credentials.
      _ = try await graph.inspectionAnswer(of: token)
      return [Finding(check, .ok, "accepted")]
    } catch {
      return [Finding(error, check: check)]
    }
  }
}
