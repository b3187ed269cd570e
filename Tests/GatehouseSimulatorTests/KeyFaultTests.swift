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

  @Test func `two keys have the same key id, and the first is not the provider's`() async throws {
    try await withSimulator { client in
      let honest = try await client.get("/google/oauth2/v3/certs").json.objects("keys")
      try await set("{\"google\":{\"duplicateKey\":true}}", client)
      let keys = try await client.get("/google/oauth2/v3/certs").json.objects("keys")
      #expect(keys.count == 2)
      #expect(keys[0].string("kid") == keys[1].string("kid"))
      #expect(keys[1].string("n") == honest[0].string("n"))
      #expect(keys[0].string("n") != honest[0].string("n"))
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
