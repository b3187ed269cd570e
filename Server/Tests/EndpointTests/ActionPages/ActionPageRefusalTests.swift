import Foundation
import GatehouseServer
import GatehouseProtocol
import HTTPTypes
import Testing

/// What the pages refuse, each time beside a link that works.
@Suite struct ActionPageRefusalTests {
  private typealias Reader = ActionPageReader

  private static let incomplete = "This link doesn’t work"
  private static let spent = "This link doesn’t work any more"

  struct Change: Sendable, CustomTestStringConvertible {
    let name: String
    let value: String?
    let heading: String
    var testDescription: String { "\(name) \(value ?? "missing")" }
  }

  @Test(arguments: [
    Change(name: "mode", value: nil, heading: incomplete),
    Change(name: "mode", value: "resetpassword", heading: incomplete),
    Change(name: "mode", value: "verifyEmail", heading: spent),
    Change(name: "oobCode", value: nil, heading: incomplete),
    Change(name: "oobCode", value: "made-up", heading: spent),
    Change(name: "oobCode", value: String(repeating: "a", count: 20_000), heading: spent),
    Change(name: "apiKey", value: nil, heading: incomplete),
  ]) func `a changed link shows and does nothing`(_ change: Change) async throws {
    try await TestServer.with { server in
      let reader = try await Reader(server, "PASSWORD_RESET")
      let changed = reader.with(change.name, change.value)
      for reply in [
        try await changed.open(), try await changed.press([("newPassword", "a new secret")]),
      ] {
        #expect(reply.status == 400)
        #expect(reply.heading == change.heading)
        #expect(!reply.text.contains(Reader.email))
      }
      #expect(try await reader.press([("newPassword", "a new secret")]).status == 200)
    }
  }

  @Test(arguments: ["mode", "oobCode", "apiKey", "continueUrl", "lang"])
  func `a parameter that comes twice is refused`(_ name: String) async throws {
    try await TestServer.with { server in
      let reader = try await Reader(
        server, "VERIFY_EMAIL", [("continueUrl", "http://localhost/")])
      let value = try #require(reader[name])
      let twice = reader.with { $0.fields.append((name, value)) }
      for reply in [try await twice.open(), try await twice.press()] {
        #expect(reply.status == 400)
        #expect(reply.heading == Self.incomplete)
      }
      #expect(try await reader.press().status == 200)
    }
  }

