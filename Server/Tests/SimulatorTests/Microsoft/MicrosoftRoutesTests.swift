import HTTPTypes
import Testing

@Suite struct MicrosoftRoutesTests {
  @Test(arguments: [
    ("common", "{tenantid}"), ("organizations", "{tenantid}"), ("consumers", Tenant.personal),
    (Tenant.personal, Tenant.personal), (Tenant.first, Tenant.first),
  ])
  func `discovery names the issuer, or a template of it`(
    authority: String, tenant: String
  ) async throws {
    try await withSimulator { client in
      let document = try await client.get(
        "/microsoft/\(authority)/v2.0/.well-known/openid-configuration"
      ).json
      #expect(document.string("issuer") == Tenant.issuer(tenant))
      let base = "\(client.baseURL)/microsoft"
      #expect(document.string("token_endpoint") == "\(base)/\(authority)/oauth2/v2.0/token")
      #expect(document.string("jwks_uri") == "\(base)/\(authority)/discovery/v2.0/keys")
      #expect(document.string("userinfo_endpoint") == "\(base)/oidc/userinfo")
      #expect(document.strings("subject_types_supported") == ["pairwise"])
      #expect(
        document.names.isDisjoint(with: [
          "revocation_endpoint", "code_challenge_methods_supported",
          "authorization_response_iss_parameter_supported",
        ]))
    }
  }

  @Test func `an unknown tenant is refused`() async throws {
    try await withSimulator { client in
      let unknown = "00000000-0000-0000-0000-000000000001"
      for path in ["v2.0/.well-known/openid-configuration", "discovery/v2.0/keys"] {
        let refused = try await client.get("/microsoft/\(unknown)/\(path)")
        #expect(refused.status == 400)
        #expect(refused.error == "invalid_tenant")
        #expect(refused.errorDescription?.hasPrefix("AADSTS90002: ") == true)
      }
      _ = try await client.post(
        "/simulator/persons", json: "{\"id\":\"carol\",\"microsoft\":{\"tenant\":\"\(unknown)\"}}")
      let known = try await client.get("/microsoft/\(unknown)/discovery/v2.0/keys")
      #expect(known.status == 200)
    }
  }

  @Test func `a key names the issuer of its tokens, and no algorithm`() async throws {
    try await withSimulator { client in
      func keys(_ authority: String) async throws -> [JSONText] {
        try await client.get("/microsoft/\(authority)/discovery/v2.0/keys").json.objects("keys")
      }
      let common = try await keys("common")
      #expect(
        common.map { $0.string("issuer") } == [
          Tenant.issuer("{tenantid}"), Tenant.issuer("{tenantid}"), Tenant.issuer(Tenant.personal),
        ])
      #expect(Set(common.map { $0.string("kid") }).count == 3)
      for key in common {
        #expect(
          key.names == ["kty", "use", "kid", "x5t", "n", "e", "issuer", "cloud_instance_name"])
      }
      #expect(
        try await keys("organizations").map { $0.string("kid") }
          == common.prefix(2).map { $0.string("kid") })
      #expect(
        try await keys("consumers").map { $0.string("kid") }
          == common.suffix(1).map { $0.string("kid") })
      #expect(
        try await keys(Tenant.first).map { $0.string("issuer") }
          == [Tenant.issuer(Tenant.first), Tenant.issuer(Tenant.first)])
    }
  }

  @Test(arguments: [(Tenant.first, 0), ("consumers", 2)])
  func `work and personal accounts have separate keys`(
    authority: String, index: Int
  ) async throws {
    try await withSimulator { client in
      let token = try await client.microsoftIDToken("\"tenant\":\"\(authority)\"")
      let keys = try await client.get("/microsoft/common/discovery/v2.0/keys")
      #expect(try token.isSigned(by: keys))
      #expect(
        token.header.string("kid") == keys.json.objects("keys")[index].string("kid"))
      #expect(token.header.names == ["alg", "kid", "typ"])
    }
  }

  @Test func `UserInfo returns the claims of the scopes`() async throws {
    try await withSimulator { client in
      func userInfo(_ scopes: String) async throws -> JSONText {
        let token =
          try await client.post(
            "/microsoft/native-sign-in", json: "{\"client_id\":\"ms-client\",\"scopes\":\(scopes)}"
          ).json.string("accessToken") ?? ""
        return try await client.get(
          "/microsoft/oidc/userinfo", headers: [.authorization: "Bearer \(token)"]
        ).json
      }
      let all = try await userInfo(#"["openid","profile","email"]"#)
      let subject = try await client.microsoftIDToken().claims.string("sub")
      #expect(all.string("sub") == subject)
      #expect(all.string("name") == "Alice Appleseed")
      #expect(all.string("email") == "alice@example.com")
      #expect(all.string("picture") == "https://graph.microsoft.com/v1.0/me/photo/$value")
      #expect(!all.names.contains("email_verified"))
      #expect(try await userInfo(#"["openid"]"#).names == ["sub"])
    }
  }

  @Test(
    arguments: [
      (nil, "Access token is empty."),
      ("EwBmadeup", "Access token validation failure. Invalid audience."),
    ] as [(String?, String)])
  func `UserInfo refuses as Microsoft Graph does`(token: String?, message: String) async throws {
    try await withSimulator { client in
      var headers: HTTPFields = [:]
      headers[.authorization] = token.map { "Bearer \($0)" }
      let refused = try await client.get("/microsoft/oidc/userinfo", headers: headers)
      #expect(refused.status == 401)
      let error = refused.json.object("error")
      #expect(error?.string("code") == "InvalidAuthenticationToken")
      #expect(error?.string("message") == message)
    }
  }

  @Test func `faults apply to documents, keys, responses and tokens`() async throws {
    try await withSimulator { client in
      _ = try await client.put(
        "/simulator/faults",
        json: """
          {"microsoft":{"setDiscovery":{"issuer":"x"},"omitKey":["issuer"],
           "setAnswer":{"error":"made_up"},"setClaims":{"tid":"\(Tenant.second)"},
           "setUserInfo":{"sub":"x"}}}
          """)
      let document = try await client.get(
        "/microsoft/common/v2.0/.well-known/openid-configuration"
      ).json
      #expect(document.string("issuer") == "x")
      let keys = try await client.get("/microsoft/common/discovery/v2.0/keys").json
      #expect(keys.objects("keys").allSatisfy { $0.string("issuer") == nil })
      let answer = try await client.microsoftAuthorize().redirectParameters()
      #expect(answer["error"] == "made_up")
      let claims = try await client.microsoftIDToken().claims
      #expect(claims.string("tid") == Tenant.second)
      #expect(claims.string("iss") == Tenant.issuer(Tenant.first))
    }
  }
}
