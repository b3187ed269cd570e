import HTTPTypes
import Testing

/// Faults besides those of tokens: discovery, authorization responses, and the signature of ID
/// tokens.
@Suite struct AnswerFaultTests {
  private func set(_ faults: String, _ client: SimulatorClient) async throws {
    let reply = try await client.put("/simulator/faults", json: faults)
    try #require(reply.status == 200)
  }

  @Test(arguments: OpenIDProvider.all)
  func `the discovery document has other members`(provider: OpenIDProvider) async throws {
    try await withSimulator { client in
      try await set(
        """
        {"\(provider.name)":{"setDiscovery":{"issuer":"https://other.example.com"},
         "omitDiscovery":["jwks_uri"]}}
        """, client)
      let document = try await client.get(provider.discovery).json
      #expect(document.string("issuer") == "https://other.example.com")
      #expect(!document.names.contains("jwks_uri"))
      #expect(document.names.contains("token_endpoint"))
    }
  }

  @Test func `a generic provider names its issuer in all responses`() async throws {
    try await withSimulator { client in
      let document = try await client.get(OpenIDProvider.oidc.discovery).json
      #expect(document.bool("authorization_response_iss_parameter_supported") == true)
      for change in [[:], ["decision": "cancel"]] {
        let answer = try await OpenIDProvider.oidc.authorize(client, change)
        #expect(try answer.redirectParameters()["iss"] == "\(client.baseURL)/oidc")
      }
      // Google names its issuer too, without announcing it.
      let google = try await client.get(OpenIDProvider.google.discovery).json
      #expect(!google.names.contains("authorization_response_iss_parameter_supported"))
    }
  }

  @Test func `a response loses and gains parameters`() async throws {
    try await withSimulator { client in
      try await set(
        #"{"oidc":{"setAnswer":{"iss":"https://other.example.com"},"omitAnswer":["state"]}}"#,
        client)
      let parameters = try await OpenIDProvider.oidc.authorize(client).redirectParameters()
      #expect(parameters["iss"] == "https://other.example.com")
      #expect(parameters["state"] == nil)
      #expect(parameters["code"] != nil)
    }
  }

  private func idToken(_ client: SimulatorClient) async throws -> IDToken {
    let code = try await OpenIDProvider.oidc.authorize(client).redirectParameters()["code"]
    let tokens = try await OpenIDProvider.oidc.exchange(code, client)
    return try IDToken(tokens.json.string("id_token"))
  }

  @Test func `ES256 has an elliptic-curve key`() async throws {
    try await withSimulator { client in
      try await set(#"{"oidc":{"algorithm":"ES256"}}"#, client)
      let keys = try await client.get(OpenIDProvider.oidc.keys).json.objects("keys")
      #expect(keys.count == 1)
      let token = try await idToken(client)
      #expect(token.header.string("alg") == "ES256")
      #expect(try token.isSignedES256(by: keys[0]))
      try await set(#"{"oidc":{"algorithm":"ES256","badSignature":true}}"#, client)
      #expect(try await !idToken(client).isSignedES256(by: keys[0]))
    }
  }

  @Test func `HS256 signs with the client's secret, and publishes no new key`() async throws {
    try await withSimulator { client in
      _ = try await client.put(
        "/simulator/clients",
        json: #"{"provider":"oidc","client_id":"client-1","client_secret":"secret"}"#)
      try await set(#"{"oidc":{"algorithm":"HS256"}}"#, client)
      let token = try await idToken(client)
      #expect(token.header.string("alg") == "HS256")
      #expect(token.isSignedHS256(with: "secret"))
      let key = try await client.get(OpenIDProvider.oidc.keys).json.objects("keys")[0]
      #expect(key.string("alg") == "RS256")
    }
  }

  @Test func `none has an empty signature`() async throws {
    try await withSimulator { client in
      try await set(#"{"oidc":{"algorithm":"none"}}"#, client)
      let token = try await idToken(client)
      #expect(token.header.string("alg") == "none")
      #expect(token.hasEmptySignature)
    }
  }

  @Test func `unknown keys are published before the provider's`() async throws {
    try await withSimulator { client in
      try await set(#"{"oidc":{"addKeys":[{"kty":"MADE-UP","kid":"x"}]}}"#, client)
      let keys = try await client.get(OpenIDProvider.oidc.keys).json.objects("keys")
      #expect(keys.map { $0.string("kty") } == ["MADE-UP", "RSA"])
    }
  }
}
