import Crypto
import Foundation
import GatehouseProtocol
import GatehouseTokens
import HTTPTypes
import Testing

@testable import GatehouseServer

/// Who gets into the console, and what a stolen cookie is worth.
@Suite struct ConsoleTests {
  private static let url = "https://auth.example.com"

  /// A browser: it has a key, and keeps the cookie.
  private struct Browser {
    let server: TestServer
    let key = P256.Signing.PrivateKey()
    var cookie: String?

    /// RFC 9449.
    func proof(
      _ method: String, _ path: String, at time: Date? = nil, type: String = "dpop+jwt"
    ) throws -> String {
      let point = key.publicKey.x963Representation
      let header: JSONValue = [
        "typ": .string(type), "alg": "ES256",
        "jwk": [
          "kty": "EC", "crv": "P-256", "x": .string(Base64URL.encode(Array(point[1..<33]))),
          "y": .string(Base64URL.encode(Array(point[33...]))),
        ],
      ]
      let claims: JSONValue = [
        "htm": .string(method), "htu": .string(ConsoleTests.url + path), "jti": "1",
        "iat": .number(
          JSONNumber(Int64((time ?? server.clock.now).timeIntervalSince1970))),
      ]
      let input = [header, claims].map { Base64URL.encode(Array($0.text().utf8)) }
        .joined(separator: ".")
      let signature = try key.signature(for: Data(input.utf8)).rawRepresentation
      return input + "." + Base64URL.encode(Array(signature))
    }

    func call(
      _ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil,
      proof: String? = nil
    ) async throws -> TestReply {
      let dpop = try proof ?? self.proof(method.rawValue, path)
      return try await server.call(
        TestRequest(path, body).with {
          $0.method = method
          $0.key = nil
          $0.headers[.dpop] = dpop
          $0.headers[.cookie] = cookie.map { "__Host-gatehouse-console=\($0)" }
        })
    }

    /// Of the console's project.
    func apiKey() async throws -> String {
      var stranger = self
      stranger.cookie = nil
      let state = try await stranger.call(.get, "/console/session")
      #expect(state["mode"] == "signedOut")
      return try #require(state["apiKey"]?.string)
    }

    mutating func keepCookie(of reply: TestReply) throws {
      let header = try #require(reply.headers[.setCookie])
      #expect(header.contains("; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age="))
      let pair = try #require(header.split(separator: ";").first)
      cookie = String(pair.dropFirst("__Host-gatehouse-console=".count))
    }
  }

