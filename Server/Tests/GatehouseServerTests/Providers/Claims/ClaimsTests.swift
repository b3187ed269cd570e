import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct ClaimsTests {
  @Test(
    arguments: [
      (true, true), ("true", true), (false, false), ("false", false), (0, false), (1, false),
      (.null, false), ("TRUE", false), ("", false),
    ] as [(JSONValue, Bool)])
  func `only true and its text verify an email`(
    _ value: JSONValue, _ isVerified: Bool
  ) async throws {
    let provider = try Provider()
    let identity = try await provider.identity([
      "email": "A@Example.com", "email_verified": value,
    ])
    let email = try #require(identity.email)
    #expect(email.address.text == "a@example.com")
    #expect(email.isVerified == isVerified)
  }

  @Test(arguments: EmailTrust.allCases)
  func `the operator decides whether a verified email is trusted`(
    _ trust: EmailTrust
  ) async throws {
    var provider = try Provider()
    provider.configuration.trustEmail = trust
    let identity = try await provider.identity([
      "email": "a@gmail.com", "email_verified": true, "hd": "example.com",
    ])
    // An OpenID Connect provider isn't authoritative for any mailboxes.
    #expect(try #require(identity.email).isVerifiedAndTrusted == (trust == .always))
  }

  @Test(
    arguments: [
      ("not an address", true), ("\u{430}dmin@example.com", true), ("\u{212A}@example.com", true),
      ("", false), (.null, false), (1, false),
    ] as [(JSONValue, Bool)])
  func `an address that the server can't store is absent, and reported`(
    _ value: JSONValue, _ isReported: Bool
  ) async throws {
    let provider = try Provider()
    let identity = try await provider.identity(["email": value, "email_verified": true])
    #expect(identity.email == nil)
    #expect(identity.hasRefusedEmail == isReported)
    #expect(identity.subject.text == "alice")
  }

  @Test func `an address with diacritics is kept`() async throws {
    let provider = try Provider()
    let identity = try await provider.identity([
      "email": "Mu\u{F1}oz@b\u{FC}cher.example", "email_verified": true,
    ])
    #expect(identity.email?.address.text == "mu\u{F1}oz@xn--bcher-kva.example")
    #expect(identity.email?.isVerified == true)
    #expect(!identity.hasRefusedEmail)
  }

  @Test func `the profile comes from the standard claims`() async throws {
    let provider = try Provider()
    let identity = try await provider.identity([
      "name": " Ada\u{7} L ", "given_name": "Ada", "family_name": "L",
      "picture": "https://example.com/p.png",
      "auth_time": .number(JSONNumber(1_799_999_999.5) ?? JSONNumber(0)),
    ])
    #expect(
      identity.profile
        == ExternalIdentity.Profile(
          displayName: "Ada L", firstName: "Ada", lastName: "L",
          photoURL: "https://example.com/p.png"))
    #expect(identity.authenticatedAt == provider.now - 0.5)
  }

  @Test(arguments: ["javascript:alert(1)", "data:text/html,x", "https://a b", "https://a\"b"])
  func `a picture that isn't a URL is absent`(_ text: String) async throws {
    let provider = try Provider()
    #expect(try await provider.identity(["picture": .string(text)]).profile.photoURL == nil)
  }

  @Test func `claims that aren't standard are sign-in attributes`() async throws {
    let provider = try Provider()
    let identity = try await provider.identity([
      "department": "eng", "roles": ["a"], "name": "Ada", "nonce_supported": .null,
    ])
    #expect(identity.signInAttributes?.jsonText == #"{"department":"eng","roles":["a"]}"#)
    #expect(try await provider.identity(["name": "Ada"]).signInAttributes == nil)
  }

  @Test func `an attribute that would make tokens huge is left out`() async throws {
    let provider = try Provider()
    let identity = try await provider.identity([
      "huge": .string(String(repeating: "x", count: 4096)), "small": 1,
    ])
    #expect(identity.signInAttributes?.jsonText == #"{"small":1}"#)
  }

  @Test(arguments: [(4083, true), (4084, false)])
  func `attributes have at most 4096 bytes`(_ count: Int, _ isKept: Bool) async throws {
    let provider = try Provider()
    let text = String(repeating: "x", count: count)
    let identity = try await provider.identity(["groups": .string(text)])
    #expect(
      identity.signInAttributes?.jsonText == (isKept ? #"{"groups":""# + text + #""}"# : nil))
  }

  @Test func `the raw user info of a provider is its claims`() async throws {
    let provider = try Provider()
    let raw = try await provider.identity(["department": "eng"]).rawUserInfo
    #expect(try JSONObject(parsing: raw)["department"] == "eng")
  }

  @Test func `the identity has the provider's tokens`() async throws {
    let provider = try Provider()
    let token = try provider.key.token(provider.claims())
    let identity = try await provider.identity(token, accessToken: "at")
    #expect(identity.tokens.idToken?.reveal() == token)
    #expect(identity.tokens.accessToken?.reveal() == "at")
  }

  @Test func `an access token that doesn't match at_hash is refused`() async throws {
    let provider = try Provider()
    await #expect(throws: FederationError.otherToken) {
      try await provider.identity(["at_hash": "AAAAAAAAAAAAAAAAAAAAAA"], accessToken: "at")
    }
  }
}