  @Test func `an expired link is refused like a used one`() async throws {
    try await TestServer.with { server in
      let reader = try await Reader(server, "PASSWORD_RESET")
      server.clock.advance(seconds: 3599)
      #expect(try await reader.open().status == 200)
      server.clock.advance(seconds: 1)
      let late = try await reader.open()
      #expect(late.status == 400)
      #expect(late.heading == Self.spent)
      #expect(
        try await reader.press([("newPassword", "a new secret")]).heading == Self.spent)
    }
  }

  @Test(arguments: ["PASSWORD_RESET", "VERIFY_EMAIL"])
  func `a link to an address that the account gave up is refused like a used one`(
    _ type: String
  ) async throws {
    try await TestServer.with { server in
      let reader = try await Reader(server, type)
      #expect(try await reader.open().status == 200)
      let found = try await server.call(
        .admin(.post, "v1/projects/demo/accounts:lookup", ["email": [.string(Reader.email)]]))
      let uid = try #require(found["users"]?.array?.first?["localId"])
      let moved = try await server.call(
        .admin(
          .post, "v1/projects/demo/accounts:update",
          ["localId": uid, "email": "moved@example.com"]))
      #expect(moved.status == 200)
      for reply in [
        try await reader.open(), try await reader.press([("newPassword", "a new secret")]),
      ] {
        #expect(reply.status == 400)
        #expect(reply.heading == Self.spent)
        #expect(!reply.text.contains(Reader.email))
      }
    }
  }

  @Test func `an API key of no project is refused`() async throws {
    try await withCode { server, reader in
      let reply = try await reader.with("apiKey", "gk_other").open()
      #expect(reply.status == 400)
      #expect(reply.heading == Self.incomplete)
      #expect(try await reader.open().status == 200)
    }
  }

  @Test func `a disabled user's link says so, and only when it is used`() async throws {
    try await TestServer.with { server in
      let reader = try await Reader(server, "VERIFY_EMAIL")
      let found = try await server.call(
        .admin(.post, "v1/projects/demo/accounts:lookup", ["email": [.string(Reader.email)]]))
      let uid = try #require(found["users"]?.array?.first?["localId"])
      let disabled = try await server.call(
        .admin(
          .post, "v1/projects/demo/accounts:update", ["localId": uid, "disableUser": true]))
      #expect(disabled.status == 200)
      #expect(try await reader.open().status == 200)
      let reply = try await reader.press()
      #expect(reply.status == 400)
      #expect(reply.heading == "This account is disabled")
    }
  }

  @Test func `an address that another account took is refused`() async throws {
    try await TestServer.with { server in
      let reader = try await Reader(
        server, "VERIFY_AND_CHANGE_EMAIL", [("newEmail", "bob@example.com")])
      _ = try await server.call(
        .accounts("signUp", ["email": "bob@example.com", "password": "secret1"]))
      let reply = try await reader.press()
      #expect(reply.status == 400)
      #expect(reply.heading == "Nothing was changed")
    }
  }

  @Test(arguments: [
    ("PASSWORD_RESET", "enabled", false), ("EMAIL_SIGNIN", "passwordRequired", true),
  ])
  func `what the project turned off is refused`(
    _ type: String, _ setting: String, _ value: Bool
  ) async throws {
    try await TestServer.with { server in
      let reader = try await Reader(server, type, [("continueUrl", "http://localhost/")])
      #expect(try await reader.open().status == 200)
      let email = JSONObject([JSONObject.Member(name: setting, value: .bool(value))])
      let config: JSONValue = ["signIn": ["email": .object(email)]]
      #expect(
        try await server.call(.admin(.patch, "v2/projects/demo/config", config)).status == 200)
      let reply = try await reader.open()
      #expect(reply.status == 400)
      #expect(reply.heading == "The app doesn’t offer this")
    }
  }

  @Test func `wrong codes are counted with those of the REST API`() async throws {
    try await withCode { server, reader in
      let guesser = reader.with("oobCode", "made-up").with { $0.peer = "192.0.2.1" }
      for _ in 0..<100 { #expect(try await guesser.open().heading == Self.spent) }
      let limited = try await reader.with { $0.peer = "192.0.2.1" }.open()
      #expect(limited.status == 429)
      #expect(limited.heading == "Too many attempts")
      let rest = try await server.call(
        .accounts("resetPassword", ["oobCode": "made-up"]).with {
          $0.key = reader["apiKey"]
          $0.headers[.testPeer] = "192.0.2.1"
        })
      #expect(rest.error?.hasPrefix("TOO_MANY_ATTEMPTS_TRY_LATER") == true)
      #expect(try await reader.with { $0.peer = "192.0.2.2" }.open().status == 200)
    }
  }

  @Test(arguments: [
    "https://evil.example/", "https://app.example.com.evil.example/", "//app.example.com/",
    "javascript:alert(1)", "https://app.example.com\\@evil.example/",
    "https://user@app.example.com/", "data:text/html,hello",
    // The page's button would send an unused code without encryption.
    "http://app.example.com/", "HTTP://app.example.com:443/",
  ]) func `a link that was edited leads to no other site`(_ target: String) async throws {
    try await withCode { server, reader in
      let done = try await reader.with("continueUrl", target).press([
        ("newPassword", "a new secret")
      ])
      #expect(done.status == 200)
      #expect(!done.text.contains("href="))
      #expect(done.text.contains("a place that isn’t the app’s"))
    }
    try await withCode(.emailSignIn) { server, reader in
      let page = try await reader.with("continueUrl", target).open()
      #expect(page.status == 400)
      #expect(page.heading == "This link opens the app")
      #expect(!page.text.contains("href="))
      #expect(
        try await reader.with("continueUrl", "https://app.example.com/").open().status == 200)
    }
  }

  @Test func `a domain that the project removed is no target any more`() async throws {
    try await withCode { server, reader in
      let target = reader.with("continueUrl", "https://app.example.com/")
      _ = try await server.services.projects.updateProject(try #require(ProjectID("shop"))) {
        $0.authorizedDomains = ["www.example.com"]
      }
      let done = try await target.press([("newPassword", "a new secret")])
      #expect(done.status == 200)
      #expect(!done.text.contains("href="))
    }
  }

  @Test func `a sign-in link without a target is told to be opened with the app`() async throws {
    try await withCode(.emailSignIn) { server, reader in
      let reply = try await reader.open()
      #expect(reply.status == 400)
      #expect(reply.heading == "This link opens the app")
    }
  }

  @Test(arguments: [
    ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)", "com.example.app", true),
    ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)", "com.example.other", false),
    ("Mozilla/5.0 (Windows NT 10.0; Win64; x64)", "com.example.app", false),
  ]) func `a sign-in link opens an app of the project on its device`(
    _ agent: String, _ bundleID: String, _ isOffered: Bool
  ) async throws {
    try await withCode(.emailSignIn) { server, reader in
      var reader = reader.with("ibi", bundleID)
      reader.headers[.userAgent] = agent
      let page = try await reader.open()
      #expect(page.status == (isOffered ? 200 : 400))
      let start =
        "href=\"com.example.app://google/link?deep_link_id=https%3A%2F%2Fauth.example.com%2F__%2Fauth"
        + "%2Faction%3Fmode%3DsignIn%26oobCode%3D"
      #expect(page.text.contains(start) == isOffered)
    }
  }

  @Test(arguments: [
    ("Mozilla/5.0 (Linux; Android 15; Pixel 9)", "shop", true),
    ("Mozilla/5.0 (Linux; Android 15; Pixel 9)", "club", false),
    ("Mozilla/5.0 (Windows NT 10.0; Win64; x64)", "shop", false),
  ]) func `a sign-in link opens an Android app of the project, and of no other project`(
    _ agent: String, _ owner: String, _ isOffered: Bool
  ) async throws {
    try await withCode(.emailSignIn) { server, reader in
      let club = try #require(ProjectID("club"))
      try await server.store.write { transaction in
        try transaction.save(
          Project(
            id: club, number: 78, issuer: "https://auth.example.com/club", authorizedDomains: [],
            policies: ProjectPolicies()))
      }
      try await AndroidApps(ProjectDirectory(store: server.store)).set(
        AndroidApp(
          project: try #require(ProjectID(owner)), packageName: "com.example.app",
          fingerprints: [Array(repeating: "AA", count: 32).joined(separator: ":")],
          createdAt: server.clock.now))
      var reader = reader.with("apn", "com.example.app")
      reader.headers[.userAgent] = agent
      let page = try await reader.open()
      #expect(page.status == (isOffered ? 200 : 400))
      #expect(page.heading == (isOffered ? "Sign in" : "This link opens the app"))
      let start = "href=\"intent://auth.example.com/__/auth/action?mode=signIn&amp;oobCode="
      #expect(page.text.contains(start) == isOffered)
      let end = "#Intent;scheme=https;package=com.example.app;end\""
      #expect(page.text.contains(end) == isOffered)
    }
  }

  @Test func `production offers no reset mail as long as it sends none`() async throws {
    try await withCode { server, reader in
      let reply = try await reader.with("oobCode", nil).press([
        ("step", "resetMail"), ("email", Reader.email),
      ])
      #expect(reply.status == 400)
      #expect(reply.heading == "The app doesn’t offer this")
    }
  }

  /// A production server with a link for ``ActionPageReader/email``.
  private func withCode(
    _ purpose: ActionCode.Purpose = .passwordReset,
    _ body: (TestServer, ActionPageReader) async throws -> Void
  ) async throws {
    try await ProductionLinks.with(purpose, body)
  }
}

