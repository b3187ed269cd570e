import Foundation
import Testing

/// Two projects in one server are isolated from each other.
@Suite struct ProjectIsolationTests {
  /// A project as an app and an administrator use it.
  private struct Side {
    var app: AppClient
    var administrator: Administrator

    /// `POST v1/projects/{p}:createSessionCookie`.
    func cookie(_ idToken: String) async throws -> Reply {
      try await HTTP.post(
        "\(administrator.baseURL)/v1/projects/\(administrator.project):createSessionCookie",
        ["idToken": .string(idToken)],
        headers: [("authorization", "Bearer \(administrator.token)")])
    }
  }

  private func withTwo(
    _ body: (_ first: Side, _ second: Side) async throws -> Void
  ) async throws {
    try await Production.with { production, server, administrator in
      var sides: [Side] = []
      for (name, isNew) in [(production.project, false), ("second", true)] {
        var key = production.apiKey
        if isNew {
          let made = try await production.command(
            "projects", "create", name, "--public-url", Production.publicURL)
          key = try #require(
            made.output.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("gk_") }
              .map(String.init))
        }
        var own = administrator
        own.project = name
        let adminKey = try await production.command("admin-keys", "create", "--project", name)
        own.token = try #require(adminKey.lines.first)
        sides.append(
          Side(app: AppClient(baseURL: server.baseURL, apiKey: key), administrator: own))
      }
      // The running server notices the commands' changes within a second.
      let second = sides[1]
      let isKnown = try await Deadline.wait {
        try await second.administrator.call(.get, "config", version: "v2").status == 200
      }
      try #require(isKnown)
      try await body(sides[0], second)
    }
  }

  @Test func `accounts of one don't exist in the other`() async throws {
    try await withTwo { first, second in
      let email = Unique.email()
      let one = try await first.app.signUp(email, "a long password")
      let uid = try #require(one.json["localId"].string)
      #expect(try await first.administrator.account(uid).isNull == false)
      #expect(try await second.administrator.account(uid).isNull)
      let byEmail = try await second.administrator.call(
        .post, "accounts:lookup", ["email": .array([.string(email)])])
      #expect(byEmail.verdict == "200")
      #expect(byEmail.json["users"].isNull)
      #expect(
        try await second.app.signIn(email, "a long password").verdict
          == "400 INVALID_LOGIN_CREDENTIALS")
      // The address is free in the second project, and belongs to another user there.
      let other = try await second.app.signUp(email, "another password")
      #expect(other.verdict == "200")
      #expect(other.json["localId"] != one.json["localId"])
      let deleted = try await second.administrator.call(
        .post, "accounts:delete", ["localId": .string(uid)])
      #expect(deleted.verdict == "400 USER_NOT_FOUND")
      #expect(try await first.administrator.account(uid).isNull == false)
    }
  }

  @Test func `tokens of one are refused by the other`() async throws {
    try await withTwo { first, second in
      let session = try await first.app.signUp(Unique.email(), "a long password").json
      let idToken = try #require(session["idToken"].string)
      let refreshToken = try #require(session["refreshToken"].string)
      #expect(try await first.app.lookup(idToken).verdict == "200")
      #expect(try await second.app.lookup(idToken).verdict == "400 INVALID_ID_TOKEN")
      #expect(
        try await second.app.refresh(refreshToken).message == "INVALID_REFRESH_TOKEN")
      let ownCookie = try await first.cookie(idToken)
      #expect(ownCookie.verdict == "200")
      #expect(try await second.cookie(idToken).verdict == "400 INVALID_ID_TOKEN")
      let cookie: JSON = ["sessionCookie": ownCookie.json["sessionCookie"]]
      #expect(try await first.app.call("lookup", cookie).verdict == "200")
      #expect(
        try await second.app.call("lookup", cookie).verdict == "400 INVALID_SESSION_COOKIE")
      for method in ["update", "delete"] {
        let reply = try await second.app.call(
          method, ["idToken": .string(idToken), "displayName": "Mallory"])
        #expect(reply.verdict == "400 INVALID_ID_TOKEN")
      }
      // None of this ended the session.
      #expect(try await first.app.refresh(refreshToken).verdict == "200")
    }
  }

  @Test func `keys of one give no access to the other`() async throws {
    try await withTwo { first, second in
      var crossed = first.administrator
      crossed.project = second.administrator.project
      for (path, version) in [("accounts:batchGet", "v1"), ("config", "v2")] {
        #expect(
          try await first.administrator.call(.get, path, version: version).verdict == "200")
        #expect(try await crossed.call(.get, path, version: version).status == 403)
      }
      // With an administrator's key, an API key can't select a project other than the path's.
      let session = try await first.app.signUp(Unique.email(), "a long password").json
      let uid = try #require(session["localId"].string)
      let reply = try await HTTP.post(
        "\(crossed.baseURL)/v1/projects/\(second.administrator.project)/accounts:lookup"
          + "?key=\(first.app.apiKey)", ["localId": .array([.string(uid)])],
        headers: [("authorization", "Bearer \(first.administrator.token)")])
      #expect(reply.status == 403)
      // `targetProjectId` in the body gives no access to another project either.
      let target = try await HTTP.post(
        "\(crossed.baseURL)/v1/accounts:lookup?key=\(first.app.apiKey)",
        [
          "localId": .array([.string(uid)]),
          "targetProjectId": .string(second.administrator.project),
        ], headers: [("authorization", "Bearer \(first.administrator.token)")])
      #expect(target.status == 403)
    }
  }

  @Test func `each has its own issuers, settings and providers`() async throws {
    try await withTwo { first, second in
      for side in [first, second] {
        let project = side.administrator.project
        let issuer = "\(Production.publicURL)/\(project)"
        let idToken = try #require(
          try await side.app.signUp(Unique.email(), "a long password").json["idToken"].string)
        let claims = try #require(JWTParts(idToken)).claims
        #expect(claims["iss"].string == issuer)
        #expect(claims["aud"].string == project)
        for (place, expected) in [(project, issuer), ("\(project)/session", "\(issuer)/session")] {
          let document = try await HTTP.get(
            "\(side.app.baseURL)/\(place)/.well-known/openid-configuration"
          ).json
          #expect(document["issuer"].string == expected)
          #expect(document["jwks_uri"].string == "\(expected)/.well-known/jwks.json")
        }
      }
      let changed = try await first.administrator.call(
        .patch, "config?updateMask=signIn.email.enabled",
        ["signIn": ["email": ["enabled": false]]], version: "v2")
      #expect(changed.verdict == "200")
      #expect(
        try await first.app.signIn("a@example.com", "secret").verdict
          == "400 PASSWORD_LOGIN_DISABLED")
      #expect(
        try await second.app.signIn("a@example.com", "secret").verdict
          == "400 INVALID_LOGIN_CREDENTIALS")
      let provider: JSON = [
        "issuer": "https://id.example.com", "clientId": "our-app", "enabled": true,
      ]
      #expect(try await first.administrator.configure("oidc.own", provider).verdict == "200")
      #expect(
        try await second.administrator.call(.get, "oauthIdpConfigs/oidc.own", version: "v2").status
          == 404)
    }
  }
}

