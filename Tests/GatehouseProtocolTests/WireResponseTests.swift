import GatehouseProtocol
import Testing

@Suite struct WireResponseTests {
  private func object(_ response: some WireResponse) throws -> JSONObject {
    try JSONObject(parsing: response.json())
  }

  @Test func `times and lifetimes are strings`() throws {
    var user = UserInfo(localID: "u")
    user.createdAt = 1_700_000_000_123
    user.validSince = 1_700_000_000
    let shown = try object(user)
    #expect(shown["createdAt"] == "1700000000123")
    #expect(shown["validSince"] == "1700000000")
    var apple = ProviderUserInfo(providerID: "apple.com", rawID: "s")
    #expect(try object(apple)["consentRevokedAt"] == nil)
    apple.consentRevokedAt = 1_700_000_000_456
    #expect(try object(apple)["consentRevokedAt"] == "1700000000456")
    var signUp = SignUpResponse(localID: "u")
    signUp.tokens = SessionTokens(idToken: "i", refreshToken: "r", expiresInSeconds: 3600)
    #expect(try object(signUp)["expiresIn"] == "3600")
  }

  @Test func `empty and false default values are omitted`() throws {
    let response = try object(SignInWithIdpResponse(providerID: "apple.com"))
    for name in [
      "isNewUser", "needConfirmation", "verifiedProvider", "emailRecycled", "idToken",
      "oauthAccessToken", "localId",
    ] {
      #expect(response[name] == nil, "\(name)")
    }
    #expect(try object(LookupResponse(users: []))["users"] == nil)
    #expect(try object(EmptyResponse()).isEmpty)
  }

  @Test func `a password's hash is never shown`() throws {
    var user = UserInfo(localID: "u")
    user.hasPassword = true
    #expect(try object(user)["passwordHash"] == "UkVEQUNURUQ=")
    #expect(try object(user)["salt"] == nil)
  }

  @Test func `errors have the format that clients parse`() throws {
    let refused = try object(
      ErrorBody(
        code: 400, message: "WEAK_PASSWORD : short",
        details: [.init(message: "WEAK_PASSWORD : short", reason: "invalid")]))
    #expect(refused["error"]?["errors"]?.array?.first?["domain"] == "global")
    #expect(refused["error"]?["status"] == nil)
    let token = try object(
      ErrorBody(code: 400, message: "INVALID_REFRESH_TOKEN", status: "INVALID_ARGUMENT"))
    #expect(token["error"]?["errors"] == nil)
    #expect(token["error"]?["status"] == "INVALID_ARGUMENT")
  }

  @Test(arguments: [
    ("EMAIL_EXISTS", "EMAIL_EXISTS"), ("OF_TOMORROW : x", "OF_TOMORROW"),
    ("WEAK_PASSWORD : short : x", "WEAK_PASSWORD"), ("", ""),
    (" : x", ""),
  ]) func `an error's code is the text before the first colon`(_ message: String, _ code: String) {
    #expect(ErrorCode.text(of: message) == code)
  }
}
