import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct GoogleAccessTokenTests {
  private static let tokenInfo = "https://oauth2.googleapis.com/tokeninfo"
  private static let userInfo = "https://openidconnect.googleapis.com/v1/userinfo"

  /// A sign-in with only an access token, and Google's responses about it.
  private func signIn(
    info: JSONObject = ["aud": "google-client", "sub": "g-1"], infoStatus: Int = 200,
    user: JSONObject = ["sub": "g-1", "email": "ada@gmail.com", "email_verified": true],
    userStatus: Int = 200, token: String = "ya29.good", nonce: String? = nil,
    _ change: (inout ProviderConfiguration) -> Void = { _ in }
  ) async throws -> (ExternalIdentity, Provider) {
    let provider = try Provider()
    provider.transport.on(Self.tokenInfo, status: infoStatus, info)
    provider.transport.on(Self.userInfo, status: userStatus, user)
    var configuration = Provider.google()
    change(&configuration)
    let identity = try await provider.federation.identity(
      from: IdPCredential(accessToken: Secret(token), rawNonce: nonce), for: configuration,
      now: provider.now)
    return (identity, provider)
  }

  @Test func `an access token signs in the user that Google names`() async throws {
    let (identity, provider) = try await signIn()
    #expect(identity.provider == .google)
    #expect(identity.subject.text == "g-1")
    #expect(identity.email?.isVerifiedAndTrusted == true)
    #expect(identity.tokens.accessToken?.reveal() == "ya29.good")
    #expect(identity.use == .unlimited)
    // The token is in no URL, because URLs may be logged.
    #expect(provider.transport.requests.map(\.url.text) == [Self.tokenInfo, Self.userInfo])
    #expect(provider.transport.fields("access_token", at: Self.tokenInfo) == ["ya29.good"])
  }

  @Test func `any client id of the project is accepted, and no other`() async throws {
    _ = try await signIn(info: ["aud": "extension"]) { $0.additionalClientIDs = ["extension"] }
    for info: JSONObject in [["aud": "extension"], ["aud": "Google-client"]] {
      await #expect(throws: FederationError.accessToken(.otherApp)) {
        try await signIn(info: info)
      }
    }
  }

  @Test func `a token of another client isn't sent to the userinfo endpoint`() async throws {
    let provider = try Provider()
    provider.transport.on(Self.tokenInfo, ["aud": "other"])
    await #expect(throws: FederationError.accessToken(.otherApp)) {
      try await provider.federation.identity(
        from: IdPCredential(accessToken: Secret("ya29.good")), for: Provider.google(),
        now: provider.now)
    }
    #expect(provider.transport.count(Self.userInfo) == 0)
  }

  @Test(arguments: [(400, 200), (401, 200), (200, 401)])
  func `a token that Google doesn't know is refused`(_ info: Int, _ user: Int) async throws {
    await #expect(throws: FederationError.accessToken(.notGood)) {
      try await signIn(infoStatus: info, userStatus: user)
    }
  }

  @Test func `a failure of Google doesn't reject the token`() async throws {
    await #expect(throws: FederationError.refusedByProvider(status: 503, error: nil)) {
      try await signIn(infoStatus: 503)
    }
  }

  @Test func `two responses about different users are refused`() async throws {
    await #expect(throws: FederationError.otherSubject) { try await signIn(user: ["sub": "g-2"]) }
  }

  @Test func `responses without required members are refused`() async throws {
    await #expect(throws: FederationError.accessToken(.unreadable)) { try await signIn(info: [:]) }
    await #expect(throws: FederationError.accessToken(.unreadable)) { try await signIn(user: [:]) }
    await #expect(throws: FederationError.accessToken(.unreadable)) {
      try await signIn(token: "ya29\r\nX-Evil: 1")
    }
  }

  @Test func `an access token alone is refused if there is a nonce`() async throws {
    await #expect(throws: FederationError.nonceMissingInToken) { try await signIn(nonce: "raw") }
    await #expect(throws: FederationError.nonceMissingInToken) {
      try await signIn { $0.requiresNonce = true }
    }
  }
}
