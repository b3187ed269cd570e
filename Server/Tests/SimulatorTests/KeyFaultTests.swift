import HTTPTypes
import Testing

@Suite struct KeyFaultTests {
  private func set(_ faults: String, _ client: SimulatorClient) async throws {
    let reply = try await client.put("/simulator/faults", json: faults)
    try #require(reply.status == 200)
  }

  @Test(arguments: ["RS384", "RS512", "PS256"])
  func `a provider signs with another algorithm`(algorithm: String) async throws {
    try await withSimulator { client in
      try await set("{\"oidc\":{\"algorithm\":\"\(algorithm)\"}}", client)
      let signIn = try await client.post("/oidc/native-sign-in", json: "{\"client_id\":\"app\"}")
      #expect(try IDToken(signIn.json.string("idToken")).header.string("alg") == algorithm)
      let key = try await client.get("/oidc/jwks").json.objects("keys").first
      #expect(key?.string("alg") == algorithm)
    }
  }

  @Test func `published keys lose and gain members`() async throws {
    try await withSimulator { client in
      try await set(
        "{\"apple\":{\"omitKey\":[\"kid\",\"alg\"],\"setKey\":{\"use\":\"enc\"}}}", client)
      let key = try await client.get("/apple/auth/keys").json.objects("keys").first
      #expect(key?.names == ["kty", "use", "n", "e"])
      #expect(key?.string("use") == "enc")
    }
  }

  @Test(
    arguments: ["RS256", "RS384", "RS512", "PS256", "HS256", "none"].map { ($0, "n") }
      + [("ES256", "x")])
  func `two keys have the same key id, and the first is not the provider's`(
    algorithm: String, member: String
  ) async throws {
    try await withSimulator { client in
      try await set("{\"google\":{\"algorithm\":\"\(algorithm)\"}}", client)
      let honest = try await client.get("/google/oauth2/v3/certs").json.objects("keys")
      try await set(
        "{\"google\":{\"algorithm\":\"\(algorithm)\",\"duplicateKey\":true}}", client)
      let keys = try await client.get("/google/oauth2/v3/certs").json.objects("keys")
      try #require(keys.count == 2)
      #expect(keys[0].names == keys[1].names)
      for name in ["kty", "kid", "alg"] {
        #expect(keys[0].string(name) == keys[1].string(name))
      }
      #expect(keys[1].string(member) == honest.first?.string(member))
      #expect(keys[0].string(member) != nil)
      #expect(keys[0].string(member) != honest.first?.string(member))
      let again = try await client.get("/google/oauth2/v3/certs").json.objects("keys")
      #expect(again.first?.string(member) == keys[0].string(member))
    }
  }

  @Test func `the unrelated key of a P-256 key doesn't verify the provider's tokens`()
    async throws
  {
    try await withSimulator { client in
      try await set("{\"oidc\":{\"algorithm\":\"ES256\",\"duplicateKey\":true}}", client)
      let signIn = try await client.post("/oidc/native-sign-in", json: "{\"client_id\":\"app\"}")
      let token = try IDToken(signIn.json.string("idToken"))
      let keys = try await client.get("/oidc/jwks").json.objects("keys")
      let verdicts = try keys.map { key in try token.isSignedES256(by: key) }
      #expect(verdicts == [false, true])
    }
  }

  @Test func `the unrelated key is before the added keys, and these before the provider's`()
    async throws
  {
    try await withSimulator { client in
      let honest = try await client.get("/oidc/jwks").json.objects("keys")
      try await set(
        #"{"oidc":{"duplicateKey":true,"addKeys":[{"kty":"MADE-UP","kid":"x"}]}}"#, client)
      let keys = try await client.get("/oidc/jwks").json.objects("keys")
      try #require(keys.count == 3)
      #expect(keys.map { $0.string("kty") } == ["RSA", "MADE-UP", "RSA"])
      #expect(keys[0].string("kid") == honest.first?.string("kid"))
      #expect(keys[0].string("n") != honest.first?.string("n"))
      #expect(keys[2].string("n") == honest.first?.string("n"))
    }
  }

  @Test func `each of Microsoft's key sets begins with an unrelated key`() async throws {
    try await withSimulator { client in
      for tenant in ["common", "consumers", "organizations"] {
        let path = "/microsoft/\(tenant)/discovery/v2.0/keys"
        _ = try await client.send(.delete, "/simulator/faults")
        let honest = try await client.get(path).json.objects("keys")
        try await set(#"{"microsoft":{"duplicateKey":true}}"#, client)
        let keys = try await client.get(path).json.objects("keys")
        let own = Array(keys.suffix(honest.count))
        #expect(keys.count == 2 * honest.count)
        #expect(own.map { $0.string("n") } == honest.map { $0.string("n") })
        let unrelated = Array(keys.prefix(honest.count))
        #expect(unrelated.map { $0.string("kid") } == honest.map { $0.string("kid") })
        let copies = zip(unrelated, honest).filter { $0.0.string("n") == $0.1.string("n") }
        #expect(copies.isEmpty)
      }
    }
  }

  @Test func `the UserInfo endpoint returns another subject`() async throws {
    try await withSimulator { client in
      try await set(
        "{\"oidc\":{\"setUserInfo\":{\"sub\":\"another\"},\"omitUserInfo\":[\"email\"]}}", client)
      let token = try await client.post("/oidc/native-sign-in", json: "{\"client_id\":\"app\"}")
        .json.string("accessToken")
      let info = try await client.get(
        "/oidc/userinfo", headers: [.authorization: "Bearer \(token ?? "")"])
      #expect(info.json.string("sub") == "another")
      #expect(info.json.string("email") == nil)
      #expect(info.json.string("name") == "Alice Appleseed")
    }
  }

  @Test func `an endpoint redirects, returns other content, or responds endlessly`() async throws {
    try await withSimulator { client in
      try await set(
        """
        {"endpoints":[
          {"path":"/apple/auth/keys","location":"http://127.0.0.1:1/","count":1},
          {"path":"/apple/auth/keys","body":"{\\"keys\\":[]}","count":1},
          {"path":"/apple/auth/keys","padding":100000,"count":1}
        ]}
        """, client)
      let redirect = try await client.get("/apple/auth/keys")
      #expect(redirect.status == 302)
      #expect(redirect.headers[.location] == "http://127.0.0.1:1/")
      let other = try await client.get("/apple/auth/keys")
      #expect(other.status == 200)
      #expect(other.text == "{\"keys\":[]}")
      #expect(try await client.get("/apple/auth/keys").body.count == 100_002)
      #expect(try await client.get("/apple/auth/keys").json.objects("keys").count == 1)
    }
  }
}
