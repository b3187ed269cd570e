import GatehouseProtocol
import GatehouseTokens

/// The public half of the key with which a project authenticates to a provider. It is for providers
/// that take a URL for the key (`jwks_uri`) instead of the key, and so learn of a new key by
/// themselves.
struct ClientKeys: Endpoint {
  let services: APIServices

  var routes: [Route] {
    [.open("__/auth/keys/*/*", "clientKeys", keySet)]
  }

  /// How long a provider may cache the key set: it limits how often a provider that sees an unknown
  /// key fetches the key set again.
  private static let cachedSeconds = 300

  /// - Throws: ``APIError/notFound`` if the provider doesn't exist or has no key.
  func keySet(_ call: Call) async throws -> Answer {
    guard let project = call.path.project.flatMap({ ProjectID($0) }),
      let id = call.path.resource.flatMap({ ProviderID($0) }),
      let key = try await services.projects.provider(id, in: project)?.clientKey,
      let signer = try? PrivateKeySigner(key)
    else { throw APIError.notFound }
    return Answer(json: try signer.publicKeySet(), cachedSeconds: Self.cachedSeconds)
  }
}
