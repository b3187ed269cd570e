import Foundation
import HTTPTypes
import Hummingbird

/// `https://login.microsoftonline.com` at `/microsoft`, with a tenant or a name for several tenants
/// in the path; and the only endpoint of `https://graph.microsoft.com` that a sign-in needs.
struct MicrosoftRoutes: Sendable {
  let store: SimulatorStore

  func add(to group: RouterGroup<SimulatorContext>) {
    dialogs.add(to: group)
    group.post("native-sign-in") { request, _ in
      try await refusing { try await nativeSignIn(request) }
    }
    for method in [HTTPRequest.Method.get, .post] {
      group.on("oidc/userinfo", method: method) { request, _ in try userInfo(request) }
      group.on("{tenant}/oauth2/v2.0/authorize", method: method) { request, context in
        try await refusing { try await authorize(request, context) }
      }
    }
    group.get("{tenant}/v2.0/.well-known/openid-configuration") { _, context in
      try await refusing { try discovery(context) }
    }
    group.get("{tenant}/discovery/v2.0/keys") { _, context in
      try await refusing { try keySet(context) }
    }
    group.post("{tenant}/oauth2/v2.0/token") { request, context in
      try await refusing { try await token(request, context) }
    }
  }

  /// Converts errors to Microsoft's form.
  private func refusing(_ body: () async throws -> Response) async throws -> Response {
    do {
      return try await body()
    } catch let error as SimulatorError {
      return try MicrosoftError.response(error, now: store.now)
    }
  }

  /// - Throws: `invalid_tenant`.
  func authority(_ name: String) throws(SimulatorError) -> MicrosoftAuthority {
    let persons = store.withState { $0.persons.all }
    guard let authority = MicrosoftAuthority(name, ofPersons: persons) else {
      throw MicrosoftError.unknownTenant(name)
    }
    return authority
  }

  /// The discovery document, with `{tenantid}` if the path doesn't determine the tenant. It
  /// announces neither PKCE, though the endpoints support it, nor a revocation endpoint, because
  /// there is none.
  private func discovery(_ context: SimulatorContext) throws -> Response {
    let name = try context.parameters.require("tenant")
    let authority = try authority(name)
    let base = "\(store.baseURL)/microsoft"
    var document: [String: JSONValue] = [
      "issuer": .string(authority.issuer),
      "authorization_endpoint": .string("\(base)/\(name)/oauth2/v2.0/authorize"),
      "token_endpoint": .string("\(base)/\(name)/oauth2/v2.0/token"),
      "userinfo_endpoint": .string("\(base)/oidc/userinfo"),
      "jwks_uri": .string("\(base)/\(name)/discovery/v2.0/keys"),
      "token_endpoint_auth_methods_supported": .strings([
        "client_secret_post", "private_key_jwt", "client_secret_basic",
      ]),
      "response_modes_supported": .strings(["query", "fragment", "form_post"]),
      "response_types_supported": .strings(["code", "id_token", "code id_token"]),
      "subject_types_supported": .strings(["pairwise"]),
      "id_token_signing_alg_values_supported": .strings(["RS256"]),
      "scopes_supported": .strings(["openid", "profile", "email", "offline_access"]),
      "request_uri_parameter_supported": false,
      "claims_supported": .strings([
        "sub", "iss", "cloud_instance_name", "cloud_instance_host_name", "cloud_graph_host_name",
        "msgraph_host", "aud", "exp", "iat", "auth_time", "acr", "nonce", "preferred_username",
        "name", "tid", "ver", "at_hash", "c_hash", "email",
      ]),
      "tenant_region_scope": .null, "cloud_instance_name": "microsoftonline.com",
      "cloud_graph_host_name": "graph.windows.net", "msgraph_host": "graph.microsoft.com",
    ]
    store.withState { $0.faults.tokens[.microsoft] }?.apply(toDiscovery: &document)
    return try .cacheable(.object(document))
  }

  /// The keys that sign the tokens of all users who can sign in at `{tenant}`, each with the issuer
  /// of its tokens.
  private func keySet(_ context: SimulatorContext) throws -> Response {
    let authority = try authority(try context.parameters.require("tenant"))
    let all = try store.withState { try $0.keySet(of: .microsoft) }
    guard case .array(let keys)? = all["keys"] else { return try .cacheable(all) }
    let own = keys.compactMap { key -> JSONValue? in
      guard case .object(var members) = key else { return key }
      switch members["issuer"]?.stringValue {
      case MicrosoftTenant.personal.issuer:
        guard authority.takes(.personal) else { return nil }
      case MicrosoftTenant.anyIssuer:
        guard authority != .consumers else { return nil }
        members["issuer"] = .string(authority.issuer)
      default: break
      }
      return .object(members)
    }
    return try .cacheable(["keys": .array(own)])
  }

  /// `https://graph.microsoft.com/oidc/userinfo`.
  private func userInfo(_ request: Request) throws -> Response {
    let now = store.now
    let claims = request.bearerToken.flatMap { token in
      store.withState { state -> [String: JSONValue]? in
        guard let grant = state.grant(ofAccessToken: token, at: .microsoft, now: now),
          grant.scopes.contains(.openid), let (consent, person) = state.standingConsent(of: grant)
        else { return nil }
        let approved = ApprovedGrant(grant: grant, consent: consent, person: person, now: now)
        var claims = MicrosoftClaims(approved, in: state).userInfo
        state.faults.tokens[.microsoft]?.apply(toUserInfo: &claims)
        return claims
      }
    }
    guard let claims else {
      let message =
        request.bearerToken == nil
        ? "Access token is empty." : "Access token validation failure. Invalid audience."
      return try .json(
        ["error": ["code": "InvalidAuthenticationToken", "message": .string(message)]],
        status: .unauthorized)
    }
    return try .json(.object(claims))
  }
}
