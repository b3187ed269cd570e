import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct LimitedLoginTests {
  @Test(arguments: ["https://www.facebook.com", "https://limited.facebook.com"])
  func `both of Facebook's issuers are pinned`(_ issuer: String) async throws {
    let facebook = try FacebookStub()
    let identity = try await facebook.limitedLogin(["iss": .string(issuer)])
    #expect(identity.subject.text == FacebookStub.userID)
    // Only the keys are fetched.
    #expect(facebook.provider.transport.requests.map(\.url.text) == [FacebookStub.keys])
  }

  @Test(
    arguments: [
      "https://facebook.com", "https://www.facebook.com/", "http://www.facebook.com",
      "https://WWW.facebook.com",
    ])
  func `another issuer is rejected`(_ issuer: String) async throws {
    let facebook = try FacebookStub()
    await #expect(
      throws: FederationError.issuer(received: issuer, expected: "https://www.facebook.com")
    ) { try await facebook.limitedLogin(["iss": .string(issuer)]) }
  }

  @Test func `another app's token is rejected`() async throws {
    let facebook = try FacebookStub()
    await #expect(
      throws: FederationError.audience(
        received: ["1234567891"], expected: FacebookStub.appID)
    ) { try await facebook.limitedLogin(["aud": "1234567891"]) }
  }

  @Test func `the token's nonce is the hash of the request's nonce`() async throws {
    let facebook = try FacebookStub()
    let hash = Provider.sha256Hex("raw nonce")
    let identity = try await facebook.limitedLogin(["nonce": .string(hash)], nonce: "raw nonce")
    #expect(identity.use != .unlimited)
    await #expect(throws: FederationError.nonceMissingInRequest) {
      try await facebook.limitedLogin(["nonce": .string(hash)])
    }
    await #expect(
      throws: FederationError.nonceMismatch(
        received: "raw nonce", raw: "raw nonce", form: .sameText)
    ) { try await facebook.limitedLogin(["nonce": "raw nonce"], nonce: "raw nonce") }
  }

  @Test func `the profile is the token's, and its email isn't verified`() async throws {
    let facebook = try FacebookStub()
    let identity = try await facebook.limitedLogin([
      "name": "Ada Lovelace", "given_name": "Ada", "family_name": "Lovelace",
      "email": "ada@example.com", "picture": "https://example.com/ada.jpg",
      "preferred_username": "ada",
    ])
    #expect(
      identity.profile
        == .init(
          displayName: "Ada Lovelace", firstName: "Ada", lastName: "Lovelace",
          photoURL: "https://example.com/ada.jpg"))
    #expect(identity.email?.isVerifiedAndTrusted == false)
    #expect(
      try JSONObject(parsing: identity.rawUserInfo) == [
        "name": "Ada Lovelace", "last_name": "Lovelace", "id": .string(FacebookStub.userID),
        "first_name": "Ada", "email": "ada@example.com",
        "picture": ["data": ["url": "https://example.com/ada.jpg"]],
      ])
    #expect(identity.signInAttributes == nil)
  }

  @Test func `no app secret is needed`() async throws {
    let facebook = try FacebookStub()
    var configuration = FacebookStub.configuration
    configuration.clientSecret = nil
    let token = try #require(TestKey.rsa).token(
      facebook.provider.claims([
        "iss": "https://www.facebook.com", "aud": .string(FacebookStub.appID), "sub": "1",
      ]))
    let identity = try await facebook.provider.identity(token, for: configuration)
    #expect(identity.subject.text == "1")
  }
}
