import Crypto
import Foundation
import GatehouseProtocol
import GatehouseTokens
import Testing

@testable import GatehouseVerifier

/// The valid token with one thing wrong.
@Suite struct RefusedTokenTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: TokenError.Code
    let claims: @Sendable (inout JSONObject) -> Void
    let header: @Sendable (inout JSONObject) -> Void

    init(
      _ name: String, _ code: TokenError.Code,
      claims: @escaping @Sendable (inout JSONObject) -> Void = { _ in },
      header: @escaping @Sendable (inout JSONObject) -> Void = { _ in }
    ) {
      testDescription = name
      self.code = code
      self.header = header
      self.claims = claims
    }
  }

  static let rows = [
    Row("another project", .audience) { $0["aud"] = "other-app" },
    Row("in another case", .audience) { $0["aud"] = "My-App" },
    Row("no audience", .audience) { $0["aud"] = nil },
    Row("another audience beside ours", .untrustedAudience) { $0["aud"] = ["my-app", "stranger"] },
    Row("another project's issuer", .issuer) { $0["iss"] = "https://auth.example.com/other-app" },
    Row("with a trailing slash", .issuer) { $0["iss"] = "https://auth.example.com/my-app/" },
    Row("over http", .issuer) { $0["iss"] = "http://auth.example.com/my-app" },
    Row("development's issuer", .issuer) { $0["iss"] = "https://securetoken.google.com/my-app" },
    Row("a session cookie's issuer", .issuer) {
      $0["iss"] = "https://auth.example.com/my-app/session"
    },
    Row("expired, by the skew", .expired) { $0["exp"] = 1_699_999_940 },
    Row("no expiry", .expiry) { $0["exp"] = nil },
    Row("issued in the future", .issuedInFuture) { $0["iat"] = 1_700_000_061 },
    Row("no time of issue", .issuedAt) { $0["iat"] = nil },
    Row("not yet valid", .notYetValid) { $0["nbf"] = 1_700_000_061 },
    Row("an empty subject", .subject) { $0["sub"] = "" },
    Row("no subject", .subject) { $0["sub"] = nil },
    Row("alg none", .algorithmUnsupported, header: { $0["alg"] = "none" }),
    Row("alg HS256", .algorithmUnsupported, header: { $0["alg"] = "HS256" }),
    Row("alg in lower case", .algorithmUnsupported, header: { $0["alg"] = "rs256" }),
    Row("alg PS256", .algorithmNotAllowed, header: { $0["alg"] = "PS256" }),
    Row("alg RS512", .algorithmNotAllowed, header: { $0["alg"] = "RS512" }),
    Row("a critical extension", .criticalHeader, header: { $0["crit"] = ["b64"] }),
    Row("an access token", .type, header: { $0["typ"] = "at+jwt" }),
    Row("no type", .type, header: { $0["typ"] = nil }),
    Row("an unknown key", .keyUnknown, header: { $0["kid"] = "unknown" }),
  ]

  @Test(arguments: rows)
  func `a token with one thing wrong is refused with its code`(_ row: Row) async throws {
    let setting = try Setting()
    let token = try Fixture.token(header: row.header, claims: row.claims)
    #expect(await refusal { try await setting.verifier.verify(token) }?.code == row.code)
  }

  @Test func `a token is valid until its expiry plus the skew`() async throws {
    let setting = try Setting()
    let user = try await setting.verifier.verify(
      try Fixture.token(claims: { $0["exp"] = 1_699_999_941 }))
    #expect(user.uid == "alice")
  }

  @Test(arguments: [nil, "1699999400", 1_700_000_061] as [JSONValue?])
  func `an auth_time that is absent or in the future is refused`(_ time: JSONValue?) async throws {
    let setting = try Setting()
    let token = try Fixture.token(claims: { $0["auth_time"] = time })
    #expect(await refusal { try await setting.verifier.verify(token) } == .claim("auth_time"))
  }

  @Test func `another key's signature with a known key's id is refused`() async throws {
    let setting = try Setting()
    let token = try Fixture.token(signedBy: try Fixture.otherKey)
    #expect(await refusal { try await setting.verifier.verify(token) }?.code == .signature)
  }

  @Test func `the public key as an HMAC secret is refused`() async throws {
    let setting = try Setting()
    let good = try Fixture.token(header: { $0["alg"] = "HS256" })
    let input = good.split(separator: ".").prefix(2).joined(separator: ".")
    let secret = SymmetricKey(data: Data(try Fixture.key.spkiPEM.utf8))
    let mac = HMAC<SHA256>.authenticationCode(for: Data(input.utf8), using: secret)
    let token = input + "." + Base64URL.encode(Array(mac))
    #expect(
      await refusal { try await setting.verifier.verify(token) }?.code == .algorithmUnsupported)
  }

  @Test(arguments: [
    ("", TokenError.Code.segments), ("not a token", .segments), ("a.b", .segments),
    ("a.b.c.d", .segments), ("e30.e30.", .emptySignature), ("e30.e30.a", .base64URL),
  ])
  func `a malformed token costs no request`(_ text: String, _ code: TokenError.Code) async throws {
    let setting = try Setting()
    #expect(await refusal { try await setting.verifier.verify(text) }?.code == code)
    #expect(setting.server.count == 0)
  }

  @Test func `a token of more than 16 KiB is refused unread`() async throws {
    let setting = try Setting()
    let token = String(repeating: "a", count: 16 * 1024 + 1)
    #expect(await refusal { try await setting.verifier.verify(token) }?.code == .tooLong)
    #expect(setting.server.count == 0)
  }

  @Test func `an error's text holds nothing of the token`() async throws {
    let setting = try Setting()
    let token = try Fixture.token(claims: { $0["aud"] = "secret-of-another" })
    let error = try #require(await refusal { try await setting.verifier.verify(token) })
    #expect(error.description == "aud doesn't name this application.")
    #expect(error.isOfToken)
  }
}
