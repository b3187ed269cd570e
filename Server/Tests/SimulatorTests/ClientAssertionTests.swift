import Crypto
import HTTPTypes
import Testing

@Suite struct ClientAssertionTests {
  /// Registers a client with the key of `assertion`.
  private func register(
    _ assertion: Assertion, _ client: SimulatorClient, provider: String = "oidc",
    _ more: String = ""
  ) async throws {
    let reply = try await client.put(
      "/simulator/clients",
      json: """
        {"provider":"\(provider)","client_id":"client-1","jwks":{"keys":[\(assertion.jwk)]}\(more)}
        """)
    try #require(reply.status == 200)
  }

  private func exchange(
    _ assertion: String, _ client: SimulatorClient, _ changes: [String: String] = [:],
    provider: OpenIDProvider = .oidc
  ) async throws -> Reply {
    let code = try await provider.authorize(client).redirectParameters()["code"]
    let proof = [
      "client_secret": "", "client_assertion": assertion,
      "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    ]
    return try await provider.exchange(code, client, proof.merging(changes) { _, new in new })
  }

  @Test(arguments: OpenIDProvider.all)
  func `an assertion authenticates like a secret`(provider: OpenIDProvider) async throws {
    try await withSimulator { client in
      for (index, audience) in [
        [provider.issuer(client.baseURL)], [client.baseURL + provider.token],
        ["https://other.example.com", provider.issuer(client.baseURL)],
      ].enumerated() {
        var assertion = Assertion(audience: audience)
        assertion.id = "jti-\(index)"
        try await register(assertion, client, provider: provider.name)
        let reply = try await exchange(assertion.text(), client, provider: provider)
        #expect(reply.status == 200)
      }
      // The assertion alone identifies the client (RFC 7521 §4.2).
      var assertion = Assertion(audience: [provider.issuer(client.baseURL)])
      assertion.id = "jti-9"
      try await register(assertion, client, provider: provider.name)
      let reply = try await exchange(
        assertion.text(), client, ["client_id": ""], provider: provider)
      #expect(reply.status == 200)
    }
  }

  @Test(arguments: [
    ("iss", "its iss is not its sub"), ("sub", "the client has no registered keys"),
    ("aud", "its aud is neither the issuer nor the token endpoint"),
    ("no exp", "it has no exp"), ("exp", "it has expired"),
    ("late exp", "its exp is more than an hour away"), ("jti", "it has no jti"),
    ("key", "none of the client's registered keys signed it"),
    ("kid", "none of the client's registered keys signed it"),
    ("alg", "its alg is not supported"), ("text", "it is not a JWT"),
  ])
  func `an assertion with one fault is refused`(
    wrong: String, reason: String
  ) async throws {
    try await withSimulator { client in
      var assertion = Assertion(audience: ["\(client.baseURL)/oidc"])
      try await register(assertion, client)
      switch wrong {
      case "iss": assertion.issuer = "client-2"
      case "sub": (assertion.issuer, assertion.subject) = ("client-2", "client-2")
      case "aud": assertion.audience = ["\(client.baseURL)/oidc/"]
      case "no exp": assertion.expiry = nil
      case "exp": assertion.expiry = 1_750_000_000
      case "late exp": assertion.expiry = 1_750_003_661
      case "jti": assertion.id = nil
      case "key": assertion.key = P256.Signing.PrivateKey()
      case "kid": assertion.keyID = "key-2"
      case "alg": assertion.algorithm = "HS256"
      default: break
      }
      let text = wrong == "text" ? "a.b" : try assertion.text()
      let reply = try await exchange(text, client, wrong == "sub" ? ["client_id": ""] : [:])
      #expect(reply.status == 401)
      #expect(reply.error == "invalid_client")
      #expect(reply.errorDescription == "The client_assertion was rejected: \(reason).")
    }
  }

  @Test func `an assertion is accepted once`() async throws {
    try await withSimulator { client in
      let assertion = Assertion(audience: ["\(client.baseURL)/oidc"])
      try await register(assertion, client)
      let text = try assertion.text()
      #expect(try await exchange(text, client).status == 200)
      let again = try await exchange(text, client)
      #expect(
        again.errorDescription == "The client_assertion was rejected: it was already used.")
    }
  }

  @Test(arguments: ["", #","token_endpoint_auth_method":"private_key_jwt""#])
  func `only one method at once, and only the registered one`(_ method: String) async throws {
    try await withSimulator { client in
      var assertion = Assertion(audience: ["\(client.baseURL)/oidc"])
      try await register(assertion, client, method)
      let both = try await exchange(assertion.text(), client, ["client_secret": "secret"])
      #expect(both.error == "invalid_request")
      let type = try await exchange(assertion.text(), client, ["client_assertion_type": "jwt"])
      #expect(type.error == "invalid_request")
      let other = try await exchange(assertion.text(), client, ["client_id": "client-2"])
      #expect(other.error == "invalid_request")
      let code = try await OpenIDProvider.oidc.authorize(client).redirectParameters()["code"]
      for secret in ["secret", ""] {
        let reply = try await OpenIDProvider.oidc.exchange(
          code, client, ["client_secret": secret])
        #expect(reply.error == "invalid_client")
      }
      assertion.id = "jti-2"
      #expect(try await exchange(assertion.text(), client).status == 200)
    }
  }

  @Test(arguments: [
    #"{"keys":[]}"#, #"{"keys":[{"kty":"OKP"}]}"#,
    #"{"keys":[{"kty":"RSA","n":"AQAB","e":"AQAB"}]}"#,
    #"{"keys":[{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}]}"#, #"[]"#,
  ])
  func `unusable keys aren't registered`(_ jwks: String) async throws {
    try await withSimulator { client in
      let reply = try await client.put(
        "/simulator/clients",
        json: #"{"provider":"oidc","client_id":"c","jwks":\#(jwks)}"#)
      #expect(reply.status == 400)
      #expect(reply.error == "invalid_request")
    }
  }
}
