import HTTPTypes
import Testing

@Suite struct OpenIDAuthorizeTests {
  @Test(arguments: OpenIDProvider.all)
  func `discovery names existing endpoints`(provider: OpenIDProvider) async throws {
    try await withSimulator { client in
      let document = try await client.get(provider.discovery)
      #expect(document.status == 200)
      #expect(document.json.string("issuer") == provider.issuer(client.baseURL))
      for (name, path) in [
        ("authorization_endpoint", provider.authorize), ("token_endpoint", provider.token),
        ("userinfo_endpoint", provider.userInfo), ("jwks_uri", provider.keys),
        ("revocation_endpoint", provider.revoke),
      ] {
        #expect(document.json.string(name) == client.baseURL + path)
      }
      #expect(document.json.strings("code_challenge_methods_supported") == ["S256"])
      #expect(document.json.strings("id_token_signing_alg_values_supported") == ["RS256"])
      #expect(document.headers[.cacheControl] == "public, max-age=3600")
    }
  }

  @Test(arguments: OpenIDProvider.all)
  func `a code is sent with the state by redirect`(provider: OpenIDProvider) async throws {
    try await withSimulator { client in
      let reply = try await provider.authorize(client)
      #expect(reply.status == 302)
      #expect(reply.headers[.location]?.hasPrefix(OpenIDProvider.redirectURI + "?") == true)
      let parameters = try reply.redirectParameters()
      #expect(parameters["state"] == "s 1")
      #expect(parameters["code"]?.isEmpty == false)
    }
  }

  @Test func `Google's response has additional parameters`() async throws {
    try await withSimulator { client in
      let first = try await OpenIDProvider.google.authorize(client).redirectParameters()
      #expect(first["iss"] == "https://accounts.google.com")
      #expect(first["authuser"] == "0")
      #expect(first["prompt"] == "consent")
      let again = try await OpenIDProvider.google.authorize(client).redirectParameters()
      #expect(again["prompt"] == "none")
    }
  }

  @Test(arguments: OpenIDProvider.all)
  func `a token through the browser is in the fragment`(
    provider: OpenIDProvider
  ) async throws {
    try await withSimulator { client in
      let reply = try await provider.authorize(client, ["response_type": "code id_token"])
      let parameters = try reply.redirectParameters("#")
      let token = try IDToken(parameters["id_token"])
      #expect(try token.isSigned(by: await client.get(provider.keys)))
      #expect(token.claims.string("nonce") == "n1")
      #expect(try token.claims.string("c_hash") == IDToken.halfHash(parameters["code"]))
    }
  }

  @Test(arguments: OpenIDProvider.all)
  func `a request may be posted`(provider: OpenIDProvider) async throws {
    try await withSimulator { client in
      let reply = try await client.post(
        provider.authorize,
        form: [
          "client_id": "client-1", "redirect_uri": OpenIDProvider.redirectURI,
          "response_type": "code", "scope": "openid", "state": "s 1",
        ])
      #expect(reply.status == 302)
      #expect(try reply.redirectParameters()["state"] == "s 1")
    }
  }

  @Test(arguments: OpenIDProvider.all)
  func `a form_post is a page`(provider: OpenIDProvider) async throws {
    try await withSimulator { client in
      let reply = try await provider.authorize(
        client, ["response_type": "id_token", "response_mode": "form_post"])
      let fields = try reply.formFields()
      #expect(fields["state"] == "s 1")
      #expect(fields["code"] == nil)
      #expect(try !IDToken(fields["id_token"]).claims.names.contains("c_hash"))
    }
  }

  @Test(
    arguments: OpenIDProvider.all,
    [
      ("code_challenge_method", "plain", "invalid_request"),
      ("code_challenge_method", "", "invalid_request"),
      ("code_challenge", "short", "invalid_request"), ("code_challenge", "", "invalid_request"),
      ("response_type", "token", "unsupported_response_type"),
      ("response_type", "", "invalid_request"), ("scope", "email", "invalid_scope"),
      ("decision", "cancel", "access_denied"), ("person", "nobody", "person_not_found"),
    ])
  func `an error is sent to the client`(
    provider: OpenIDProvider, change: (name: String, value: String, error: String)
  ) async throws {
    try await withSimulator { client in
      let reply = try await provider.authorize(client, [change.name: change.value])
      #expect(reply.status == 302)
      let parameters = try reply.redirectParameters()
      #expect(parameters["error"] == change.error)
      #expect(parameters["state"] == "s 1")
      #expect(parameters["code"] == nil)
    }
  }

  @Test func `Google rejects the scope offline_access, and ignores those of its APIs`()
    async throws
  {
    try await withSimulator { client in
      let google = OpenIDProvider.google
      let offline = ["scope": "openid offline_access"]
      let rejected = try await google.authorize(client, offline).redirectParameters()
      #expect(rejected["error"] == "invalid_scope")
      #expect(rejected["state"] == "s 1")
      #expect(rejected["code"] == nil)
      let accepted = try await OpenIDProvider.oidc.authorize(client, offline).redirectParameters()
      #expect(accepted["code"] != nil)
      let calendar = ["scope": "openid https://www.googleapis.com/auth/calendar"]
      #expect(try await google.authorize(client, calendar).redirectParameters()["code"] != nil)
    }
  }

  @Test(arguments: [
    (OpenIDProvider.google, ["openid", "email", "profile"]),
    (.oidc, ["openid", "email", "profile", "offline_access"]),
  ])
  func `discovery names the supported scopes`(
    provider: OpenIDProvider, scopes: [String]
  ) async throws {
    try await withSimulator { client in
      let document = try await client.get(provider.discovery).json
      #expect(document.strings("scopes_supported") == scopes)
    }
  }

  @Test(arguments: OpenIDProvider.all)
  func `a token through the browser needs a nonce`(provider: OpenIDProvider) async throws {
    try await withSimulator { client in
      let reply = try await provider.authorize(client, ["response_type": "id_token", "nonce": ""])
      #expect(try reply.redirectParameters("#")["error"] == "invalid_request")
    }
  }

  @Test(
    arguments: OpenIDProvider.all,
    [
      ("client_id", ""), ("redirect_uri", ""), ("redirect_uri", "data:text/html,x"),
      ("redirect_uri", "https:app"), ("redirect_uri", "nothing"), ("response_mode", "web"),
    ])
  func `an unverified redirect URI gets no response`(
    provider: OpenIDProvider, change: (name: String, value: String)
  ) async throws {
    try await withSimulator { client in
      let reply = try await provider.authorize(client, [change.name: change.value])
      #expect(reply.status == 400)
      #expect(reply.error == "invalid_request")
      #expect(reply.headers[.location] == nil)
    }
  }

  @Test(arguments: [(OpenIDProvider.google, "redirect_uri_mismatch"), (.oidc, "invalid_request")])
  func `only a registered client's redirect URIs are accepted`(
    provider: OpenIDProvider, error: String
  ) async throws {
    try await withSimulator { client in
      _ = try await client.put(
        "/simulator/clients",
        json: """
          {"provider":"\(provider.name)","client_id":"client-1",
           "redirect_uris":["com.example.app:/callback"]}
          """)
      let refused = try await provider.authorize(client)
      #expect(refused.status == 400)
      #expect(refused.error == error)
      let taken = try await provider.authorize(
        client, ["redirect_uri": "com.example.app:/callback"])
      #expect(taken.status == 302)
    }
  }
}
