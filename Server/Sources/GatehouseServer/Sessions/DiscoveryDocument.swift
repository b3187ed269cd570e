import GatehouseProtocol

/// OpenID Connect discovery for this server's tokens, so that any JWT library finds the keys. Each
/// project has one document below the issuer of its ID tokens, and one below the issuer of its
/// session cookies. In `--dev` the root has one for the default project's ID tokens.
///
/// Contains what is needed to verify a token, what a document must have (OpenID Connect Discovery
/// §3), and the names of claims. The authorization endpoint is the page that signs users in with a
/// provider. It is for the SDKs: it takes their parameters, and not those of an OpenID Connect request.
struct DiscoveryDocument: Endpoint {
  let services: APIServices
  let configuration: APIConfiguration
  let kind: PublicKeys.Kind

  var routes: [Route] {
    switch kind {
    case .idTokens:
      [
        .open(".well-known/openid-configuration", "discovery", document),
        .open("*/.well-known/jwks.json", "keys", keySet),
        .open("*/.well-known/openid-configuration", "discovery", document),
      ]
    case .sessionCookies:
      [
        .open("*/session/.well-known/jwks.json", "cookieKeys", keySet),
        .open("*/session/.well-known/openid-configuration", "discovery", document),
      ]
    }
  }

  func document(_ call: Call) async throws -> Answer {
    let name = call.path.project ?? configuration.development?.defaultProject.text
    let project = try await project(name)
    let place = call.path.project.map { "/\($0)" } ?? ""
    let isOfCookies = kind == .sessionCookies
    var writer = JSONWriter()
    writer.object {
      $0.member("issuer", isOfCookies ? project.sessionCookieIssuer : project.issuer)
      $0.member(
        "jwks_uri",
        configuration.publicURL + place + (isOfCookies ? "/session" : "")
          + "/.well-known/jwks.json")
      // Required (OpenID Connect Discovery §3). Ruby's openid_connect rejects a document without
      // it.
      $0.member("authorization_endpoint", configuration.publicURL + "/__/auth/handler")
      $0.member("response_types_supported", ["id_token"])
      $0.member("subject_types_supported", ["public"])
      // The project's own first. Tokens from before a change of the algorithm have the other one.
      let own = project.policies.tokens.algorithm
      $0.member(
        "id_token_signing_alg_values_supported",
        ([own] + TokenAlgorithm.allCases.filter { $0 != own }).map(\.rawValue))
      $0.member(
        "claims_supported",
        [
          "iss", "aud", "sub", "iat", "exp", "auth_time", "email", "email_verified", "name",
          "picture", "user_id", "firebase",
        ])
    }
    return Answer(json: writer.bytes, cachedSeconds: PublicKeys.cachedSeconds)
  }

  /// The server's key set, if the project exists.
  func keySet(_ call: Call) async throws -> Answer {
    _ = try await project(call.path.project)
    return PublicKeys(services: services, kind: kind).keySet(call)
  }

  private func project(_ name: String?) async throws -> Project {
    guard let id = name.flatMap({ ProjectID($0) }),
      let project = try await services.projects.project(id)
    else { throw APIError.notFound }
    return project
  }
}
