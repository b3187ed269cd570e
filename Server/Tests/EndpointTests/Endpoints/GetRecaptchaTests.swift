import GatehouseProtocol
import Testing

@Suite struct GetRecaptchaTests {
  private func get(_ path: String) -> TestRequest { TestRequest(path).with { $0.method = .get } }

  @Test func `clients are told that nothing asks for reCAPTCHA`() async throws {
    try await TestServer.with { server in
      let config = try await server.call(
        get("/identitytoolkit.googleapis.com/v2/recaptchaConfig"))
      #expect(config.status == 200)
      let states = config["recaptchaEnforcementState"]?.array ?? []
      #expect(states.map { $0["provider"] } == ["EMAIL_PASSWORD_PROVIDER", "PHONE_PROVIDER"])
      #expect(states.allSatisfy { $0["enforcementState"] == "OFF" })
      // Google's SDKs split the key at its slashes and take the fourth part.
      let key = try #require(config["recaptchaKey"]?.string)
      #expect(
        key.split(separator: "/", omittingEmptySubsequences: false)
          == ["projects", "demo", "keys", ""])
    }
  }

  @Test(arguments: ["/v1/recaptchaParams", "/identitytoolkit/v3/relyingparty/getRecaptchaParam"])
  func `there is no site key, and in development a made-up one`(path: String) async throws {
    try await TestServer.withShop(domains: []) { server, app in
      let params = try await server.call(
        get("/www.googleapis.com" + path).with { $0.key = app.apiKey })
      #expect(params.json == ["kind": "identitytoolkit#GetRecaptchaParamResponse"])
    }
    try await TestServer.with { server in
      let params = try await server.call(get("/www.googleapis.com" + path))
      #expect(params["recaptchaSiteKey"]?.string?.hasPrefix("There-is-no-reCAPTCHA") == true)
      #expect(params["recaptchaStoken"]?.string?.hasPrefix("There-is-no-reCAPTCHA") == true)
    }
  }

  @Test(arguments: ["/v2/passwordPolicy", "/v2/recaptchaConfig", "/v1/recaptchaParams"])
  func `without an API key there is no answer`(path: String) async throws {
    try await TestServer.with { server in
      let told = try await server.call(get(path))
      #expect(told.status == 200)
      let refused = try await server.call(get(path).with { $0.key = nil })
      #expect(refused.status == 403)
    }
  }

  @Test(arguments: ["/v2/passwordPolicy", "/v2/recaptchaConfig"])
  func `a tenant doesn't get the project's settings`(path: String) async throws {
    try await TestServer.with { server in
      let empty = try await server.call(get(path).with { $0.query = "tenantId=" })
      #expect(empty.status == 200)
      let refused = try await server.call(get(path).with { $0.query = "tenantId=t" })
      #expect(refused.error == "UNSUPPORTED_TENANT_OPERATION")
    }
  }
}
