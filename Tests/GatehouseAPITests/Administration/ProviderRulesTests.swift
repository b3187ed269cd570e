import GatehouseJSON
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
      #expect(refused.error == "INVALID_CONFIG : client_secret cannot be empty for code flow.")
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

  @Test(
    arguments: [
      (
        ["clientId": "12345", "trustEmail": "always"],
        "INVALID_CONFIG : trustEmail can only be never here: Facebook doesn't say"
      ),
      (["clientId": "app"], "INVALID_CONFIG : Facebook's app ids are digits."),
    ] as [(JSONValue, String)])
  func `Facebook's configuration has rules of its own`(
    _ fields: JSONValue, _ message: String
  ) async throws {
    try await TestServer.with { server in
      let refused = try await server.call(
        TestRequest.admin(
          .patch, "v2/projects/demo/defaultSupportedIdpConfigs/facebook.com", fields
        ).with { _ in })
      #expect(refused.status == 400)
      #expect(refused.error?.hasPrefix(message) == true)
      let taken = try await server.call(
        TestRequest.admin(
          .patch, "v2/projects/demo/defaultSupportedIdpConfigs/facebook.com",
          ["clientId": "12345", "clientSecret": "s3cret"]
        ).with { _ in })
      #expect(taken["clientId"] == "12345")
      #expect(taken["trustEmail"] == "never")
    }
  }
}
