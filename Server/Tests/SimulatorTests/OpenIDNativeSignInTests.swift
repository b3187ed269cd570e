import Testing

@Suite struct OpenIDNativeSignInTests {
  @Test(arguments: OpenIDProvider.all)
  func `an app gets tokens and a code for its server`(provider: OpenIDProvider) async throws {
    try await withSimulator { client in
      let reply = try await client.post(
        provider.nativeSignIn,
        json: #"{"client_id":"client-1","server_client_id":"client-1","nonce":"n","person":"bob"}"#)
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

  @Test func `Google's SDK for iOS adds a nonce that the app doesn't get`() async throws {
    try await withSimulator { client in
      var nonces: Set<String> = []
      for _ in 0..<2 {
        let reply = try await client.post("/google/native-sign-in", json: #"{"client_id":"ios"}"#)
        let nonce = try #require(IDToken(reply.json.string("idToken")).claims.string("nonce"))
        #expect(nonce.utf8.count == 43)
        #expect(reply.json.names.isDisjoint(with: ["nonce", "own_nonce"]))
        nonces.insert(nonce)
      }
      #expect(nonces.count == 2)
      let none = try await client.post(
        "/google/native-sign-in", json: #"{"client_id":"android","own_nonce":false}"#)
      #expect(try !IDToken(none.json.string("idToken")).claims.names.contains("nonce"))
      let oidc = try await client.post(
        "/oidc/native-sign-in", json: #"{"client_id":"c","own_nonce":false}"#)
      #expect(oidc.error == "invalid_request")
    }
  }

  @Test func `Google rejects the scope offline_access of an app`() async throws {
    try await withSimulator { client in
      let body = #"{"client_id":"ios","scopes":["openid","offline_access"]}"#
      let rejected = try await client.post("/google/native-sign-in", json: body)
      #expect(rejected.status == 400)
      #expect(rejected.error == "invalid_scope")
      #expect(try await client.post("/oidc/native-sign-in", json: body).status == 200)
    }
  }

  @Test func `Google's SDK gives a code only for a server that the app names`()
    async throws
  {
    try await withSimulator { client in
      let reply = try await client.post("/google/native-sign-in", json: #"{"client_id":"ios"}"#)
      #expect(reply.json.isNull("serverAuthCode"))
    }
  }

  @Test func `Google reports the user and the client of an access token`() async throws {
    try await withSimulator { client in
      let reply = try await client.post(
        "/google/native-sign-in",
        json: #"{"client_id":"ios","server_client_id":"web","person":"bob"}"#)
      let token = reply.json.string("accessToken") ?? ""
      for path in ["/google/tokeninfo", "/google/oauth2/v3/tokeninfo"] {
        let info = try await client.get(path, query: ["access_token": token])
        #expect(info.status == 200)
        #expect(info.json.string("aud") == "ios")
        #expect(
          try info.json.string("sub")
            == IDToken(reply.json.string("idToken")).claims.string("sub"))
        #expect(info.json.string("email_verified") == "true")
        #expect(info.json.string("expires_in") == "3600")
      }
      _ = try await client.post("/google/revoke", form: ["token": token])
      for made in [token, "ya29.made-up"] {
        let refused = try await client.get("/google/tokeninfo", query: ["access_token": made])
        #expect(refused.status == 400)
        #expect(refused.error == "invalid_token")
      }
    }
  }

  @Test func `Google's ID tokens have Google's claims`() async throws {
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
      #expect(try await OpenIDProvider.google.exchange(code, client, changes).status == 200)
    }
  }

  @Test(
    arguments: OpenIDProvider.all,
    [
      (#"{"client_id":"c","person":"nobody"}"#, 404, "person_not_found"),
      (#"{"person":"alice"}"#, 400, "invalid_request"),
      (#"{"client_id":"c","scopes":["email"]}"#, 400, "invalid_request"),
      (#"{"client_id":"c","server_client_id":""}"#, 400, "invalid_request"),
      (#"{"client_id":5}"#, 400, "invalid_request"),
    ])
  func `an invalid call is refused`(
    provider: OpenIDProvider, wrong: (body: String, status: Int, error: String)
  ) async throws {
    try await withSimulator { client in
      let reply = try await client.post(provider.nativeSignIn, json: wrong.body)
      #expect(reply.status == wrong.status)
      #expect(reply.error == wrong.error)
    }
  }
}
