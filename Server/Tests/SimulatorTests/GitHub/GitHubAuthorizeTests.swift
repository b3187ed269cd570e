import HTTPTypes
import Testing

@Suite struct GitHubAuthorizeTests {
  @Test func `a code is returned with the state`() async throws {
    try await withSimulator { client in
      let reply = try await client.gitHubAuthorize(["person": "bob"])
      #expect(reply.status == 302)
      #expect(reply.headers[.location]?.hasPrefix("https://app.example.com/callback?code=") == true)
      let answer = try reply.redirectParameters()
      #expect(answer.keys.sorted() == ["code", "state"])
      #expect(answer["state"] == "s 1")
      #expect(try /[0-9a-f]{20}/.wholeMatch(in: answer["code"] ?? "") != nil)
    }
  }

  @Test func `a refusal is reported to the app`() async throws {
    try await withSimulator { client in
      let answer = try await client.gitHubAuthorize(["decision": "cancel"]).redirectParameters()
      #expect(answer["error"] == "access_denied")
      #expect(answer["error_description"] == "The user has denied your application access.")
      #expect(answer["error_uri"]?.hasSuffix("#access-denied") == true)
      #expect(answer["state"] == "s 1")
      #expect(answer["code"] == nil)
    }
  }

  @Test(arguments: [
    ("https://app.example.com/callback", true), ("https://app.example.com/callback/more", true),
    ("https://eu.app.example.com/callback", true), ("https://app.example.com/callbacks", false),
    ("https://app.example.com/", false), ("https://app.example.com:8443/callback", false),
    ("http://app.example.com/callback", false), ("https://app.example.org/callback", false),
    ("https://evilapp.example.com/callback", false),
    ("https://app.example.com/callback/../other", false),
  ])
  func `an address must be below the registered one`(uri: String, fits: Bool) async throws {
    try await withSimulator { client in
      try await client.registerGitHubClient()
      let reply = try await client.gitHubAuthorize(["redirect_uri": uri])
      let answer = try reply.redirectParameters()
      #expect(answer["error"] == (fits ? nil : "redirect_uri_mismatch"))
      let address = fits ? uri : "https://app.example.com/callback"
      #expect(reply.headers[.location]?.hasPrefix("\(address)?") == true)
      #expect(answer["state"] == "s 1")
    }
  }

  @Test func `any port of a registered loopback address is accepted`() async throws {
    try await withSimulator { client in
      _ = try await client.put(
        "/simulator/clients",
        json: """
          {"provider":"github","client_id":"gh-client","redirect_uris":["http://127.0.0.1/cb"]}
          """)
      let answer = try await client.gitHubAuthorize(["redirect_uri": "http://127.0.0.1:1234/cb"])
        .redirectParameters()
      #expect(answer["error"] == nil)
      let other = try await client.gitHubAuthorize(["redirect_uri": "http://localhost:1234/cb"])
        .redirectParameters()
      #expect(other["error"] == "redirect_uri_mismatch")
    }
  }

  @Test func `the registered address is the default`() async throws {
    try await withSimulator { client in
      let none = try await client.gitHubAuthorize(["redirect_uri": ""])
      #expect(none.status == 400)
      #expect(none.error == "invalid_request")
      try await client.registerGitHubClient()
      let code = try await client.gitHubCode(["redirect_uri": ""])
      #expect(try await client.gitHubExchange(code).json.string("access_token") != nil)
    }
  }

  @Test(arguments: [
    (["client_id": ""], "Missing required parameter: client_id"),
    (["code_challenge_method": "plain"], "code_challenge_method must be S256."),
    (["code_challenge_method": ""], "code_challenge_method must be S256."),
  ])
  func `an invalid request is shown to the person`(
    changes: [String: String], message: String
  ) async throws {
    try await withSimulator { client in
      let reply = try await client.gitHubAuthorize(changes)
      #expect(reply.status == 400)
      #expect(reply.error == "invalid_request")
      #expect(reply.errorDescription == message)
    }
  }

  @Test func `login names an account at GitHub`() async throws {
    try await withSimulator { client in
      _ = try await client.post(
        "/simulator/persons", json: #"{"id":"carol","github":{"login":"carol-codes"}}"#)
      let code = try await client.gitHubCode(["login": "Carol-Codes"])
      let token = try await client.gitHubExchange(code).json.string("access_token")
      #expect(try await client.gitHubGet("/user", token).json.string("login") == "carol-codes")
    }
  }

  @Test func `a request without scopes gets the scopes granted before`() async throws {
    try await withSimulator { client in
      func scope(_ asked: String) async throws -> String? {
        let code = try await client.gitHubCode(["scope": asked])
        return try await client.gitHubExchange(code).json.string("scope")
      }
      let granted = [
        try await scope(""), try await scope("user:email gist"), try await scope(""),
        // "Normalized scopes": scopes that `user` includes aren't stored, nor are unknown scopes.
        try await scope("user,user:email made:up"),
      ]
      #expect(granted == ["", "gist,user:email", "gist,user:email", "user"])
    }
  }
}
