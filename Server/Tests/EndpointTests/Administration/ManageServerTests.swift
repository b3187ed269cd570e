import Foundation
import GatehouseProtocol
import GatehouseServer
import HTTPTypes
import Testing

/// The server itself, and the tests of the operator's own programs.
@Suite struct ManageServerTests {
  private func call(
    _ server: TestServer, _ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil
  ) async throws -> TestReply {
    try await server.call(.admin(method, "v2/\(path)", body))
  }

  @Test func `a server tells its version, its settings, and what it finds`() async throws {
    try await TestServer.with { server in
      let version = try await call(server, .get, "server/version")
      #expect(
        version.json
          == [
            "version": "1.2.3", "mode": "development", "publicUrl": "https://auth.example.com",
          ])
      let settings = try await call(server, .get, "server/settings")
      #expect(
        settings.json
          == [
            "settings": [
              [
                "key": "log.level", "value": "info", "from": "default", "default": "info",
                "form": "trace…critical", "meaning": "the lowest level that is logged",
              ]
            ]
          ])
      let found = try await call(server, .post, "server/doctor", [:])
      #expect(found["healthy"] == true)
      #expect(found["findings"]?.array?.first?["check"] == "settings")
    }
  }

  @Test func `a test email is sent to the address in the request`() async throws {
    try await TestServer.with { server in
      let mail = "server/mail:test"
      let found = try await call(
        server, .post, mail, ["to": "ops@example.com", "checkDomain": false])
      #expect(found["healthy"] == false)
      #expect(
        found["findings"]?.array?.first
          == [
            "check": "test email", "verdict": "failed", "detail": "ops@example.com",
            "remedy": "Wait.",
          ])
      #expect(
        try await call(server, .post, mail, ["to": "ops"]).error == "to is not an email address.")
      let selectors = JSONValue.array((0...10).map { .string("s\($0)") })
      #expect(
        try await call(server, .post, mail, ["dkimSelectors": selectors]).error
          == "dkimSelectors holds at most 10 names.")
    }
  }

  @Test func `signing keys are listed without their private part, and rotated`() async throws {
    try await TestServer.with { server in
      let keys = "server/signingKeys"
      let before = try await call(server, .get, keys)
      #expect(before.text.contains("\"use\":\"sessionCookies\""))
      #expect(!before.text.lowercased().contains("private"))
      let active = { (reply: TestReply) in
        reply["keys"]?.array?.filter { $0["state"] == "active" && $0["use"] == "idTokens" }
          .compactMap { $0["keyId"]?.string } ?? []
      }
      let soon = try await call(server, .post, "\(keys):rotate", [:])
      #expect(active(soon) == active(before))
      #expect(soon["keys"]?.array?.contains { $0["state"] == "next" } == true)
      let now = try await call(server, .post, "\(keys):rotate", ["use": "idTokens", "now": true])
      #expect(Set(active(now)).isDisjoint(with: active(before)))
      #expect(
        try await call(server, .post, "\(keys):rotate", ["use": "all"]).error
          == "use is idTokens or sessionCookies.")
    }
  }

  @Test func `the webhook for codes is set, tested, changed and removed`() async throws {
    try await TestServer.with { server in
      let webhook = "projects/demo/codeWebhook"
      let missing = "The project has no webhook for codes."
      #expect(try await call(server, .get, webhook).json == [:])
      #expect(try await call(server, .post, "\(webhook):test", [:]).error == missing)
      #expect(
        try await call(server, .patch, webhook, [:]).error == "INVALID_CONFIG : url is missing.")
      let made = try await call(server, .patch, webhook, ["url": "https://sms.example.com/ok"])
      #expect(made["secret"]?.string?.hasPrefix("whsec_") == true)
      #expect(
        try await call(server, .get, webhook).json == ["url": "https://sms.example.com/ok"])
      #expect(try await call(server, .post, "\(webhook):test", [:])["healthy"] == true)
      let moved = try await call(server, .patch, webhook, ["url": "https://sms.example.com/no"])
      #expect(moved.json == ["url": "https://sms.example.com/no"])
      let broken = try await call(server, .post, "\(webhook):test", [:])
      #expect(
        broken["findings"]?.array?.first?["detail"] == "the webhook responded with status 500")
      #expect(
        try await call(server, .patch, webhook, ["secret": "whsec_short"]).error
          == "INVALID_CONFIG : secret is whsec_ and the base64 of 24 to 64 bytes.")
      #expect(try await call(server, .delete, webhook).status == 200)
      #expect(try await call(server, .delete, webhook).error == missing)
    }
  }

  @Test(arguments: [
    ("http://sms.example.com/", "url is an https URL, because requests to it are about users."),
    (
      "https://127.0.0.1/",
      "url can't be on the server's own machine. The operator can set such an address on the command line."
    ),
  ]) func `a webhook is refused that others could read, or that is on the server's machine`(
    _ url: String, _ refusal: String
  ) async throws {
    try await TestServer.with(.production) { server in
      _ = try await server.makeProject()
      let (key, _) = try await server.services.adminKeys.create(
        for: server.demo, role: .administrator, expiresAt: nil, now: TestServer.start)
      let request = TestRequest.admin(.patch, "v2/projects/demo/codeWebhook", ["url": .string(url)])
      let reply = try await server.call(request.with { $0.bearer = key.reveal() })
      #expect(reply.error == "INVALID_CONFIG : \(refusal)")
      // The operator may: the command calls the same handlers in its own process.
      var configuration = server.configuration
      configuration.isForOperator = true
      let local = try LocalAdministration(server.services, configuration)
      let (status, _) = await local.respond(
        to: "PATCH", "/v2/projects/demo/codeWebhook",
        body: (["url": .string(url)] as JSONObject).serialized())
      #expect(status == (url.hasPrefix("https://127") ? 200 : 400))
    }
  }

  @Test func `a blocking function is tested, and gets a second secret`() async throws {
    try await TestServer.with { server in
      let function = "projects/demo/blockingFunctions/beforeSignIn"
      let missing =
        "The project has no function of this trigger: beforeCreate or beforeSignIn."
      #expect(try await call(server, .post, "\(function):test", [:]).error == missing)
      let set = try await call(
        server, .patch, "projects/demo/config?updateMask=blockingFunctions.triggers",
        [
          "blockingFunctions": [
            "triggers": ["beforeSignIn": ["functionUri": "https://f.example.com/ok"]]
          ]
        ])
      let first = set["blockingFunctions"]?["triggers"]?["beforeSignIn"]?["secret"]
      #expect(first?.string?.hasPrefix("whsec_") == true)
      let found = try await call(server, .post, "\(function):test", [:])
      #expect(
        found["findings"]?.array?.first?["detail"] == "https://f.example.com/ok allows the user")
      let rotated = try await call(server, .post, "\(function):rotateSecret", [:])
      #expect(rotated["secret"]?.string?.hasPrefix("whsec_") == true)
      #expect(rotated["secret"] != first)
      #expect(
        try await call(server, .post, "projects/demo/blockingFunctions/beforeDelete:test", [:])
          .error == missing)
    }
  }
}
