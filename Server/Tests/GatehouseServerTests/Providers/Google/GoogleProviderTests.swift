import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct GoogleProviderTests {
  @Test(arguments: ["https://accounts.google.com", "accounts.google.com"])
  func `both of Google's issuers are pinned`(_ issuer: String) async throws {
    let provider = try Provider()
    let token = try provider.googleToken(["iss": .string(issuer)])
    _ = try await provider.identity(token, for: Provider.google())
  }

  @Test(
    arguments: [
      ("a@gmail.com", nil, true), ("a@GMAIL.com", nil, true),
      ("a@example.com", "example.com", true),
      ("a@example.com", nil, false), ("a@example.com", "", false), ("a@notgmail.com", nil, false),
      ("a@gmail.com.example.com", nil, false),
    ] as [(String, String?, Bool)])
  func `Google is authoritative for gmail.com and Workspace`(
    _ address: String, _ hostedDomain: String?, _ isTrusted: Bool
  ) async throws {
    let provider = try Provider()
    let token = try provider.googleToken([
      "email": .string(address), "email_verified": true,
      "hd": hostedDomain.map { .string($0) } ?? .null,
    ])
    let identity = try await provider.identity(token, for: Provider.google())
    #expect(try #require(identity.email).isTrusted == isTrusted)
  }

  @Test func `the raw user info has the names of Google's userinfo`() async throws {
    let provider = try Provider()
    let token = try provider.googleToken([
      "email": "a@gmail.com", "email_verified": true, "given_name": "Ada", "family_name": "L",
    ])
    let identity = try await provider.identity(token, for: Provider.google())
    let raw = try JSONObject(parsing: identity.rawUserInfo)
    #expect(raw["id"] == "alice")
    #expect(raw["verified_email"] == true)
    #expect(raw["email"] == "a@gmail.com")
    #expect(
      raw["granted_scopes"]
        == .string(
          "openid https://www.googleapis.com/auth/userinfo.profile "
            + "https://www.googleapis.com/auth/userinfo.email"))
    #expect(identity.profile.firstName == "Ada")
    #expect(identity.signInAttributes == nil)
  }

  @Test func `without an email the raw user info has no scope for it`() async throws {
    let provider = try Provider()
    let identity = try await provider.identity(provider.googleToken([:]), for: Provider.google())
    let raw = try JSONObject(parsing: identity.rawUserInfo)
    #expect(raw["email"] == nil)
    #expect(raw["verified_email"] == false)
    #expect(
      raw["granted_scopes"] == "openid https://www.googleapis.com/auth/userinfo.profile")
  }
}