/// In `--dev`, where projects are created on demand.
@Suite(.developmentServer)
struct DevelopmentProjectTests {
  @Test func `an administrator's path creates a complete and isolated project`()
    async throws
  {
    let server = try suiteServer()
    var administrator = server.administrator
    administrator.project = "another"
    let document = "\(server.baseURL)/another/.well-known/openid-configuration"
    #expect(try await HTTP.get(document).status == 404)
    let made = try await administrator.call(.post, "accounts", ["email": "ann@example.com"])
    let uid = try #require(made.json["localId"].string)
    #expect(try await administrator.account(uid).isNull == false)
    #expect(try await server.administrator.account(uid).isNull)
    let issuer = try await HTTP.get(document).json["issuer"]
    #expect(issuer == "https://securetoken.google.com/another")
    let apple = try await administrator.call(
      .get, "defaultSupportedIdpConfigs/apple.com", version: "v2")
    #expect(apple.json["enabled"] == true)
  }

  @Test func `a client can't create one`() async throws {
    let server = try suiteServer()
    var app = server.app
    app.apiKey = "third"
    #expect(try await app.call("signUp", [:]).verdict == "200")
    let document = "\(server.baseURL)/third/.well-known/openid-configuration"
    #expect(try await HTTP.get(document).status == 404)
  }
}
