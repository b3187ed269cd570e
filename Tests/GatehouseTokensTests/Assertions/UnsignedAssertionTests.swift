import Foundation
import GatehouseProtocol
import GatehouseTokens
import Testing

@Suite struct UnsignedAssertionTests {
  private static let audience = "https://auth.example.com/token"

  private func token(
    header: JSONObject = ["alg": "none", "typ": "JWT"], signature: String = "",
    _ change: (inout JSONObject) -> Void = { _ in }
  ) -> String {
    let claims = Fixture.with(
      [
        "iss": .string(UnsignedAssertion.issuer), "sub": .string(UnsignedAssertion.issuer),
        "aud": .string(Self.audience), "iat": 1_700_000_000, "exp": 1_700_003_600, "uid": "alice",
      ], change)
    return Base64URL.encode(header.serialized()) + "." + Base64URL.encode(claims.serialized())
      + ".\(signature)"
  }

  private func read(_ text: String) throws -> UnsignedAssertion? {
    try UnsignedAssertion(
      believingAnybody: text, audiences: [Self.audience], now: Fixture.now)
  }

  @Test func `an emulator's token is read`() throws {
    #expect(try read(token())?.claims.string("uid") == "alice")
  }

  @Test func `bare claims are read`() throws {
    #expect(try read(#"{"uid":"alice"}"#)?.claims.string("uid") == "alice")
    #expect(refusal { try read(#"{"uid":"alice""#) } == .payload)
  }

  @Test func `a token with a signature or an algorithm is left to the verifier`() throws {
    #expect(try read(token(signature: "AAAA")) == nil)
    for algorithm in ["RS256", "None", "NONE", ""] {
      #expect(try read(token(header: ["alg": .string(algorithm)])) == nil)
    }
    #expect(try read("not a token") == nil)
  }

  @Test func `any issuer is accepted if sub equals it`() throws {
    let made = token {
      $0["iss"] = "robot@example.com"
      $0["sub"] = "robot@example.com"
    }
    #expect(try read(made)?.claims.string("uid") == "alice")
    #expect(refusal { try read(token { $0["iss"] = "robot@example.com" }) } == .subject)
    #expect(refusal { try read(token { $0["iss"] = nil }) } == .issuer)
  }

  @Test func `audience, lifetime and subject are checked as in a signed assertion`() {
    #expect(refusal { try read(token { $0["aud"] = "https://example.com" }) } == .audience)
    #expect(refusal { try read(token { $0["exp"] = 1_700_003_601 }) } == .lifetime)
    #expect(refusal { try read(token { $0["sub"] = nil }) } == .subject)
  }
}
