import Foundation
import Testing

/// Emails of the real server to an operator's program, which checks them with the Standard Webhooks
/// library.
@Suite struct MailWebhookTests {
  private static let secret =
    "whsec_"
    + Data("0123456789abcdef0123456789abcdef".utf8)
    .base64EncodedString()
  private static let other =
    "whsec_"
    + Data("fedcba9876543210fedcba9876543210".utf8)
    .base64EncodedString()

  @Test func `a signed email has all that a program needs to send it, and its digits work`()
    async throws
  {
    try await withWebhook { webhook, app, _ in
      try await app.signUp("ann@example.com")
      let asked = try await app.client.call(
        "sendOobCode",
        [
          "requestType": "PASSWORD_RESET", "email": "ann@example.com",
          "withVerificationCode": true,
        ], headers: [("x-firebase-locale", "de")])
      let email = try #require(try await webhook.emails(1).first)
      #expect(email["type"] == "email.send")
      #expect(email["id"].string?.hasPrefix("email_") == true)
      let data = email["data"]
      #expect(data["project"] == "my-app")
      #expect(data["purpose"] == "resetPassword")
      #expect(data["to"] == "ann@example.com")
      #expect(data["email"] == "ann@example.com")
      #expect(data["language"] == "de")
      #expect(data["message"]["from"] == ["address": "noreply@example.com", "name": "my-app"])
      #expect(data["message"]["subject"] == "Setze dein Passwort für my-app zurück")
      let link = try #require(data["link"].string)
      #expect(link.hasPrefix("https://auth.example.com/__/auth/action?mode=resetPassword&oobCode="))
      let digits = try #require(data["code"].string)
      for part in ["text", "html"] {
        #expect(data["message"][part].string?.contains(digits) == true)
      }
      let session = try #require(asked.json["sessionInfo"].string)
      let reset = try await app.client.call(
        "resetPassword",
        ["oobCode": .string("\(session).\(digits)"), "newPassword": "another password"])
      #expect(reset.verdict == "200")
      let notice = try #require(try await webhook.emails(2).last)
      #expect(notice["data"]["purpose"] == "passwordChanged")
      #expect(notice["data"]["link"].isNull)
    }
  }