/// A production server with the project `shop`, and a link to one of its users.
enum ProductionLinks {
  static func with(
    _ purpose: ActionCode.Purpose, publicURL: String = "https://auth.example.com/",
    domains: [String] = ["app.example.com"],
    _ body: (TestServer, ActionPageReader) async throws -> Void
  ) async throws {
    try await TestServer.withShop(domains: domains, publicURL: publicURL) { server, app in
      let project = try #require(
        try await server.services.projects.updateProject(app.project) {
          $0.policies.allowsEmailLinks = true
        })
      let email = try #require(EmailAddress(ActionPageReader.email))
      _ = try await server.call(
        .accounts("signUp", ["email": .string(email.text), "password": "secret1"]).with {
          $0.key = app.apiKey
        })
      let issued = try await server.services.accounts.requestActionCode(
        purpose == .emailSignIn ? .emailSignIn(email) : .passwordReset(email), handling: .reveal,
        from: .unknown, link: CodeLink { _, code, _ in code }, in: project, now: server.clock.now
      ).issued
      var reader = ActionPageReader(server)
      reader.fields = [
        ("mode", purpose == .emailSignIn ? "signIn" : "resetPassword"),
        ("oobCode", try #require(issued).code.reveal()), ("apiKey", app.apiKey),
      ]
      try await body(server, reader)
    }
  }
}
