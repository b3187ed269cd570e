import GatehouseProtocol
import Testing

/// The rules for a configuration, with the messages of the administrator's resources.
@Suite struct ProviderRulesTests {
  private func create(_ fields: JSONValue) -> TestRequest {
    TestRequest.admin(.post, "v2/projects/demo/oauthIdpConfigs", fields)
      .with { $0.query = "oauthIdpConfigId=oidc.a" }
  }

  @Test func `the code flow without a secret requires a public client`() async throws {
    try await TestServer.with { server in
      var fields: JSONObject = [
        "clientId": "c", "issuer": "https://other.example.com", "responseType": ["code": true],
      ]
      let refused = try await server.call(create(.object(fields)))
      #expect(refused.status == 400)
      #expect(refused.error == ProviderConfigTests.secretMissing)
      fields["publicClient"] = true
      let made = try await server.call(create(.object(fields)))
      #expect(made.status == 200)
      #expect(made["publicClient"] == true)
      #expect(made["responseType"] == ["code": true])
      let both = try await server.call(
        TestRequest.admin(
          .patch, "v2/projects/demo/oauthIdpConfigs/oidc.a", ["clientSecret": "s3cret"]
        ).with { $0.query = "updateMask=clientSecret" })
      #expect(
        both.error == "INVALID_CONFIG : A public client has no client_secret, and no clientKey.")
    }
  }

  @Test func `addresses of Facebook can't be trusted, and any text may be its client id`()
    async throws
  {
    try await TestServer.with { server in
      func patch(_ fields: JSONValue) async throws -> TestReply {
        try await server.call(
          TestRequest.admin(
            .patch, "v2/projects/demo/defaultSupportedIdpConfigs/facebook.com", fields))
      }
      let refused = try await patch(["clientId": "12345", "trustEmail": "always"])
      #expect(refused.status == 400)
      #expect(
        refused.error?.hasPrefix(
          "INVALID_CONFIG : trustEmail can only be never here: Facebook doesn't say") == true)
      let taken = try await patch(["clientId": "12345", "clientSecret": "s3cret"])
      #expect(taken["clientId"] == "12345")
      #expect(taken["trustEmail"] == "never")
      // As in Google's service. A sign-in is refused until the id is right.
      let odd = try await patch(["clientId": "app", "clientSecret": "s3cret", "enabled": true])
      #expect(odd.status == 200)
      #expect(odd["clientId"] == "app")
      let signIn = try await server.call(
        .accounts(
          "signInWithIdp",
          [
            "requestUri": "http://localhost",
            "postBody": "providerId=facebook.com&access_token=t",
          ]))
      #expect(signIn.error?.hasPrefix("OPERATION_NOT_ALLOWED : ") == true)
    }
  }
}
