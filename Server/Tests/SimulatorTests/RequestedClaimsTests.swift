import HTTPTypes
import Testing

@Suite struct RequestedClaimsTests {
  private func tokens(_ claims: String, _ client: SimulatorClient) async throws -> JSONText {
    let code = try await OpenIDProvider.oidc.authorize(
      client, ["scope": "openid", "claims": claims]
    ).redirectParameters()["code"]
    return try await OpenIDProvider.oidc.exchange(code, client).json
  }

  @Test func `individual claims are returned where they were requested`() async throws {
    try await withSimulator { client in
      let tokens = try await tokens(
        #"{"id_token":{"name":{"essential":true},"shoe_size":null},"userinfo":{"email":null}}"#,
        client)
      let claims = try IDToken(tokens.string("id_token")).claims
      #expect(claims.string("name") == "Alice Appleseed")
      #expect(claims.names.isDisjoint(with: ["email", "given_name", "shoe_size"]))
      let info = try await client.get(
        "/oidc/userinfo",
        headers: [.authorization: "Bearer \(tokens.string("access_token") ?? "")"])
      #expect(info.json.names == ["sub", "email"])
    }
  }

  @Test(arguments: ["[]", "{", "nothing"])
  func `a value that isn't an object is refused`(_ claims: String) async throws {
    try await withSimulator { client in
      let reply = try await OpenIDProvider.oidc.authorize(client, ["claims": claims])
      #expect(try reply.redirectParameters()["error"] == "invalid_request")
    }
  }

  @Test(arguments: OpenIDProvider.all)
  func `an access token is in the header or in a form, not in both`(
    provider: OpenIDProvider
  ) async throws {
    try await withSimulator { client in
      let code = try await provider.authorize(client).redirectParameters()["code"]
      let token = try await provider.exchange(code, client).json.string("access_token") ?? ""
      let header: HTTPFields = [.authorization: "Bearer \(token)"]
      #expect(try await client.get(provider.userInfo, headers: header).status == 200)
      #expect(
        try await client.post(provider.userInfo, form: ["access_token": token]).status == 200)
      let both = try await client.post(
        provider.userInfo, form: ["access_token": token], headers: header)
      #expect(both.error == "invalid_request")
      #expect(try await client.post(provider.userInfo, form: ["access_token": "x"]).status == 401)
    }
  }
}
