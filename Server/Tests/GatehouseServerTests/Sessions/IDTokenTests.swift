import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

/// The claims of our ID tokens.
@Suite struct IDTokenTests {
  @Test func `an ID token has Firebase's claims, our session id, and no other`() async throws {
    try await withWorld { world in
      var arriving = try identity(
        .named("oidc.example"), "s-1", email: "ann@example.com", name: "Ann",
        photo: "https://example.com/p")
      arriving.signInAttributes = SignInAttributes(written: #"{"groups":["a","b"]}"#)
      let ann = try await world.signIn(arriving).signedIn()
      _ = try await world.administer(ann.account.uid) { $0.phoneNumber = .set("+15550100") }
      world.advance(10)
      let token = try await world.refresh(ann.tokens.refreshToken).tokens.idToken
      let uid = JSONValue.string(ann.account.uid.text)
      #expect(
        JSONValue.object(try claims(of: token)) == [
          "iss": "https://auth.example.com/test-project", "aud": "test-project",
          "auth_time": 1_800_000_000, "user_id": uid, "sub": uid, "iat": 1_800_000_010,
          "exp": 1_800_003_610, "name": "Ann", "picture": "https://example.com/p",
          "email": "ann@example.com", "email_verified": true, "phone_number": "+15550100",
          "firebase": [
            "identities": [
              "email": ["ann@example.com"], "phone": ["+15550100"], "oidc.example": ["s-1"],
            ],
            "sign_in_provider": "oidc.example",
            "sign_in_attributes": ["groups": ["a", "b"]],
            "sid": .string(ann.session.id.description),
          ],
        ])
    }
  }

  @Test func `the ID token of an account with the longest id is accepted`() async throws {
    try await withWorld { world in
      let uid = try #require(UID(String(repeating: "u", count: UID.maximumBytes)))
      _ = try await world.create(uid) {
        $0.profile.email = .set(try email("ann@example.com"))
        $0.profile.password = .set(Secret("notasecret"))
      }
      let signedIn = try await world.signIn("ann@example.com")
      #expect(try await world.currentUser(signedIn.tokens.idToken).account.uid == uid)
    }
  }

  @Test func `claims without a value are omitted`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let names = try claims(of: ann.tokens.idToken).members.map(\.name)
      #expect(
        Set(names) == ["iss", "aud", "auth_time", "user_id", "sub", "iat", "exp", "firebase"])
    }
  }

  @Test func `custom claims are at the top level`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      _ = try await world.administer(ann.account.uid) {
        $0.customClaims = .set(
          try CustomClaims(jsonText: #"{"role":"editor","level":3,"events":[1]}"#))
      }
      let token = try await world.refresh(ann.tokens.refreshToken).tokens.idToken
      let claims = try claims(of: token)
      #expect(claims["role"]?.string == "editor")
      #expect(claims["level"]?.int64 == 3)
      _ = try await world.currentUser(token)
    }
  }

  @Test func `custom claims override none of ours`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(
        identity(
          .google, email: "ann@example.com", .unverified, name: "Ann", photo: "https://p.example")
      ).signedIn()
      _ = try await world.administer(ann.account.uid) {
        $0.phoneNumber = .set("+15550100")
        $0.customClaims = .set(
          try CustomClaims(
            jsonText: """
              {"email":"root@example.com","email_verified":true,"user_id":"root","name":"Root",
              "picture":"x","phone_number":"+1","role":"editor"}
              """))
      }
      let token = try await world.refresh(ann.tokens.refreshToken).tokens.idToken
      let claims = try claims(of: token)
      #expect(claims["email"]?.string == "ann@example.com")
      #expect(claims["email_verified"]?.bool == false)
      #expect(claims["user_id"]?.string == ann.account.uid.text)
      #expect(claims["name"]?.string == "Ann")
      #expect(claims["picture"]?.string == "https://p.example")
      #expect(claims["phone_number"]?.string == "+15550100")
      #expect(claims["role"]?.string == "editor")
      _ = try await world.currentUser(token)
    }
  }

  @Test func `claims give an account no address, number or provider that it lacks`() async throws {
    let claims = #"""
      {"email":"root@example.com","email_verified":true,"phone_number":"+1","provider_id":"x","role":"r"}
      """#
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      _ = try await world.administer(ann.account.uid) {
        $0.customClaims = .set(try CustomClaims(jsonText: claims))
      }
      let token = try await world.refresh(ann.tokens.refreshToken).tokens.idToken
      let payload = try GatehouseServerTests.claims(of: token)
      for name in ["email", "email_verified", "phone_number", "provider_id"] {
        #expect(payload[name] == nil, "\(name)")
      }
      #expect(payload["role"]?.string == "r")
    }
  }

  @Test func `the server accepts the token of an account with too much content`() async throws {
    try await withWorld { world in
      var arriving = try identity(.named("oidc.example"), "s-1", email: "ann@example.com")
      arriving.signInAttributes = SignInAttributes(
        written: #"{"groups":[""# + String(repeating: "g", count: 6000) + #""]}"#)
      let ann = try await world.signIn(arriving).signedIn()
      // Each character takes six bytes in JSON.
      _ = try await world.administer(ann.account.uid) {
        $0.profile.displayName = .set(String(repeating: "\u{1}", count: 1024))
        $0.profile.photoURL = .set(String(repeating: "\u{2}", count: 2048))
        $0.customClaims = .set(
          try CustomClaims(jsonText: #"{"role":""# + String(repeating: "r", count: 900) + #""}"#))
      }
      let token = try await world.refresh(ann.tokens.refreshToken).tokens.idToken
      #expect(token.utf8.count <= 16 * 1024)
      let claims = try claims(of: token)
      #expect(claims["role"]?.string?.utf8.count == 900)
      #expect(claims["firebase"]?["identities"]?["oidc.example"] == ["s-1"])
      #expect(claims["firebase"]?["sign_in_attributes"] == nil)
      #expect(claims["picture"] == nil)
      _ = try await world.currentUser(token)
    }
  }

  @Test func `the response contains the lifetime`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      #expect(ann.tokens.expiresInSeconds == 3600)
    }
  }
}
