import Hummingbird

extension OpenIDEndpoints {
  /// OpenID Connect Discovery §3.
  func discovery() throws -> Response {
    let baseURL = store.baseURL
    func url(_ path: String) -> JSONValue { .string("\(baseURL)/\(provider.rawValue)/\(path)") }
    var document: [String: JSONValue] = [
      "issuer": .string(provider.issuer(baseURL: baseURL)),
      "authorization_endpoint": url(paths.authorize),
      "token_endpoint": url(paths.token),
      "userinfo_endpoint": url(paths.userInfo),
      "jwks_uri": url(paths.keys),
      "response_types_supported": .strings(["code", "id_token", "code id_token"]),
      "response_modes_supported": .strings(["query", "fragment", "form_post"]),
      "grant_types_supported": .strings(["authorization_code", "refresh_token"]),
      "subject_types_supported": .strings(["public"]),
      "id_token_signing_alg_values_supported": .strings(["RS256"]),
      "token_endpoint_auth_methods_supported": .strings([
        "client_secret_post", "client_secret_basic", "none", "private_key_jwt",
      ]),
      "token_endpoint_auth_signing_alg_values_supported": .strings(
        ClientKey.Algorithm.allCases.map(\.rawValue)),
      "claims_parameter_supported": .bool(kind.meetsRequestedClaims),
      "code_challenge_methods_supported": .strings(["S256"]),
      "scopes_supported": .strings(kind.scopes.map(\.rawValue)),
      "prompt_values_supported": .strings(["none", "login", "consent", "select_account"]),
      "ui_locales_supported": .strings(DialogLanguage.allCases.map(\.rawValue)),
      "claims_supported": .strings([
        "aud", "email", "email_verified", "exp", "family_name", "given_name", "iat", "iss", "name",
        "picture", "sub",
      ]),
    ]
    if let revoke = paths.revoke.first { document["revocation_endpoint"] = url(revoke) }
    // RFC 9207 §3.
    if kind.announcesIssuerOfAnswers {
      document["authorization_response_iss_parameter_supported"] = true
    }
    store.withState { $0.faults.tokens[provider] }?.apply(toDiscovery: &document)
    return try .cacheable(.object(document))
  }
}
