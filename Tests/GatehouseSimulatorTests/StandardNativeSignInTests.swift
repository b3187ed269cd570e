import Testing

@Suite struct StandardNativeSignInTests {
  @Test(arguments: StandardProvider.all)
  func `an app gets tokens and a code for its server`(provider: StandardProvider) async throws {
    try await withSimulator { client in
      let reply = try await client.post(
        provider.nativeSignIn, json: #"{"client_id":"client-1","nonce":"n","person":"bob"}"#)
      #expect(reply.status == 200)
      let token = try IDToken(reply.json.string("idToken"))
      #expect(try token.isSigned(by: await client.get(provider.keys)))
      #expect(token.header.names == ["alg", "kid", "typ"])
      #expect(token.claims.string("nonce") == "n")
      #expect(token.claims.string("email") == "bob@example.com")
      let exchanged = try await provider.exchange(
        reply.json.string("serverAuthCode"), client, ["redirect_uri": "", "code_verifier": ""])
      #expect(exchanged.status == 200)
      #expect(exchanged.json.string("refresh_token") != nil)
    }
  }

  @Test func `Google's claims are Google's`() async throws {
    try await withSimulator { client in
      _ = try await client.post(
        "/simulator/persons",
        json: """
          {"id":"wendy","email":"wendy@corp.example","hostedDomain":"corp.example",
           "givenName":"Wendy","picture":"https://img.example.com/w.png","emailVerified":false}
          """)
      let reply = try await client.post(
        "/google/native-sign-in",
        json: #"{"client_id":"ios","server_client_id":"web","person":"wendy"}"#)
      let claims = try IDToken(reply.json.string("idToken")).claims
      #expect(try /1[0-9]{20}/.wholeMatch(in: claims.string("sub") ?? "") != nil)
      #expect(claims.string("aud") == "web")
      #expect(claims.string("azp") == "ios")
      #expect(claims.string("hd") == "corp.example")
      #expect(claims.bool("email_verified") == false)
      #expect(claims.string("picture") == "https://img.example.com/w.png")
      #expect(claims.string("name") == "Wendy")
      #expect(!claims.names.contains("family_name"))
      let code = reply.json.string("serverAuthCode")
      let changes = ["client_id": "web", "redirect_uri": "", "code_verifier": ""]
      #expect(try await StandardProvider.google.exchange(code, client, changes).status == 200)
    }
  }

  @Test(
    arguments: StandardProvider.all,
    [
      (#"{"client_id":"c","person":"nobody"}"#, 404, "person_not_found"),
      (#"{"person":"alice"}"#, 400, "invalid_request"),
      (#"{"client_id":"c","scopes":["email"]}"#, 400, "invalid_request"),
      (#"{"client_id":"c","server_client_id":""}"#, 400, "invalid_request"),
      (#"{"client_id":5}"#, 400, "invalid_request"),
    ])
  func `a wrong call is refused`(
    provider: StandardProvider, wrong: (body: String, status: Int, error: String)
  ) async throws {
    try await withSimulator { client in
      let reply = try await client.post(provider.nativeSignIn, json: wrong.body)
      #expect(reply.status == wrong.status)
      #expect(reply.error == wrong.error)
    }
  }
}
