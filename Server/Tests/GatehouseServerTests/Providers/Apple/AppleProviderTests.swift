import Crypto
import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

@Suite struct AppleProviderTests {
  @Test(arguments: ["https://appleid.apple.com", "https://account.apple.com"])
  func `both of Apple's issuers are pinned`(_ issuer: String) async throws {
    let provider = try Provider()
    let token = try provider.appleToken(["iss": .string(issuer)])
    _ = try await provider.identity(token, for: Provider.apple())
  }

  @Test func `another issuer is rejected`() async throws {
    let provider = try Provider()
    let token = try provider.appleToken(["iss": "https://appleid.apple.com/"])
    await #expect(
      throws: FederationError.issuer(
        received: "https://appleid.apple.com/", expected: "https://appleid.apple.com")
    ) { try await provider.identity(token, for: Provider.apple()) }
  }

  @Test(arguments: ["com.example.app", "com.example.web"])
  func `the bundle id and the Services ID are audiences`(_ audience: String) async throws {
    let provider = try Provider()
    let token = try provider.appleToken(["aud": .string(audience)])
    _ = try await provider.identity(token, for: Provider.apple())
  }

  @Test func `another app's token is refused, and the error has the Services ID`() async throws {
    let provider = try Provider()
    let token = try provider.appleToken(["aud": "com.other.app"])
    await #expect(
      throws: FederationError.audience(
        received: ["com.other.app"], expected: "com.example.web")
    ) { try await provider.identity(token, for: Provider.apple()) }
  }

  @Test func `Apple's keys verify only RS256`() async throws {
    let provider = try Provider()
    let token = try provider.appleToken(key: .p256("rsa-1"))
    await #expect(throws: FederationError.signature(reason: "algorithmNotAllowed")) {
      try await provider.identity(token, for: Provider.apple())
    }
  }

  @Test func `the name comes from the request and never from the token`() async throws {
    let provider = try Provider()
    let token = try provider.appleToken(["name": "Mallory", "picture": "https://example.com/p"])
    let without = try await provider.identity(token, for: Provider.apple())
    #expect(without.profile == .init())
    let with = try await identity(
      provider, token, UserName(firstName: " Zo\u{eb} ", lastName: "& Co"))
    #expect(
      with.profile
        == .init(displayName: "Zo\u{eb} & Co", firstName: "Zo\u{eb}", lastName: "& Co"))
  }

  @Test func `a manipulated name is cut, and markup in it is text`() async throws {
    let provider = try Provider()
    let long = String(repeating: "n", count: 10_000)
    let name = UserName(firstName: long, lastName: "<b>\u{0}x\u{202E}</b>\n")
    let identity = try await identity(provider, try provider.appleToken(), name)
    #expect(identity.profile.firstName?.count == 256)
    #expect(identity.profile.lastName == "<b>x</b>")
  }

  @Test(
    arguments: [(true, true), ("true", true), ("false", false), (false, false)]
      as [(JSONValue, Bool)])
  func `is_private_email is a Boolean or a text`(
    _ value: JSONValue, _ isPrivate: Bool
  ) async throws {
    let provider = try Provider()
    let token = try provider.appleToken([
      "is_private_email": value, "email": "x@privaterelay.appleid.com", "email_verified": "true",
    ])
    let identity = try await provider.identity(token, for: Provider.apple())
    #expect(identity.isPrivateEmail == isPrivate)
    #expect(try #require(identity.email).isVerifiedAndTrusted)
  }

  @Test(
    arguments: [
      (0, .unsupported), (1, .unknown), (2, .likelyReal), (3, nil), (-1, nil), ("2", nil),
      (.number(JSONNumber(1e30) ?? JSONNumber(0)), nil), (.null, nil),
    ] as [(JSONValue, RealUserStatus?)])
  func `no value of real_user_status rejects a sign-in`(
    _ value: JSONValue, _ status: RealUserStatus?
  ) async throws {
    let provider = try Provider()
    let token = try provider.appleToken(["real_user_status": value])
    let identity = try await provider.identity(token, for: Provider.apple())
    #expect(identity.realUserStatus == status)
  }

  @Test(arguments: [(nil, nil, 2), (1, 1, nil)] as [(Int64?, Int?, Int?)])
  func `a status that the app sent never looks like the token's`(
    _ claim: Int64?, _ signed: Int?, _ sent: Int?
  ) async throws {
    let provider = try Provider()
    // Nor does a claim look like the app's.
    var claims: JSONObject = ["real_user_status_from_app": 1]
    claims["real_user_status"] = claim.map { .number(JSONNumber($0)) }
    var credential = IdPCredential(idToken: Secret(try provider.appleToken(claims)))
    credential.realUserStatus = .likelyReal
    let identity = try await provider.federation.identity(
      from: credential, for: Provider.apple(), now: provider.now)
    #expect(identity.realUserStatus?.rawValue == signed)
    #expect(identity.realUserStatusFromApp?.rawValue == sent)
    // What blocking functions and the app get.
    let raw = try JSONObject(parsing: identity.rawUserInfo)
    #expect(raw["real_user_status"]?.int64 == signed.map(Int64.init))
    #expect(raw["real_user_status_from_app"]?.int64 == sent.map(Int64.init))
    #expect(raw["sub"] != nil)
  }

  @Test func `a transferred subject has no effect yet`() async throws {
    let provider = try Provider()
    let token = try provider.appleToken(["transfer_sub": "001.other"])
    let identity = try await provider.identity(token, for: Provider.apple())
    #expect(identity.subject.text == "alice")
  }

  @Test func `a relay address isn't recognised by its domain`() async throws {
    let provider = try Provider()
    let token = try provider.appleToken(["email": "x@privaterelay.appleid.com"])
    #expect(try await provider.identity(token, for: Provider.apple()).isPrivateEmail == nil)
  }

  @Test func `the authorization code may be in the access token's place`() async throws {
    let provider = try Provider()
    let token = try provider.appleToken(["c_hash": .string(hash("c0de"))])
    _ = try await provider.identity(token, accessToken: "c0de", for: Provider.apple())
    await #expect(throws: FederationError.otherToken) {
      try await provider.identity(token, accessToken: "other", for: Provider.apple())
    }
  }

  @Test func `an access token must match at_hash`() async throws {
    let provider = try Provider()
    let token = try provider.appleToken([
      "at_hash": .string(hash("at")), "c_hash": .string(hash("c0de")),
    ])
    _ = try await provider.identity(token, accessToken: "at", for: Provider.apple())
    await #expect(throws: FederationError.otherToken) {
      try await provider.identity(token, accessToken: "other", for: Provider.apple())
    }
  }

  private func identity(
    _ provider: Provider, _ token: String, _ name: UserName?
  ) async throws -> ExternalIdentity {
    try await provider.federation.identity(
      from: IdPCredential(idToken: Secret(token), userName: name), for: Provider.apple(),
      now: provider.now)
  }

  /// The left half of the SHA-256, base64url.
  private func hash(_ text: String) -> String {
    Base64URL.encode(Array(SHA256.hash(data: Data(text.utf8)).prefix(16)))
  }
}
