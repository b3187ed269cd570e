import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct FacebookProviderTests {
  @Test func `revoking ends every permission, with an appsecret_proof`() async throws {
    let facebook = try FacebookStub()
    facebook.provider.transport.on(FacebookStub.permissions, ["success": true])
    try await facebook.provider.federation.revoke(
      Secret(FacebookStub.accessToken), kind: .access, for: FacebookStub.configuration,
      now: facebook.provider.now)
    let request = try #require(facebook.provider.transport.requests.first)
    #expect(request.isDeletion)
    #expect(request.url.text == FacebookStub.permissions)
    #expect(request.authorization?.reveal() == "Bearer \(FacebookStub.accessToken)")
    #expect(
      request.query.first?.value.reveal() == FacebookStub.proof(of: FacebookStub.accessToken))
    #expect(facebook.provider.transport.requests.count == 1)
  }

  @Test func `a text that isn't a token can't be revoked`() async throws {
    let facebook = try FacebookStub()
    facebook.provider.transport.on(
      FacebookStub.permissions, status: 400, ["error": ["code": 190, "message": "Bad"]])
    await #expect(
      throws: FederationError.accessToken(.refused(GraphComplaint(code: 190, message: "Bad")))
    ) {
      try await facebook.provider.federation.revoke(
        Secret("none"), kind: .access, for: FacebookStub.configuration,
        now: facebook.provider.now)
    }
  }

  @Test func `a grant is revoked only for an id that Facebook can have`() async throws {
    let facebook = try FacebookStub()
    facebook.provider.transport.on("https://graph.facebook.com/1001/permissions", ["success": true])
    func revoke(_ subject: String) async throws {
      try await facebook.provider.federation.revokeGrant(
        of: try #require(Subject(subject)), for: FacebookStub.configuration,
        now: facebook.provider.now)
    }
    try await revoke("1001")
    await #expect(throws: FederationError.subjectForm(.facebook)) { try await revoke("1001x") }
    #expect(facebook.provider.transport.requests.count == 1)
  }

  @Test func `a code is exchanged for an access token that identifies the user`() async throws {
    let facebook = try FacebookStub()
    let token = "https://graph.facebook.com/oauth/access_token"
    facebook.provider.transport.on(
      token, ["access_token": .string(FacebookStub.accessToken), "token_type": "bearer"])
    let exchange = try await facebook.provider.federation.exchangeAuthorizationCode(
      Secret("c0de"), redirectURI: "https://auth.example.com/__/auth/handler",
      for: FacebookStub.configuration, now: facebook.provider.now)
    #expect(exchange.identity?.subject.text == FacebookStub.userID)
    #expect(
      facebook.provider.transport.fields("client_secret", at: token) == [FacebookStub.appSecret])
  }

  @Test func `Facebook is asked whether it accepts the app secret`() async throws {
    let facebook = try FacebookStub()
    facebook.inspect(["is_valid": false, "error": ["code": 190, "message": "Malformed"]])
    let federation = facebook.provider.federation
    let good = await federation.diagnose(FacebookStub.configuration, now: facebook.provider.now)
    #expect(good.map(\.check) == ["audiences", "keys", "app secret"])
    #expect(good.allSatisfy { $0.verdict == .ok })

    facebook.provider.transport.on(
      FacebookStub.inspection, status: 400, ["error": ["code": 190, "message": "Signature"]])
    let bad = await federation.diagnose(FacebookStub.configuration, now: facebook.provider.now)
    #expect(
      bad.last?.verdict
        == .failed(remedy: "Check that the app id and the app secret belong together."))

    var without = FacebookStub.configuration
    without.clientSecret = nil
    let limited = await federation.diagnose(without, now: facebook.provider.now)
    #expect(
      limited.last?.verdict
        == .warning(remedy: "Set the app secret, unless your apps use only Limited Login."))
  }
}
