import GatehouseJSON
import GatehouseWire
import Testing

/// What one side writes, the other reads.
@Suite struct WireMessageTests {
  /// The message, written, read and written again.
  private func again<Message: WireMessage>(_ message: Message) throws -> String {
    let fields = WireFields(try JSONObject(parsing: message.json()))
    return String(decoding: try Message(fields).json(), as: UTF8.self)
  }

  private func text(_ message: some WireMessage) -> String {
    String(decoding: message.json(), as: UTF8.self)
  }

  private static let tokens = SessionTokens(
    idToken: "a.b.c", refreshToken: "r", expiresInSeconds: 3600)

  @Test func `requests`() throws {
    var lookup = LookupRequest(idToken: "a.b.c")
    lookup.sessionCookie = "cookie"
    lookup.localIDs = ["u1", "u2"]
    lookup.emails = ["a@example.com"]
    lookup.phoneNumbers = ["+4915112345678"]
    lookup.federatedUserIDs = [ProviderUserInfo(providerID: "apple.com", rawID: "s")]
    lookup.tenantID = "t"
    #expect(try again(lookup) == text(lookup))
    let password = SignInWithPasswordRequest(email: "a@example.com", password: "secret")
    #expect(try again(password) == text(password))
    let custom = SignInWithCustomTokenRequest(token: "x.y.z")
    #expect(try again(custom) == text(custom))
    let token = TokenRequest(refreshToken: "r")
    #expect(try again(token) == text(token))
    #expect(text(token) == #"{"grantType":"refresh_token","refreshToken":"r"}"#)
  }

  @Test func `answers`() throws {
    #expect(try again(Self.tokens) == text(Self.tokens))
    let custom = SignInWithCustomTokenResponse(isNewUser: true, tokens: Self.tokens)
    #expect(try again(custom) == text(custom))
    var user = UserInfo(localID: "u1")
    user.email = "a@example.com"
    user.emailVerified = true
    user.displayName = "Anna"
    user.photoURL = "https://example.com/a.png"
    user.phoneNumber = "+4915112345678"
    user.hasPassword = true
    user.hasEmailLink = true
    user.passwordUpdatedAt = 1
    user.providers = [ProviderUserInfo(providerID: "google.com", rawID: "g")]
    user.validSince = 2
    user.disabled = true
    user.createdAt = 3
    user.lastLoginAt = 4
    user.lastRefreshAt = "1970-01-01T00:00:00Z"
    user.customAttributes = #"{"role":"admin"}"#
    user.isCustomAuth = true
    user.tenantID = "t"
    let response = LookupResponse(users: [user])
    #expect(try again(response) == text(response))
  }

  @Test func `the token endpoint's snake case is read by the same names`() throws {
    let response = TokenResponse(
      idToken: "a.b.c", refreshToken: "r", expiresInSeconds: 3600, userID: "u", projectNumber: "1")
    let tokens = try SessionTokens(WireFields(JSONObject(parsing: response.json())))
    #expect(tokens.idToken == "a.b.c")
    #expect(tokens.refreshToken == "r")
    #expect(tokens.expiresInSeconds == 3600)
  }

  @Test(arguments: ["idToken", "refreshToken"])
  func `an answer without one of its tokens is refused`(_ missing: String) {
    var members: JSONObject = ["idToken": "a.b.c", "refreshToken": "r"]
    members = JSONObject(members.members.filter { $0.name != missing })
    #expect(throws: WireError(field: missing, wanted: .string)) {
      try SessionTokens(WireFields(members))
    }
  }
}