  @Test(
    arguments: [
      ["status": 503], ["status": 500], ["status": 429, "headers": ["retry-after": "1"]],
      // An email isn't lost after a wrong secret, a wrong URL or a redirect. Redirects aren't
      // followed.
      ["status": 401], ["status": 404],
      ["status": 307, "headers": ["location": "http://127.0.0.1:9/"]],
    ] as [JSON])
  func `a program that doesn't take an email gets it again, with the same id`(
    _ answer: JSON
  ) async throws {
    try await withWebhook { webhook, app, scene in
      try await app.signUp("ann@example.com")
      try await webhook.answer(answer)
      _ = try await app.ask("PASSWORD_RESET", "ann@example.com")
      let status = Int(answer["status"].number ?? 0)
      #expect(
        try await Deadline.wait {
          try await scene.command("mail", "queue").output.contains(
            "the webhook answered with status \(status)")
        })
      try await webhook.answer([:])
      let taken = try await webhook.emails(1)
      #expect(taken.count == 1)
      let ids = try await webhook.state()["ids"].array.compactMap(\.string)
      #expect(ids.count >= 2)
      #expect(Set(ids).count == 1)
    }
  }

  @Test func `an email that is refused for good is kept, and holds up no other`() async throws {
    try await withWebhook { webhook, app, scene in
      try await app.signUp("ann@example.com")
      try await webhook.answer(["status": 422])
      _ = try await app.ask("PASSWORD_RESET", "ann@example.com")
      #expect(
        try await Deadline.wait {
          try await scene.command("mail", "queue", "--failed").output.contains(
            "the webhook answered with status 422")
        })
      try await webhook.answer([:])
      _ = try await app.ask("PASSWORD_RESET", "ann@example.com")
      #expect(try await webhook.emails(1).count == 1)
    }
  }

  @Test func `after a sudden end while a program hangs, the email arrives`() async throws {
    try await withWebhook { webhook, app, scene in
      try await app.signUp("ann@example.com")
      try await webhook.answer(["hang": true])
      _ = try await app.ask("PASSWORD_RESET", "ann@example.com")
      #expect(
        try await Deadline.wait { try await !webhook.state()["ids"].array.isEmpty })
      app.process.kill()
      try await webhook.answer([:])
      let restarted = try await scene.start()
      defer { restarted.process.kill() }
      #expect(try await webhook.emails(1, seconds: 180).count == 1)
      #expect(try await Set(webhook.state()["ids"].array.compactMap(\.string)).count == 1)
      try await restarted.stop()
    }
  }

  @Test func `a program with another secret refuses, with one of two it accepts`() async throws {
    try await withWebhook { webhook, _, scene in
      let refused = try await scene.mailTest(secret: Self.other)
      #expect(refused.status != 0)
      #expect(refused.output.contains("Correct the settings mail.…"))
      #expect(try await webhook.state()["refused"].array.count == 1)
      let accepted = try await scene.mailTest(secret: "\(Self.other) \(Self.secret)")
      #expect(accepted.status == 0, "\(accepted.errors)")
      let email = try #require(try await webhook.emails(1).first)
      #expect(email["type"] == "email.test")
      #expect(email["data"]["to"] == "ops@example.com")
    }
  }

  @Test func `the example receiver passes emails to four vendors`() async throws {
    try await Python.run("email_vendors.py")
  }

  @Test(
    arguments: [
      (
        ["GATEHOUSE_MAIL_SERVER": "smtps://smtp.example.com"],
        "both mail.server and mail.webhook are given; give only one"
      ),
      (["GATEHOUSE_MAIL_WEBHOOK_SECRET": ""], "mail.webhook is given without mail.webhookSecret"),
      (["GATEHOUSE_MAIL_WEBHOOK_SECRET": "whsec_c2hvcnQ="], "a secret is whsec_ and the base64"),
      (["GATEHOUSE_MAIL_WEBHOOK": "http://mail.example.com/"], "must be https"),
      (["GATEHOUSE_MAIL_USER": "ann"], "mail.user is given without mail.server"),
      (["GATEHOUSE_MAIL_WEBHOOK": ""], "mail.webhookSecret is given without mail.webhook"),
    ] as [([String: String], String)])
  func `settings that don't fit together are refused`(
    _ change: [String: String], _ fault: String
  ) async throws {
    try await TemporaryFolder.with { folder in
      let environment = MailWebhookScene.environment(
        url: "https://mail.example.com/hook", secret: Self.secret
      ).merging(change) { $1 }.filter { !$0.value.isEmpty }
      let refused = try await Command.run(
        ["mail", "test", "--to", "ops@example.com"], environment: environment, in: folder)
      #expect(refused.status != 0)
      #expect(refused.errors.contains(fault), "\(refused.errors)")
    }
  }

  private func withWebhook(
    _ body: (Webhook, MailApp, MailWebhookScene) async throws -> Void
  ) async throws {
    try await Python.serve("mail_webhook.py", [Self.secret]) { ready in
      try await TemporaryFolder.with { folder in
        let production = try await Production.make(in: folder)
        let configured = try await production.command(
          "projects", "set", production.project, "allowsPasswords=true")
        #expect(configured.status == 0, "\(configured.errors)")
        let url = try #require(ready["url"].string)
        let scene = MailWebhookScene(production: production, url: url, secret: Self.secret)
        let server = try await scene.start()
        defer { server.process.kill() }
        try await body(
          Webhook(url: url),
          MailApp(
            client: AppClient(baseURL: server.baseURL, apiKey: production.apiKey),
            process: server.process), scene)
      }
    }
  }
}

private struct Webhook {
  let url: String

  func state() async throws -> JSON { try await HTTP.get(url).json }

  /// Waits until there are at least `count` emails. Returns all of them, oldest first.
  func emails(_ count: Int, seconds: Double = 90) async throws -> [JSON] {
    let arrived = try await Deadline.wait(seconds: seconds) {
      try await state()["emails"].array.count >= count
    }
    #expect(arrived, "fewer than \(count) emails arrived")
    return try await state()["emails"].array
  }

  func answer(_ answer: JSON) async throws {
    #expect(try await HTTP.send(.put, url, body: answer.text).status == 200)
  }
}

private struct MailWebhookScene {
  let production: Production
  let url: String
  let secret: String

  static func environment(url: String, secret: String) -> [String: String] {
    [
      "GATEHOUSE_MAIL_WEBHOOK": url, "GATEHOUSE_MAIL_WEBHOOK_SECRET": secret,
      "GATEHOUSE_MAIL_FROM": "noreply@example.com",
      "GATEHOUSE_PUBLIC_URL": Production.publicURL,
    ]
  }

  func start() async throws -> GatehouseServer {
    var environment = Self.environment(url: url, secret: secret)
    environment["GATEHOUSE_MASTER_KEY"] = production.masterKey
    // So a killed server's lease of an email lasts no longer than a minute.
    environment["GATEHOUSE_OUTBOUND_SECONDS"] = "5"
    return try await GatehouseServer.start(
      GatehouseServer.Options(isDevelopment: false, environment: environment),
      in: production.folder)
  }

  func command(_ arguments: String...) async throws -> Command {
    try await production.command(arguments)
  }

  func mailTest(secret: String) async throws -> Command {
    try await Command.run(
      ["mail", "test", "--to", "ops@example.com"],
      environment: Self.environment(url: url, secret: secret), in: production.folder)
  }
}
