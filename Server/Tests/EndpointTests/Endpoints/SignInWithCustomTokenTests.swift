import Foundation
import GatehouseProtocol
import GatehouseTokens
import Testing

@Suite struct SignInWithCustomTokenEndpointTests {
  private static let audience =
    "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"

  private func claims(
    _ issuer: String = "robot@example.com", _ change: (inout JSONObject) -> Void = { _ in }
  ) -> JSONObject {
    let start = Int64(TestServer.start.timeIntervalSince1970)
    var claims: JSONObject = [
      "iss": .string(issuer), "sub": .string(issuer), "aud": .string(Self.audience),
      "iat": .number(JSONNumber(start)), "exp": .number(JSONNumber(start + 3600)),
      "uid": "alice",
    ]
    change(&claims)
    return claims
  }

  private func signed(_ claims: JSONObject) throws -> JSONValue {
    let signer = RS256Signer(key: try SharedKeys.provider.get())
    return .string(try TokenWriter(signer: signer).token(payload: claims.serialized()))
  }

  private func unsigned(_ claims: JSONObject) -> JSONValue {
    let header: JSONObject = ["alg": "none", "typ": "JWT"]
    return .string(
      Base64URL.encode(header.serialized()) + "." + Base64URL.encode(claims.serialized()) + ".")
  }

  private func signIn(_ token: JSONValue?) -> TestRequest {
    .accounts("signInWithCustomToken", .object(token.map { ["token": $0] } ?? [:]))
  }

  @Test(arguments: [
    "/v1/accounts:signInWithCustomToken",
    "/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyCustomToken",
  ])
  func `a custom token signs in, under both names`(path: String) async throws {
    try await TestServer.with { server in
      _ = try await server.call(.upload(SharedKeys.provider.get().spkiPEM))
      let body: JSONValue = ["token": try signed(claims()), "returnSecureToken": true]
      let reply = try await server.call(TestRequest(path, body))
      #expect(reply.status == 200)
      #expect(reply["kind"] == "identitytoolkit#VerifyCustomTokenResponse")
      #expect(reply["isNewUser"] == true)
      #expect(reply["expiresIn"] == "3600")
      #expect(reply.claims()["user_id"] == "alice")
      let again = try await server.call(TestRequest(path, body))
      #expect(again["isNewUser"] == false)
      let user = try await server.call(
        .accounts("lookup", ["idToken": try #require(again["idToken"])]))
      #expect(user["users"]?.array?.first?["customAuth"] == true)
    }
  }

  @Test func `a user id may be a whole number`() async throws {
    try await TestServer.with { server in
      _ = try await server.call(.upload(SharedKeys.provider.get().spkiPEM))
      let number = try await server.call(signIn(signed(claims { $0["uid"] = 12345 })))
      #expect(number.claims()["sub"] == "12345")
      let text = try await server.call(signIn(signed(claims { $0["uid"] = "12345" })))
      #expect(text["isNewUser"] == false)
      let half = try #require(JSONNumber(1.5))
      let fraction = try await server.call(
        signIn(signed(claims { $0["uid"] = .number(half) })))
      #expect(fraction.error == "MISSING_IDENTIFIER")
    }
  }

  @Test func `every refusal has its code`() async throws {
    try await TestServer.with { server in
      _ = try await server.call(.upload(SharedKeys.provider.get().spkiPEM))
      func error(_ token: JSONValue?) async throws -> String? {
        let reply = try await server.call(signIn(token))
        #expect(reply.status == 400)
        return reply.error
      }
      #expect(try await error(nil) == "MISSING_CUSTOM_TOKEN")
      for text: JSONValue in ["x", ""] {
        #expect(
          try await error(text)
            == "INVALID_CUSTOM_TOKEN : Invalid assertion format. "
            + "3 dot separated segments required.")
      }
      #expect(try await error(signed(claims { $0["sub"] = "x@example.com" })) == Self.invalid)
      #expect(try await error(signed(claims("other@example.com"))) == "CREDENTIAL_MISMATCH")
      #expect(try await error(signed(claims { $0["uid"] = nil })) == "MISSING_IDENTIFIER")
      #expect(
        try await error(signed(claims { $0["uid"] = "" }))
          == "INVALID_IDENTIFIER : Invalid user ID length. "
          + "Expect to have length between 1 and 128.")
      #expect(try await error(signed(claims { $0["claims"] = "x" })) == "INVALID_CLAIMS")
      #expect(
        try await error(signed(claims { $0["claims"] = ["iss": "x"] })) == "FORBIDDEN_CLAIM : iss")
      #expect(try await error(signed(claims { $0["tenant_id"] = "t" })) == "TENANT_ID_MISMATCH")
    }
  }

  private static let invalid = "INVALID_CUSTOM_TOKEN"

  @Test func `an emulator's token is accepted in --dev`() async throws {
    try await TestServer.with { server in
      let reply = try await server.call(signIn(unsigned(claims(UnsignedAssertion.issuer))))
      #expect(reply.claims()["sub"] == "alice")
      let bare = try await server.call(signIn(#"{"uid":"bob"}"#))
      #expect(bare.claims()["sub"] == "bob")
    }
  }

  @Test func `any issuer is accepted in --dev, and so are bare claims`() async throws {
    try await TestServer.with { server in
      let reply = try await server.call(signIn(unsigned(claims("made-up@example.com"))))
      #expect(reply.claims()["sub"] == "alice")
    }
  }

  @Test func `an emulator's token is refused in production`() async throws {
    try await TestServer.with(.production) { server in
      let key = try await server.makeProject()
      func error(_ token: JSONValue) async throws -> String? {
        try await server.call(signIn(token).with { $0.key = key }).error
      }
      #expect(try await error(unsigned(claims(UnsignedAssertion.issuer))) == Self.invalid)
      #expect(try await error(unsigned(claims())) == Self.invalid)
      #expect(
        try await error(#"{"uid":"bob"}"#)
          == "INVALID_CUSTOM_TOKEN : Invalid assertion format. 3 dot separated segments required.")
    }
  }
}
