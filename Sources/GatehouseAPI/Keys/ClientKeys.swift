import GatehouseAccounts
import GatehouseFederation
import GatehouseModel
import GatehouseTokens

/// The public half of the key by which a project proves itself to a provider: for providers that take
/// an address for it (`jwks_uri`) rather than the key, and so learn of a new one by themselves.
struct ClientKeys: Endpoint {
  let services: APIServices

  var routes: [Route] {
    [.open("__/auth/keys/*/*", "clientKeys", keySet)]
  }

  /// Providers come back for a key that they don't know; this bounds how often.
  private static let cachedSeconds = 300

  /// - Throws: ``APIError/notFound`` for a provider that isn't there or has no key.
  func keySet(_ call: Call) async throws -> Answer {
    guard let project = call.path.project.flatMap({ ProjectID($0) }),
      let id = call.path.resource.flatMap({ ProviderID($0) }),
      let key = try await services.projects.provider(id, in: project)?.clientKey,
      let signer = try? PrivateKeySigner(key)
    else { throw APIError.notFound }
    return Answer(json: try signer.publicKeySet(), cachedSeconds: Self.cachedSeconds)
  }
}