  /// Signs somebody in who was invited: with a password and an authenticator app.
  private func signedIn(
    _ server: TestServer, _ role: String = "owner", project: String? = nil, uid: String = "ada"
  ) async throws -> Browser {
    let owner = try await server.ownerKey()
    var user: JSONObject = ["uid": .string(uid), "role": .string(role)]
    user["project"] = project.map { .string($0) }
    let invited = try await server.call(
      .admin(.post, "v2/server/consoleUsers", .object(user)).with { $0.bearer = owner })
    #expect(invited["state"] == "invited", "\(invited.text)")
    var browser = Browser(server: server)
    let token = try await idToken(browser, try #require(invited["invitationUrl"]?.string), uid)
    let reply = try await browser.call(.post, "/console/session", ["idToken": .string(token)])
    #expect(reply.status == 200, "\(reply.text)")
    try browser.keepCookie(of: reply)
    return browser
  }

  private static func invitation(_ url: String) throws -> JSONValue {
    .string(String(try #require(url.split(separator: "=").last)))
  }

  /// An ID token of a session that began with two factors.
  private func idToken(_ browser: Browser, _ url: String, _ uid: String) async throws -> String {
    let server = browser.server
    let accepted = try await browser.call(
      .post, "/console/invitation",
      ["invitation": try Self.invitation(url), "email": .string(uid + "@example.com")])
    #expect(accepted.status == 200, "\(accepted.text)")
    let key = try await browser.apiKey()
    func call(_ path: String, _ body: JSONValue) async throws -> TestReply {
      let reply = try await server.call(TestRequest("/" + path, body).with { $0.key = key })
      #expect(reply.status == 200, "\(reply.text)")
      return reply
    }
    let updated = try await call(
      "v1/accounts:update",
      [
        "idToken": accepted["idToken"] ?? .null, "password": "a long password",
        "returnSecureToken": true,
      ])
    let started = try await call(
      "v2/accounts/mfaEnrollment:start",
      ["idToken": updated["idToken"] ?? .null, "totpEnrollmentInfo": [:]])
    let session = started["totpSessionInfo"]
    let totp = try #require(TOTP(base32: session?["sharedSecretKey"]?.string ?? ""))
    let enrolled = try await call(
      "v2/accounts/mfaEnrollment:finalize",
      [
        "idToken": updated["idToken"] ?? .null,
        "totpVerificationInfo": [
          "sessionInfo": session?["sessionInfo"] ?? .null,
          "verificationCode": .string(totp.code(at: TOTP.step(at: server.clock.now))),
        ],
      ])
    return try #require(enrolled["idToken"]?.string)
  }

  @Test func `an invited user gets in with two factors, and administers`() async throws {
    try await TestServer.with(.production) { server in
      _ = try await server.shop()
      let browser = try await signedIn(server)
      let state = try await browser.call(.get, "/console/session")
      #expect(state["mode"] == "signedIn")
      #expect(state["user"]?["uid"] == "ada")
      #expect(state["user"]?["role"] == "owner")
      #expect(try await browser.call(.get, "/v2/projects/shop").status == 200)
      let made = try await browser.call(
        .post, "/v2/projects/shop/iosApps", ["bundleId": "com.example.app"])
      #expect(made.status == 200, "\(made.text)")
      let events = try await browser.call(.get, "/v2/projects/shop/events")
      #expect(events["events"]?.array?.first?["actor"] == "administrator ada")
      #expect(
        try await browser.call(.get, "/v2/server/consoleUsers")["consoleUsers"]?.array?.first?[
          "factors"] == ["totp"])
    }
  }

  @Test(arguments: ["viewer", "support", "administrator"])
  func `a user has the role of the invitation, and only the project`(_ role: String) async throws {
    try await TestServer.with(.production) { server in
      _ = try await server.shop()
      _ = try await server.project("other")
      let browser = try await signedIn(server, role, project: "shop")
      #expect(try await browser.call(.get, "/v2/projects/shop").status == 200)
      #expect(try await browser.call(.get, "/v2/projects/other").status == 403)
      #expect(try await browser.call(.get, "/v2/server/consoleUsers").status == 403)
      let created = try await browser.call(.post, "/v1/projects/shop/accounts", [:])
      #expect(created.status == (role == "viewer" ? 403 : 200))
      let changed = try await browser.call(.patch, "/v2/projects/shop", ["displayName": "Shop"])
      #expect(changed.status == (role == "administrator" ? 200 : 403))
    }
  }

  // MARK: Attacks

  @Test func `a stolen cookie opens nothing in another browser`() async throws {
    try await TestServer.with(.production) { server in
      _ = try await server.shop()
      let browser = try await signedIn(server)
      var thief = Browser(server: server)
      thief.cookie = browser.cookie
      #expect(try await thief.call(.get, "/v2/projects/shop").status == 401)
      #expect(try await thief.call(.get, "/console/session")["mode"] == "signedOut")
      _ = try await thief.call(.delete, "/console/session")
      #expect(try await browser.call(.get, "/v2/projects/shop").status == 200)
    }
  }

  @Test func `a proof is for one request, and for a minute`() async throws {
    try await TestServer.with(.production) { server in
      _ = try await server.shop()
      let browser = try await signedIn(server)
      let path = "/v2/projects/shop"
      let late = server.clock.now.addingTimeInterval(-61)
      for proof in [
        try browser.proof("PATCH", path), try browser.proof("GET", "/v2/projects/other"),
        try browser.proof("GET", path, at: late), try browser.proof("GET", path, type: "JWT"),
        "", "a.b.c", try browser.proof("GET", path) + "A",
      ] {
        #expect(try await browser.call(.get, path, proof: proof).status == 401, "\(proof)")
      }
      #expect(try await browser.call(.get, path).status == 200)
    }
  }

  @Test func `the cookie alone, as another site's page could send it, opens nothing`()
    async throws
  {
    try await TestServer.with(.production) { server in
      _ = try await server.shop()
      let browser = try await signedIn(server)
      let reply = try await server.call(
        TestRequest("/v2/projects/shop").with {
          $0.method = .delete
          $0.key = nil
          $0.headers[.cookie] = "__Host-gatehouse-console=\(browser.cookie ?? "")"
        })
      #expect(reply.status == 403)
      let preflight = try await server.call(
        TestRequest("/v2/projects/shop").with {
          $0.method = .options
          $0.key = nil
          $0.headers[.origin] = "https://evil.example.com"
          $0.headers[.accessControlRequestMethod] = "DELETE"
          $0.headers[.accessControlRequestHeaders] = "dpop"
        })
      #expect(preflight.headers[.accessControlAllowOrigin] == nil)
    }
  }

  @Test func `what makes administrators asks for a recent sign-in`() async throws {
    try await TestServer.with(.production) { server in
      _ = try await server.shop()
      let browser = try await signedIn(server)
      server.clock.advance(seconds: 301)
      #expect(try await browser.call(.get, "/v2/server/adminKeys").status == 200)
      let refused = try await browser.call(.post, "/v2/server/adminKeys", ["role": "owner"])
      #expect(refused.error == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
      #expect(
        try await browser.call(.patch, "/v2/projects/shop", ["displayName": "S"]).status == 200)
    }
  }

  @Test func `a session ends after an hour without use, and after half a day`() async throws {
    try await TestServer.with(.production) { server in
      _ = try await server.shop()
      var browser = try await signedIn(server)
      server.clock.advance(seconds: 3599)
      try browser.keepCookie(of: try await browser.call(.get, "/console/session"))
      server.clock.advance(seconds: 3599)
      #expect(try await browser.call(.get, "/v2/projects/shop").status == 200)
      server.clock.advance(seconds: 2)
      #expect(try await browser.call(.get, "/v2/projects/shop").status == 401)

      browser = try await signedIn(server, uid: "ben")
      for _ in 0..<12 {
        server.clock.advance(seconds: 3599)
        try browser.keepCookie(of: try await browser.call(.get, "/console/session"))
      }
      server.clock.advance(seconds: 13)
      #expect(try await browser.call(.get, "/v2/projects/shop").status == 401)
    }
  }

  @Test func `signing out, ending a session, and removal end it at once`() async throws {
    try await TestServer.with(.production) { server in
      _ = try await server.shop()
      var browser = try await signedIn(server)
      let cookie = browser.cookie
      _ = try await browser.call(.delete, "/console/session")
      browser.cookie = cookie
      #expect(try await browser.call(.get, "/v2/projects/shop").status == 401)

      let second = try await signedIn(server, uid: "ben")
      let shown = try await second.call(.get, "/console/sessions")
      let current = try #require(shown["sessions"]?.array?.first { $0["current"] == true })
      _ = try await second.call(
        .post, "/console/sessions:end", ["sessionId": current["sessionId"] ?? .null])
      #expect(try await second.call(.get, "/v2/projects/shop").status == 401)

      let third = try await signedIn(server, uid: "cleo")
      let owner = try await server.ownerKey()
      _ = try await server.call(
        .admin(.delete, "v2/server/consoleUsers/cleo").with { $0.bearer = owner })
      #expect(try await third.call(.get, "/v2/projects/shop").status == 401)
    }
  }

  // MARK: Invitations

  @Test func `an invitation is good once, and the latest one only`() async throws {
    try await TestServer.with(.production) { server in
      let owner = try await server.ownerKey()
      let first = try await server.call(
        .admin(.post, "v2/server/consoleUsers", ["uid": "ada", "role": "viewer"])
          .with { $0.bearer = owner })
      server.clock.advance(seconds: 1)
      let second = try await server.call(
        .admin(.post, "v2/server/consoleUsers/ada:invite", [:]).with { $0.bearer = owner })
      let browser = Browser(server: server)
      func accept(_ reply: TestReply) async throws -> TestReply {
        try await browser.call(
          .post, "/console/invitation",
          ["invitation": try Self.invitation(reply["invitationUrl"]?.string ?? "")])
      }
      #expect(try await accept(first).error == "TOKEN_EXPIRED")
      #expect(try await accept(second).status == 200)
      #expect(try await accept(second).error == "TOKEN_EXPIRED")
      server.clock.advance(seconds: 1)
      let third = try await server.call(
        .admin(.post, "v2/server/consoleUsers/ada:invite", [:]).with { $0.bearer = owner })
      server.clock.advance(seconds: 3 * 86_400)
      #expect(try await accept(third).error == "TOKEN_EXPIRED")
    }
  }

  @Test func `an invitation alone opens nothing`() async throws {
    try await TestServer.with(.production) { server in
      let owner = try await server.ownerKey()
      let invited = try await server.call(
        .admin(.post, "v2/server/consoleUsers", ["uid": "ada", "role": "owner"])
          .with { $0.bearer = owner })
      let browser = Browser(server: server)
      let accepted = try await browser.call(
        .post, "/console/invitation",
        ["invitation": try Self.invitation(invited["invitationUrl"]?.string ?? "")])
      let refused = try await browser.call(
        .post, "/console/session", ["idToken": accepted["idToken"] ?? .null])
      #expect(refused.error == "OPERATION_NOT_ALLOWED : The project requires a second factor.")
    }
  }

  @Test func `a new invitation takes away what the user had`() async throws {
    try await TestServer.with(.production) { server in
      _ = try await server.shop()
      let browser = try await signedIn(server)
      server.clock.advance(seconds: 2)
      let owner = try await server.ownerKey()
      let again = try await server.call(
        .admin(.post, "v2/server/consoleUsers/ada:invite", [:]).with { $0.bearer = owner })
      #expect(again["state"] == "invited")
      #expect(try await browser.call(.get, "/v2/projects/shop").status == 401)
      let key = try await browser.apiKey()
      let password = try await server.call(
        TestRequest(
          "/v1/accounts:signInWithPassword",
          ["email": "ada@example.com", "password": "a long password"]
        ).with { $0.key = key })
      #expect(password.error?.hasPrefix("INVALID_LOGIN_CREDENTIALS") == true)
    }
  }

  // MARK: The built-in project

  @Test func `nobody but an owner of the server reaches the console's accounts`() async throws {
    try await TestServer.with(.production) { server in
      let shop = try await server.shop()
      let browser = try await signedIn(server, "administrator")
      let place = "v1/projects/gatehouse-console/accounts"
      let taking: JSONValue = ["localId": "ada", "password": "another password"]
      #expect(try await browser.call(.post, "/\(place):update", taking).status == 403)
      for (role, project) in [(.administrator, nil), (.owner, shop)]
        as [(AdministratorRole, ProjectID?)]
      {
        let key = try await server.services.adminKeys.create(
          for: project, role: role, expiresAt: nil, now: TestServer.start
        ).key.reveal()
        let reply = try await server.call(
          .admin(.post, place + ":update", taking).with { $0.bearer = key })
        #expect(reply.status == 403)
      }
      let listed = try await browser.call(.get, "/v2/projects")
      #expect(listed["projects"]?.array?.count == 1)
      let key = try await browser.apiKey()
      let signUp = try await server.call(
        TestRequest(
          "/v1/accounts:signUp", ["email": "eve@example.com", "password": "a long password"]
        ).with { $0.key = key })
      #expect(signUp.error == "ADMIN_ONLY_OPERATION")
    }
  }

  @Test func `nobody can create a project with the console's name`() async throws {
    try await TestServer.with(.production) { server in
      let owner = try await server.ownerKey()
      let refused = try await server.call(
        .admin(.post, "v2/projects", ["projectId": "gatehouse-console"]).with { $0.bearer = owner })
      #expect(refused.status == 400)
    }
  }

  @Test func `the first invitation is for an owner, until somebody accepted one`() async throws {
    try await TestServer.with(.production) { server in
      let users = ConsoleUsers(services: server.services, publicURL: Self.url)
      let url = try #require(try await users.firstInvitation(now: server.clock.now))
      #expect(try await users.awaitFirst)
      #expect(url.hasPrefix(Self.url + "/console#invitation="))
      var browser = Browser(server: server)
      let token = try await idToken(browser, url, "owner")
      let reply = try await browser.call(.post, "/console/session", ["idToken": .string(token)])
      try browser.keepCookie(of: reply)
      #expect(reply["user"]?["role"] == "owner")
      #expect(try await !users.awaitFirst)
      #expect(try await users.firstInvitation(now: server.clock.now) == nil)
    }
  }

  @Test func `the page and its files have a strict policy`() async throws {
    try await TestServer.with(.production) { server in
      for path in ["/console", "/console/console.js", "/console/design.css"] {
        let file = try await server.call(
          TestRequest(path).with {
            $0.method = .get
            $0.key = nil
          })
        #expect(file.status == 200)
        let policy = file.headers[.contentSecurityPolicy] ?? ""
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'; "))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(file.headers[.cacheControl]?.contains("no-store") == true)
      }
    }
  }
}

extension TestServer {
  fileprivate func ownerKey() async throws -> String {
    try await services.adminKeys.create(
      for: nil, role: .owner, expiresAt: nil, now: Self.start
    ).key.reveal()
  }
}
