import Crypto
import Foundation
import GatehouseProtocol
import GatehouseServer
import HTTPTypes
import Testing

/// What administrators do with providers besides their configuration, and what lower roles see of it.
@Suite struct ManageProvidersTests {
  private func call(
    _ server: TestServer, _ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil,
    query: String? = nil
  ) async throws -> TestReply {
    try await server.call(
      .admin(method, "v2/projects/demo/\(path)", body).with { $0.query = query })
  }

  private func key(
    _ server: TestServer, _ role: AdministratorRole, of project: ProjectID? = nil
  ) async throws -> String {
    try await server.services.adminKeys.create(
      for: project, role: role, expiresAt: nil, now: TestServer.start
    ).0.reveal()
  }

  // MARK: What is shown

  @Test func `a key that isn't a P-256 key is refused, and the former stays`() async throws {
    try await TestServer.with { server in
      let path = "defaultSupportedIdpConfigs/apple.com"
      let before = try await call(server, .get, path).json
      for key in ["no key", P384.Signing.PrivateKey().pemRepresentation] {
        let refused = try await call(
          server, .patch, path,
          ["appleSignInConfig": ["codeFlowConfig": ["privateKey": .string(key)]]])
        #expect(
          refused.error
            == "INVALID_CONFIG : privateKey has to be the P-256 private key that Apple issues as AuthKey_….p8, in PEM."
        )
      }
      #expect(try await call(server, .get, path).json == before)
    }
  }

  @Test(arguments: [AdministratorRole.viewer, .support, .administrator])
  func `only an administrator sees secrets`(_ role: AdministratorRole) async throws {
    try await TestServer.with { server in
      let receiver = "https://api.example.com/apple?token=t0ken"
      _ = try await call(
        server, .patch, "defaultSupportedIdpConfigs/apple.com",
        ["notificationForwardUrl": .string(receiver)])
      _ = try await call(
        server, .patch, "oauthIdpConfigs/oidc.trusted",
        [
          "clients": [
            ["clientId": "tablet", "clientSecret": "t4blet", "bundleIds": ["com.example.tablet"]]
          ]
        ])
      let bearer = try await key(server, role)
      for path in [
        "defaultSupportedIdpConfigs", "defaultSupportedIdpConfigs/apple.com",
        "defaultSupportedIdpConfigs/google.com", "oauthIdpConfigs", "oauthIdpConfigs/oidc.trusted",
      ] {
        let shown = try await server.call(
          .admin(.get, "v2/projects/demo/\(path)").with { $0.bearer = bearer })
        #expect(shown.status == 200)
        let secrets = ["a-google-secret", "an-oidc-secret", "PRIVATE KEY", "t0ken"]
        #expect(secrets.contains { shown.text.contains($0) } == (role == .administrator), "\(path)")
        #expect(!shown.text.contains("t4blet"))
      }
      let google = try await server.call(
        .admin(.get, "v2/projects/demo/defaultSupportedIdpConfigs/google.com")
          .with { $0.bearer = bearer })
      #expect(google["hasClientSecret"] == true)
    }
  }

  @Test func `a provider shows what has to be registered, and which tokens it accepts`()
    async throws
  {
    try await TestServer.with(.production) { server in
      let shop = try await server.shop()
      let bearer = try await key(server, .owner)
      func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil,
        query: String? = nil
      ) async throws -> TestReply {
        try await server.call(
          .admin(method, "v2/projects/\(shop)/\(path)", body).with {
            $0.bearer = bearer
            $0.query = query
          })
      }
      _ = try await send(.post, "iosApps", ["bundleId": "com.example.app"])
      let apple = try await send(
        .post, "defaultSupportedIdpConfigs", ["clientId": "com.example.web"],
        query: "idpId=apple.com")
      #expect(apple["audiences"] == ["com.example.web", "com.example.app"])
      #expect(apple["redirectUri"] == "https://auth.example.com/__/auth/handler")
      #expect(
        apple["notificationUrl"] == "https://auth.example.com/v1/notifications/apple/shop")
      #expect(apple["notifications"] == nil)
      try await server.store.write {
        try $0.recordNotification(
          of: .apple, kind: .consentRevoked, at: TestServer.start, in: shop)
      }
      let read = try await send(.get, "defaultSupportedIdpConfigs/apple.com")
      #expect(read["notifications"]?["count"] == 1)
      // A response can be sent back.
      let again = try await send(.patch, "defaultSupportedIdpConfigs/apple.com", read.json)
      #expect(again.json == read.json)
      let open = try await send(
        .post, "oauthIdpConfigs",
        [
          "clientId": "a", "issuer": "https://id.example.com",
          "clientKey": ["privateKey": .string(P256.Signing.PrivateKey().pemRepresentation)],
        ], query: "oauthIdpConfigId=oidc.a")
      #expect(open["redirectUri"] == "https://auth.example.com/__/auth/handler/shop/oidc.a")
      #expect(open["keySetUrl"] == "https://auth.example.com/__/auth/keys/shop/oidc.a")
    }
  }

  @Test func `the mask * replaces a configuration`() async throws {
    try await TestServer.with { server in
      let place = "oauthIdpConfigs/oidc.trusted"
      _ = try await call(
        server, .patch, place, ["displayName": "Corp", "scopes": ["email"], "requireNonce": true])
      let replaced = try await call(
        server, .patch, place, ["clientId": "b", "issuer": "https://b.example.com"],
        query: "updateMask=*")
      #expect(replaced["clientId"] == "b")
      for member in ["displayName", "scopes", "requireNonce", "clientSecret", "enabled"] {
        #expect(replaced[member] == nil, "\(member)")
      }
      let incomplete = try await call(
        server, .patch, place, ["clientId": "b"], query: "updateMask=*")
      #expect(incomplete.error == "MISSING_ISSUER : Issuer in OAuthIdpConfig cannot be empty.")
    }
  }

  // MARK: Addresses

  @Test func `only the operator of the machine may name programs on it`() async throws {
    try await TestServer.with(.production) { server in
      let shop = try await server.shop()
      let bearer = try await key(server, .owner)
      let path = "v2/projects/\(shop)/oauthIdpConfigs"
      let id = "oauthIdpConfigId=oidc.a"
      let local = "http://127.0.0.1:8082/oidc"
      let body: JSONObject = ["clientId": "a", "issuer": .string(local)]
      let refused = try await server.call(
        .admin(.post, path, .object(body)).with {
          $0.bearer = bearer
          $0.query = id
        })
      #expect(refused.error?.hasPrefix("INVALID_ISSUER : ") == true)

      var configuration = APIConfiguration(
        mode: .production, publicURL: "https://auth.example.com")
      configuration.isForOperator = true
      let machine = try LocalAdministration(server.services, configuration)
      let made = await machine.respond(
        to: "POST", "/\(path)?\(id)", body: body.serialized())
      #expect(made.status == 200)
      let receiver: JSONObject = ["notificationForwardUrl": "http://localhost:8083/"]
      let forwarding = await machine.respond(
        to: "PATCH", "/\(path)/oidc.a", body: receiver.serialized())
      #expect(forwarding.status == 200)
      for (url, detail) in [
        ("http://127.0.0.1:8082/", "can't be on the server's own machine."),
        ("http://api.example.com/", "is an https URL"), ("nonsense", "is not a URL"),
      ] {
        let reply = try await server.call(
          .admin(
            .post, path.replacing("oauth", with: "defaultSupported"),
            [
              "clientId": "a", "notificationForwardUrl": .string(url),
            ]
          ).with {
            $0.bearer = bearer
            $0.query = "idpId=google.com"
          })
        #expect(
          reply.error?.hasPrefix("INVALID_CONFIG : notificationForwardUrl \(detail)") == true)
      }
    }
  }

  // MARK: Test

  @Test func `a test makes requests to the configured provider, and says what it found`()
    async throws
  {
    try await TestServer.with { server in
      let good = try await call(server, .post, "oauthIdpConfigs/oidc.trusted:test")
      let findings = good["findings"]?.array ?? []
      #expect(findings.map { $0["check"] }.prefix(3) == ["audiences", "discovery", "keys"])
      #expect(findings.allSatisfy { $0["verdict"] == "ok" && $0["remedy"] == nil })
      #expect(
        server.providers.requests.allSatisfy { $0.url.hasPrefix(FakeProviders.issuer) })
      let apple = try await call(server, .post, "defaultSupportedIdpConfigs/apple.com:test")
      #expect(apple["findings"]?.array?.last?["check"] == "client secret")

      server.providers.silence("\(FakeProviders.issuer)/.well-known/openid-configuration")
      let silent = try await call(server, .post, "oauthIdpConfigs/oidc.plain:test")
      let failed = silent["findings"]?.array?.first { $0["verdict"] == "failed" }
      #expect(failed?["remedy"]?.string?.isEmpty == false)
      #expect(
        try await call(server, .post, "oauthIdpConfigs/oidc.none:test").error
          == "CONFIGURATION_NOT_FOUND")
    }
  }

  @Test func `a test can't be sent to another address, and is of the caller's own project`()
    async throws
  {
    try await TestServer.with { server in
      let path = "v2/projects/demo/oauthIdpConfigs/oidc.trusted:test"
      let other = try await server.project("other")
      let stranger = try await key(server, .owner, of: other)
      let viewer = try await key(server, .support)
      for bearer in [stranger, viewer] {
        let refused = try await server.call(.admin(.post, path).with { $0.bearer = bearer })
        #expect(refused.status == 403)
      }
      for member in ["issuer", "discoveryUrl", "clientSecret"] {
        let body = JSONObject([.init(name: member, value: .string(FakeProviders.evilIssuer))])
        let refused = try await LocalAdministration(
          server.services,
          APIConfiguration(mode: .production, publicURL: "https://auth.example.com")
        ).respond(to: "POST", "/\(path)", body: body.serialized())
        #expect(refused.status == 400)
      }
      #expect(server.providers.requests.isEmpty)
    }
  }

  // MARK: Another issuer

  @Test func `linked identities are moved to a provider's new issuer`() async throws {
    try await TestServer.with { server in
      let token = try FakeProviders.token(["sub": "s"])
      let first = try await server.call(FakeProviders.signIn(token))
      let place = "oauthIdpConfigs/oidc.trusted"
      let changed = try await call(
        server, .patch, place, ["issuer": .string(FakeProviders.evilIssuer)])
      #expect(changed["identitiesOfOtherIssuers"] == 1)
      let other = try await call(
        server, .post, "\(place):moveIssuer", ["from": "https://other.example.com"])
      #expect(other["moved"] == 0)
      let moved = try await call(
        server, .post, "\(place):moveIssuer", ["from": .string(FakeProviders.issuer)])
      #expect(moved.json == ["moved": 1, "issuer": .string(FakeProviders.evilIssuer)])
      let after = try await call(server, .get, place)
      #expect(after["identitiesOfOtherIssuers"] == nil)
      let account = try await server.call(
        .admin(.post, "v1/projects/demo/accounts:lookup", ["localId": [first["localId"] ?? .null]]))
      #expect(account["users"]?.array?.count == 1)
      let last = try await server.store.read {
        try $0.waitingEvents(after: nil, limit: 100).last?.event
      }
      #expect(last?.details["former"] == FakeProviders.issuer)
      #expect(last?.details["identities"] == "1")
    }
  }

  @Test(
    arguments: [
      (
        "oauthIdpConfigs/oidc.trusted", [:],
        "from is the issuer under which the identities were linked."
      ),
      (
        "oauthIdpConfigs/oidc.trusted", ["from": .string(FakeProviders.issuer)],
        "from is the issuer that oidc.trusted has now; give its former issuer."
      ),
      (
        "oauthIdpConfigs/oidc.trusted",
        [
          "from": "https://a.example.com",
          "pageToken": .string(String(repeating: "x", count: 4096)),
        ],
        "INVALID_PAGE_SELECTION"
      ),
      (
        "defaultSupportedIdpConfigs/google.com", ["from": "https://a.example.com"],
        "INVALID_ISSUER : google.com has a fixed issuer."
      ),
      (
        "oauthIdpConfigs/oidc.none", ["from": "https://a.example.com"], "CONFIGURATION_NOT_FOUND"
      ),
    ] as [(String, JSONValue, String)])
  func `identities aren't moved without a former and a present issuer`(
    _ place: String, _ body: JSONValue, _ error: String
  ) async throws {
    try await TestServer.with { server in
      let reply = try await call(server, .post, "\(place):moveIssuer", body)
      #expect(reply.error == error)
    }
  }
}

