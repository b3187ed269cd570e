import Foundation
import GatehouseServer
import GatehouseProtocol
import HTTPTypes
import Testing

/// A project's own page for action codes: `notification.sendEmail.callbackUri`.
@Suite struct CallbackURITests {
  private static let mask = "notification.sendEmail.callbackUri"

  private func patch(_ uri: JSONValue) -> TestRequest {
    let body: JSONValue = ["notification": ["sendEmail": ["callbackUri": uri]]]
    return TestRequest.admin(.patch, "v2/projects/demo/config", body).with {
      $0.query = "updateMask=\(Self.mask)"
    }
  }

  private func stored(_ reply: TestReply) -> String? {
    reply["notification"]?["sendEmail"]?["callbackUri"]?.string
  }

  @Test(arguments: [
    ("https://app.example.com/account/action", "?"), ("https://app.example.com/a?b=c", "&"),
  ]) func `links begin with the project's own page`(
    _ uri: String, _ separator: String
  ) async throws {
    try await TestServer.with { server in
      #expect(stored(try await server.call(patch(.string(uri)))) == uri)
      let read = try await server.call(.admin(.get, "v2/projects/demo/config"))
      #expect(stored(read) == uri)
      _ = try await server.call(
        .accounts("signUp", ["email": "ada@example.com", "password": "secret1"]))
      #expect(
        try await link(server)?.hasPrefix("\(uri)\(separator)mode=resetPassword&oobCode=") == true)
      #expect(stored(try await server.call(patch(""))) == "")
      #expect(
        try await link(server)?.hasPrefix("https://auth.example.com/emulator/action?mode=") == true)
    }
  }

  @Test func `a project's language is that of its emails and pages`() async throws {
    try await TestServer.with { server in
      func set(_ tag: String) async throws -> TestReply {
        try await server.call(
          TestRequest.admin(
            .patch, "v2/projects/demo/config", ["notification": ["defaultLocale": .string(tag)]]
          ).with { $0.query = "updateMask=notification.defaultLocale" })
      }
      #expect(try await set("vi")["notification"]?["defaultLocale"]?.string == "vi")
      _ = try await server.call(
        .accounts("signUp", ["email": "ada@example.com", "password": "secret1"]))
      #expect(try await link(server)?.contains("&lang=vi") == true)
      #expect(
        try await set("de_DE").error
          == "INVALID_CONFIG : defaultLocale is a language tag, such as de or pt-BR.")
    }
  }

  @Test(arguments: [
    ("http://localhost:3000/action", true), ("http://127.0.0.1:3000/action", true),
    ("http://app.example.com/action", false), ("https://", false),
    ("https://ada@app.example.com/", false), ("https://app.example.com/#action", false),
    ("https://app.example.com/a b", false), ("javascript:alert(1)", false),
    ("//app.example.com/", false), ("app.example.com", false),
    ("https://app.example.com/" + String(repeating: "a", count: 1000), true),
    ("https://app.example.com/" + String(repeating: "a", count: 1001), false),
  ]) func `the page has an https URL, or is on this machine`(
    _ uri: String, _ isGood: Bool
  ) async throws {
    try await TestServer.with { server in
      let reply = try await server.call(patch(.string(uri)))
      #expect(reply.status == (isGood ? 200 : 400))
      #expect(
        reply.error
          == (isGood
            ? nil
            : "INVALID_CONFIG : callbackUri is an https URL of at most 1024 bytes, without user "
              + "information and fragment."))
      var policies = ProjectPolicies()
      policies.callbackURI = uri
      #expect((policies.fault == nil) == isGood)
    }
  }

  @Test func `production accepts no page on this machine`() async throws {
    try await TestServer.withShop(domains: ["app.example.com"]) { server, app in
      let (key, _) = try await server.services.adminKeys.create(
        for: app.project, expiresAt: nil, now: server.clock.now)
      func status(_ uri: JSONValue) async throws -> Int {
        try await server.call(
          patch(uri).with {
            $0.path = "/v2/projects/shop/config"
            $0.bearer = key.reveal()
          }
        ).status
      }
      #expect(try await status("https://app.example.com/action") == 200)
      #expect(try await status("http://localhost:3000/action") == 400)
    }
  }

  @Test(
    arguments: [
      ("https://app.example.com/action", nil, "https://app.example.com/action?"),
      (
        "https://app.example.com/action", "app.example.com",
        "https://app.example.com/__/auth/action?"
      ),
      ("http://localhost:3000/action", nil, "https://auth.example.com/__/auth/action?"),
      ("", nil, "https://auth.example.com/__/auth/action?"),
    ] as [(String, String?, String)])
  func `production's links are https, and at the domain that a request names`(
    _ uri: String, _ domain: String?, _ start: String
  ) async throws {
    try await TestServer.withShop(domains: ["app.example.com"]) { server, app in
      let (key, _) = try await server.services.adminKeys.create(
        for: app.project, expiresAt: nil, now: server.clock.now)
      _ = try await server.services.projects.updateProject(app.project) {
        $0.policies.callbackURI = uri
      }
      _ = try await server.call(
        .accounts("signUp", ["email": "ada@example.com", "password": "secret1"]).with {
          $0.key = app.apiKey
        })
      var body: JSONObject = [
        "requestType": "PASSWORD_RESET", "email": "ada@example.com", "returnOobLink": true,
      ]
      if let domain { body["linkDomain"] = .string(domain) }
      let reply = try await server.call(
        TestRequest.admin(.post, "v1/projects/shop/accounts:sendOobCode", .object(body)).with {
          $0.bearer = key.reveal()
        })
      #expect(reply["oobLink"]?.string?.hasPrefix(start + "mode=resetPassword&") == true)
    }
  }

  @Test func `other settings of mails are refused still`() async throws {
    try await TestServer.with { server in
      let body: JSONValue = [
        "notification": ["sendEmail": ["callbackUri": "", "method": "CUSTOM_SMTP"]]
      ]
      let reply = try await server.call(.admin(.patch, "v2/projects/demo/config", body))
      #expect(reply.error == "INVALID_CONFIG : This server doesn't offer notification.")
    }
  }

  private func link(_ server: TestServer) async throws -> String? {
    let reply = try await server.call(
      .admin(
        .post, "v1/projects/demo/accounts:sendOobCode",
        ["requestType": "PASSWORD_RESET", "email": "ada@example.com", "returnOobLink": true]))
    return reply["oobLink"]?.string
  }
}
