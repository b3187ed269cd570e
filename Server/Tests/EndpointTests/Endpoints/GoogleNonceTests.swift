import GatehouseProtocol
import Testing

/// The nonces that a Google token may have: its SDK for iOS adds one that the app doesn't know.
@Suite struct GoogleNonceTests {
  private static let duplicate =
    "MISSING_OR_INVALID_NONCE : Duplicate credential received. Please try again with a new "
    + "credential."

  private func signIn(
    _ server: TestServer, _ nonce: String, _ more: String = "", provider: String = "google.com",
    sub: JSONValue = "g-1"
  ) async throws -> TestReply {
    let token = try FakeProviders.token(provider, ["sub": sub, "nonce": .string(nonce)])
    return try await server.call(FakeProviders.signIn(provider, token, more: more))
  }

  @Test func `a nonce of Google's own SDK is accepted, also repeatedly`() async throws {
    try await TestServer.with { server in
      let first = try await signIn(server, "of-the-sdk")
      #expect(first["isNewUser"] == true)
      let again = try await signIn(server, "of-the-sdk")
      #expect(again["localId"] == first["localId"])
    }
  }

  @Test(arguments: ["apple.com", "oidc.trusted"])
  func `from other providers it isn't accepted`(_ provider: String) async throws {
    try await TestServer.with { server in
      let reply = try await signIn(server, "of-the-sdk", provider: provider)
      #expect(reply.error == "MISSING_OR_INVALID_NONCE : Nonce is missing in the request.")
    }
  }

  @Test func `an app's nonce may be in Google's token raw or hashed, once`() async throws {
    try await TestServer.with { server in
      for claim in ["raw", "raw".sha256Hex] {
        let sub: JSONValue = .string("of \(claim)")
        let first = try await signIn(server, claim, "&nonce=raw", sub: sub)
        #expect(first["isNewUser"] == true)
        // Repeating it without the nonce is refused, too; otherwise the protection would be void.
        for more in ["&nonce=raw", ""] {
          let again = try await signIn(server, claim, more, sub: sub)
          #expect(again.error == Self.duplicate)
        }
      }
    }
  }

  @Test func `another nonce than the request's is refused`() async throws {
    try await TestServer.with { server in
      let reply = try await signIn(server, "raw", "&nonce=other")
      #expect(
        reply.error == "MISSING_OR_INVALID_NONCE : The nonce in ID Token \"raw\" does not match "
          + "the SHA256 hash of the raw nonce \"other\" in the request.")
    }
  }

  @Test func `a nonce in the request has to be in the token`() async throws {
    try await TestServer.with { server in
      let token = try FakeProviders.token("google.com", ["sub": "g-1"])
      let reply = try await server.call(
        FakeProviders.signIn("google.com", token, more: "&nonce=raw"))
      #expect(reply.error == "MISSING_OR_INVALID_NONCE : Nonce is missing in the ID Token.")
    }
  }

  @Test func `a required nonce has to be in the request`() async throws {
    try await TestServer.with { server in
      let set = try await server.call(
        .admin(
          .patch, "v2/projects/demo/defaultSupportedIdpConfigs/google.com",
          ["requireNonce": true]
        ).with { _ in })
      #expect(set.status == 200)
      #expect(
        try await signIn(server, "of-the-sdk").error
          == "MISSING_OR_INVALID_NONCE : Nonce is missing in the request.")
      #expect(try await signIn(server, "raw", "&nonce=raw")["isNewUser"] == true)
    }
  }
}