/// An app that moves to another team at Apple.
@Suite struct ManageTransferTests {
  private func call(
    _ server: TestServer, _ verb: String, _ body: JSONValue, at provider: String = "apple.com"
  ) async throws -> TestReply {
    try await server.call(
      .admin(
        .post, "v2/projects/demo/defaultSupportedIdpConfigs/\(provider)/transfer:\(verb)", body))
  }

  private static let app: JSONValue = "com.example.app"

  @Test func `every user is prepared, and gets the subject of the new team`() async throws {
    try await TestServer.with { server in
      for subject in ["old-ann", "old-bob", "unknown-carl"] {
        let token = try FakeProviders.token("apple.com", ["sub": .string(subject)])
        #expect(try await server.call(FakeProviders.signIn("apple.com", token)).status == 200)
      }
      let prepared = try await call(
        server, "prepare", ["targetTeamId": "TEAM222222", "clientId": Self.app])
      #expect(prepared.json == ["prepared": 2, "unknown": 1])
      let finished = try await call(server, "finish", ["clientId": Self.app])
      #expect(
        finished.json == ["moved": 2, "unknown": 0, "gone": 0, "inConflict": []])
      let status = try await server.call(
        .admin(.get, "v2/projects/demo/defaultSupportedIdpConfigs/apple.com/transfer"))
      #expect(status.json == ["prepared": 2, "moved": 2])
      let again = try await server.call(
        FakeProviders.signIn(
          "apple.com", try FakeProviders.token("apple.com", ["sub": "new-ann"])))
      #expect(again["isNewUser"] != true)
    }
  }

  @Test func `the old team's key is used, and not stored`() async throws {
    try await TestServer.with { server in
      let token = try FakeProviders.token("apple.com", ["sub": "old-ann"])
      _ = try await server.call(FakeProviders.signIn("apple.com", token))
      let key = P256.Signing.PrivateKey().pemRepresentation
      // TEAM123456 is configured.
      let body: JSONObject = ["targetTeamId": "TEAM123456", "clientId": Self.app]
      let early = try await call(server, "prepare", .object(body))
      #expect(
        early.error
          == "targetTeamId is the team that is configured: give the old team's key in teamId, keyId and "
          + "privateKey.")
      var whole = body
      whole["teamId"] = "TEAM000000"
      whole["keyId"] = "KEY0000000"
      let half = try await call(server, "prepare", .object(whole))
      #expect(half.error == "teamId, keyId and privateKey belong together.")
      whole["privateKey"] = .string(key)
      #expect(
        try await call(server, "prepare", .object(whole)).json == ["prepared": 1, "unknown": 0])
      let asked = server.providers.requests.last { $0.url.hasSuffix("/usermigrationinfo") }
      let secret = try #require(asked?.form["client_secret"]).split(separator: ".")
      let claims = try #require(Base64Text.decode(String(secret[1])))
      #expect(try JSONValue(parsing: claims)["iss"] == "TEAM000000")
      let apple = try await server.call(
        .admin(.get, "v2/projects/demo/defaultSupportedIdpConfigs/apple.com"))
      #expect(apple["appleSignInConfig"]?["codeFlowConfig"]?["teamId"] == "TEAM123456")
    }
  }

  @Test func `what Apple doesn't answer is asked again later`() async throws {
    try await TestServer.with { server in
      let token = try FakeProviders.token("apple.com", ["sub": "old-ann"])
      _ = try await server.call(FakeProviders.signIn("apple.com", token))
      server.providers.silence("https://appleid.apple.com/auth/usermigrationinfo")
      let body: JSONValue = ["targetTeamId": "TEAM222222", "clientId": Self.app]
      let silent = try await call(server, "prepare", body)
      #expect(silent.status == 503)
      #expect(silent.error?.hasPrefix("Apple: ") == true)
      server.providers.silence(nil)
      #expect(try await call(server, "prepare", body)["prepared"] == 1)
      #expect(try await call(server, "prepare", body)["prepared"] == 0)
    }
  }

  @Test(
    arguments: [
      (
        "apple.com", ["targetTeamId": "short"],
        "targetTeamId is the team to which the app moves: ten capital letters and digits."
      ),
      (
        "apple.com", ["targetTeamId": "TEAM222222", "team": "x"],
        "Invalid JSON payload received. Unknown name \"team\": Cannot find field."
      ),
      (
        "apple.com",
        ["targetTeamId": "TEAM222222", "pageToken": .string(String(repeating: "x", count: 4096))],
        "INVALID_PAGE_SELECTION"
      ),
      ("google.com", ["targetTeamId": "TEAM222222"], "CONFIGURATION_NOT_FOUND"),
    ] as [(String, JSONValue, String)])
  func `a transfer is Apple's, to a team`(
    _ provider: String, _ body: JSONValue, _ error: String
  ) async throws {
    try await TestServer.with { server in
      let refused = try await call(server, "prepare", body, at: provider)
      #expect(refused.error == error)
      #expect(server.providers.requests.isEmpty)
    }
  }
}
