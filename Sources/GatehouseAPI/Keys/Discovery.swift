import GatehouseAccounts
import GatehouseJSON
import GatehouseModel

/// OpenID Connect discovery of our own ID tokens, so that any JWT library finds the keys: for each
/// project under its issuer, and in `--dev` for the default project at the root.
///
/// Only what verifying a token needs (OpenID Connect Discovery §3): nobody signs in here by a
/// redirect to these addresses.
struct Discovery: Sendable {
  let services: APIServices
  let configuration: APIConfiguration

  func document(_ call: Call) async throws -> Answer {
    let name = call.path.project ?? configuration.development?.defaultProject.text
    guard let id = name.flatMap({ ProjectID($0) }),
      let project = try await services.projects.project(id)
    else { throw APIError.notFound }
    let place = call.path.project.map { "/\($0)" } ?? ""
    var writer = JSONWriter()
    writer.object {
      $0.member("issuer", project.issuer)
      $0.member("jwks_uri", "\(configuration.publicURL)\(place)/.well-known/jwks.json")
      $0.member("response_types_supported", ["id_token"])
      $0.member("subject_types_supported", ["public"])
      $0.member("id_token_signing_alg_values_supported", ["RS256"])
      $0.member(
        "claims_supported",
        [
          "iss", "aud", "sub", "iat", "exp", "auth_time", "email", "email_verified", "name",
          "picture", "user_id", "firebase",
        ])
    }
    return Answer(json: writer.bytes, cachedSeconds: PublicKeys.cachedSeconds)
  }

  /// A project's key set: the server's, if there is such a project.
  func keySet(_ call: Call) async throws -> Answer {
    guard let id = call.path.project.flatMap({ ProjectID($0) }),
      try await services.projects.project(id) != nil
    else { throw APIError.notFound }
    return PublicKeys(services: services).keySet(call)
  }
}
