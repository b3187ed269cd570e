import Crypto
import Testing

@Suite struct AppleClientSecretTests {
  /// A secret with one fault, and the error for it.
  struct Wrong: Sendable, CustomTestStringConvertible {
    let reason: String
    let change: @Sendable (inout AppleSecret) -> Void

    var testDescription: String { reason }
  }

  @Test(arguments: [
    Wrong(reason: "its alg is not ES256") { $0.algorithm = "HS256" },
    Wrong(reason: "its header has no kid") { $0.keyID = nil },
    Wrong(reason: "its iss is not a team id") { $0.team = nil },
    Wrong(reason: "its sub is not the client_id") { $0.subject = "com.example.other" },
    Wrong(reason: "its aud is not https://appleid.apple.com") {
      $0.audience = "https://account.apple.com"
    },
    Wrong(reason: "its iat is in the future") { $0.issuedAt = 1_750_000_100 },
    Wrong(reason: "it has expired") { $0.expiry = 1_750_000_000 },
    Wrong(reason: "its exp is more than six months away") {
      $0.expiry = 1_750_000_000 + 15_777_100
    },
  ])
  func `a secret with a wrong claim is refused`(wrong: Wrong) async throws {
    try await withSimulator { client in
      let code = try await client.appleSignIn().string("authorizationCode")
      var secret = AppleSecret()
      wrong.change(&secret)
      let reply = try await client.appleExchange(code, secret: secret.text())
      #expect(reply.status == 400)
      #expect(reply.error == "invalid_client")
      #expect(reply.errorDescription == "The client_secret was rejected: \(wrong.reason).")
    }
  }

  @Test func `six months are allowed`() async throws {
    try await withSimulator { client in
      let code = try await client.appleSignIn().string("authorizationCode")
      var secret = AppleSecret()
      secret.expiry = 1_750_000_000 + 15_777_000
      #expect(try await client.appleExchange(code, secret: secret.text()).status == 200)
    }
  }

  @Test(arguments: ["", "abc", "a.b.c", "e30.e30.AA"])
  func `a secret that isn't a token is refused`(secret: String) async throws {
    try await withSimulator { client in
      let code = try await client.appleSignIn().string("authorizationCode")
      let reply = try await client.appleExchange(code, secret: secret)
      #expect(reply.error == (secret.isEmpty ? "invalid_request" : "invalid_client"))
    }
  }

  @Test func `a registered key verifies the signature`() async throws {
    try await withSimulator { client in
      let good = AppleSecret()
      try await register(good, client)
      #expect(try await exchange(good, client).status == 200)

      var otherKey = good
      otherKey.key = P256.Signing.PrivateKey()
      let forged = try await exchange(otherKey, client)
      #expect(forged.error == "invalid_client")
      #expect(
        forged.errorDescription == "The client_secret was rejected: its signature does not verify.")

      var otherKeyID = good
      otherKeyID.keyID = "KEY7654321"
      let unknown = try await exchange(otherKeyID, client)
      #expect(unknown.error == "invalid_client")
      #expect(
        unknown.errorDescription
          == "The client_secret was rejected: its kid is not a registered key of the team.")
    }
  }

  @Test func `a registered client has one team`() async throws {
    try await withSimulator { client in
      let registered = try await client.put(
        "/simulator/clients",
        json: #"{"provider":"apple","client_id":"com.example.app","team_id":"TEAM654321"}"#)
      #expect(registered.status == 200)
      let reply = try await exchange(AppleSecret(), client)
      #expect(reply.error == "invalid_client")
      #expect(
        reply.errorDescription
          == "The client_secret was rejected: its iss is not the client's team."
      )
    }
  }

  @Test func `an invalid key is not registered`() async throws {
    try await withSimulator { client in
      let reply = try await client.put(
        "/simulator/apple/team-keys",
        json: #"{"team_id":"TEAM123456","key_id":"KEY1234567","public_key":"x"}"#)
      #expect(reply.status == 400)
      #expect(reply.error == "invalid_request")
    }
  }

  private func register(_ secret: AppleSecret, _ client: SimulatorClient) async throws {
    let pem = secret.key.publicKey.pemRepresentation.replacing("\n", with: "\\n")
    let reply = try await client.put(
      "/simulator/apple/team-keys",
      json: "{\"team_id\":\"TEAM123456\",\"key_id\":\"KEY1234567\",\"public_key\":\"\(pem)\"}")
    #expect(reply.status == 200)
  }

  private func exchange(_ secret: AppleSecret, _ client: SimulatorClient) async throws -> Reply {
    let code = try await client.appleSignIn().string("authorizationCode")
    return try await client.appleExchange(code, secret: secret.text())
  }
}
