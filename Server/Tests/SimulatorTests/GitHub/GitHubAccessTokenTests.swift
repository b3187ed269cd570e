import HTTPTypes
import Testing

@Suite struct GitHubAccessTokenTests {
  @Test func `a code gives a token, in the requested format`() async throws {
    try await withSimulator { client in
      let json = try await client.gitHubExchange(try await client.gitHubCode())
      #expect(json.status == 200)
      #expect(json.headers[.contentType] == "application/json")
      #expect(json.json.names == ["access_token", "scope", "token_type"])
      #expect(json.json.string("scope") == "read:user,user:email")
      #expect(json.json.string("token_type") == "bearer")
      let token = json.json.string("access_token") ?? ""
      #expect(try /gho_[A-Za-z0-9]{36}/.wholeMatch(in: token) != nil)

      let form = try await client.gitHubExchange(try await client.gitHubCode(), accept: nil)
      #expect(
        form.headers[.contentType] == "application/x-www-form-urlencoded; charset=utf-8")
      #expect(form.text.hasPrefix("access_token=gho_"))
      #expect(form.text.hasSuffix("&scope=read%3Auser%2Cuser%3Aemail&token_type=bearer"))

      let xml = try await client.gitHubExchange(
        try await client.gitHubCode(), accept: "application/xml")
      #expect(xml.text.hasPrefix("<OAuth><access_token>gho_"))
    }
  }

  @Test func `a code works once`() async throws {
    try await withSimulator { client in
      let code = try await client.gitHubCode()
      #expect(try await client.gitHubExchange(code).json.string("access_token") != nil)
      let again = try await client.gitHubExchange(code)
      #expect(again.status == 200)
      #expect(again.error == "bad_verification_code")
      #expect(again.errorDescription == "The code passed is incorrect or expired.")
      #expect(
        again.json.string("error_uri")
          == "https://docs.github.com/apps/managing-oauth-apps/"
          + "troubleshooting-oauth-app-access-token-request-errors/#bad-verification-code")
    }
  }

  @Test(arguments: [(599.0, nil), (600, "bad_verification_code")] as [(Double, String?)])
  func `a code is valid for ten minutes`(age: Double, error: String?) async throws {
    try await withSimulator { client in
      let code = try await client.gitHubCode()
      client.clock.advance(seconds: age)
      #expect(try await client.gitHubExchange(code).error == error)
    }
  }

  @Test(arguments: [
    (["code": ""], "bad_verification_code"),
    (["code": "00000000000000000000"], "bad_verification_code"),
    (["client_id": ""], "incorrect_client_credentials"),
    (["client_secret": ""], "incorrect_client_credentials"),
    (["client_secret": "another"], "incorrect_client_credentials"),
    (["client_id": "gh-other"], "bad_verification_code"),
    (["redirect_uri": "https://app.example.com/callback/other"], "redirect_uri_mismatch"),
    (["code_verifier": ""], "bad_verification_code"),
    (["code_verifier": "wrong-verifier-wrong-verifier-wrong-verifier"], "bad_verification_code"),
  ])
  func `an invalid exchange is refused with the status 200`(
    changes: [String: String], error: String
  ) async throws {
    try await withSimulator { client in
      try await client.registerGitHubClient()
      let code = try await client.gitHubCode()
      let refused = try await client.gitHubExchange(code, changes)
      #expect(refused.status == 200)
      #expect(refused.error == error)
      #expect(refused.json.names == ["error", "error_description", "error_uri"])
      #expect(try await client.gitHubExchange(code).json.string("access_token") != nil)
    }
  }

  @Test func `an error can be a form too`() async throws {
    try await withSimulator { client in
      let refused = try await client.gitHubExchange("none", accept: "*/*")
      #expect(refused.status == 200)
      #expect(refused.text.hasPrefix("error=bad_verification_code&error_description="))
    }
  }

  @Test func `parameters may be in the query or in JSON`() async throws {
    try await withSimulator { client in
      let code = try await client.gitHubCode()
      let query = Form.encode([
        "client_id": "gh-client", "client_secret": "made-up-secret", "code": code,
        "code_verifier": OpenIDProvider.verifier,
      ])
      let byQuery = try await client.send(
        .post, "/github/login/oauth/access_token?\(query)", headers: [.accept: "application/json"])
      #expect(byQuery.json.string("access_token") != nil)
      let second = try await client.gitHubCode()
      let byJSON = try await client.send(
        .post, "/github/login/oauth/access_token",
        headers: [.accept: "application/json", .contentType: "application/json"],
        body: """
          {"client_id":"gh-client","client_secret":"made-up-secret","code":"\(second)",
           "code_verifier":"\(OpenIDProvider.verifier)"}
          """)
      #expect(byJSON.json.string("access_token") != nil)
    }
  }

  @Test func `an empty parameter in the query is treated as omitted`() async throws {
    try await withSimulator { client in
      let code = try await client.gitHubCode()
      let reply = try await client.send(
        .post, "/github/login/oauth/access_token?client_id=&code=",
        headers: [
          .accept: "application/json", .contentType: "application/x-www-form-urlencoded",
        ],
        body: Form.encode([
          "client_id": "gh-client", "client_secret": "made-up-secret", "code": code,
          "code_verifier": OpenIDProvider.verifier,
        ]))
      #expect(reply.json.string("access_token") != nil)
    }
  }

  @Test func `a person without a verified primary address gets no token`() async throws {
    try await withSimulator { client in
      for (id, isVerified) in [("dora", true), ("emil", false)] {
        _ = try await client.post(
          "/simulator/persons", json: "{\"id\":\"\(id)\",\"emailVerified\":\(isVerified)}")
        let code = try await client.gitHubCode(["person": id])
        let reply = try await client.gitHubExchange(code)
        #expect(reply.error == (isVerified ? nil : "unverified_user_email"))
      }
    }
  }

  @Test func `an eleventh token for the same scopes revokes the oldest`() async throws {
    try await withSimulator { client in
      let first = try await client.gitHubToken()
      let other = try await client.gitHubToken(#""scopes":["user"]"#)
      for _ in 2...10 { _ = try await client.gitHubToken() }
      #expect(try await client.gitHubGet("/user", first).status == 200)
      _ = try await client.gitHubToken()
      #expect(try await client.gitHubGet("/user", first).status == 401)
      #expect(try await client.gitHubGet("/user", other).status == 200)
    }
  }
}
