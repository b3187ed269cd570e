import Foundation
import Testing

/// Emails of the real server to another developer's mail server.
@Suite struct MailTests {
  @Test func `a reset's email arrives in the user's language, and its code resets the password`()
    async throws
  {
    try await MailScene.with { mail, app, _ in
      try await app.signUp("ann@example.com")
      let asked = try await app.ask("PASSWORD_RESET", "ann@example.com", language: "de")
      #expect(asked.verdict == "200")
      let message = try #require(try await mail.messages(1).first)
      #expect(message["sender"] == "noreply@example.com")
      #expect(message["from"] == "my-app <noreply@example.com>")
      #expect(message["recipients"] == ["ann@example.com"])
      #expect(message["hello"] == "auth.example.com")
      #expect(message["language"] == "de")
      let code = try #require(Self.code(in: message))
      let reset = try await app.client.call(
        "resetPassword", ["oobCode": .string(code), "newPassword": "another password"])
      #expect(reset.verdict == "200")
      #expect(try await app.client.signIn("ann@example.com", "another password").verdict == "200")
      let notice = try #require(try await mail.messages(2).last)
      #expect(notice["subject"] == "Your password for my-app was changed")
      #expect(notice["text"].string?.contains("oobCode") == false)
    }
  }

  @Test func `an unknown address gets the same response, and no email`() async throws {
    try await MailScene.with { mail, app, _ in
      try await app.signUp("ann@example.com")
      let unknown = try await app.ask("PASSWORD_RESET", "nobody@example.com")
      let known = try await app.ask("PASSWORD_RESET", "ann@example.com")
      #expect(known.verdict == "200")
      #expect(unknown.verdict == known.verdict)
      #expect(
        unknown.text.replacing("nobody@example.com", with: "ann@example.com") == known.text)
      // Ann's email was requested after the other, so it would arrive after the other.
      let messages = try await mail.messages(1)
      #expect(messages.map { $0["recipients"][0] } == ["ann@example.com"])
    }
  }

  @Test func `while no mail can be sent emails wait, and after a sudden end each arrives once`()
    async throws
  {
    try await MailScene.with { mail, app, scene in
      let addresses = (1...5).map { "user\($0)@example.com" }
      for address in addresses { try await app.signUp(address) }
      try await mail.reply("451 4.3.0 try again later")
      for address in addresses {
        #expect(try await app.ask("PASSWORD_RESET", address).verdict == "200")
      }
      #expect(
        try await Deadline.wait {
          try await scene.command("mail", "queue").output.contains("451 4.3.0 try again later")
        })
      app.process.kill()
      try await mail.reply(nil)
      let restarted = try await scene.start()
      defer { restarted.process.kill() }
      // An email that was being sent is leased to the killed server for four minutes, and one that was
      // refused several times may wait long for its next attempt.
      let messages = try await mail.messages(5, within: 900)
      #expect(messages.compactMap { $0["recipients"][0].string }.sorted() == addresses)
      #expect(
        try await Deadline.wait {
          try await scene.command("mail", "queue").output.contains("No email waits.")
        })
      #expect(try await mail.messages(5).count == 5)
      try await restarted.stop()
    }
  }

  @Test func `an email that is refused for good is kept, and holds up no other`() async throws {
    try await MailScene.with { mail, app, scene in
      try await app.signUp("ann@example.com")
      try await mail.reply("550 5.1.1 no such user")
      _ = try await app.ask("PASSWORD_RESET", "ann@example.com")
      #expect(
        try await Deadline.wait {
          try await scene.command("mail", "queue", "--failed").output.contains(
            "550 5.1.1 no such user")
        })
      try await mail.reply(nil)
      _ = try await app.ask("PASSWORD_RESET", "ann@example.com")
      #expect(try await mail.messages(1).count == 1)
      // The log contains no address and no link.
      #expect(!app.process.errors.contains("ann@example.com"))
      #expect(!app.process.errors.contains("oobCode"))
    }
  }

  @Test func `the command sends a test email, and says what the server answers`() async throws {
    try await MailScene.with { mail, _, scene in
      let sent = try await scene.mailCommand("test", "--to", "ops@example.com")
      #expect(sent.status == 0, "\(sent.errors)")
      #expect(sent.output.contains(" took it: "))
      #expect(try await mail.messages(1).first?["recipients"] == ["ops@example.com"])
      try await mail.reply("550 5.7.1 not from you")
      let refused = try await scene.mailCommand("test", "--to", "ops@example.com")
      #expect(refused.status != 0)
      #expect(refused.output.contains("answered: 550 5.7.1 not from you"))
    }
  }

  @Test func `a project's own text is checked, and used from the next email on`() async throws {
    try await MailScene.with { mail, app, scene in
      try await app.signUp("ann@example.com")
      let folder = scene.production.folder
      let text = try folder.write("text", "Hi %EMAIL%,\n%LINK%\n")
      let set = ["mail", "templates", "set", "resetPassword", "--language", "en", "--subject"]
      let unlinked = try folder.write("unlinked", "Hi\n")
      let refused = try await scene.production.command(set + ["New", "--text-file", unlinked])
      #expect(refused.status != 0)
      #expect(refused.errors.contains("text, line 1: the link is missing"))
      let taken = try await scene.production.command(
        set + ["Your %APP_NAME%", "--text-file", text])
      #expect(taken.status == 0, "\(taken.errors)")
      _ = try await app.ask("PASSWORD_RESET", "ann@example.com")
      let message = try #require(try await mail.messages(1).first)
      #expect(message["subject"] == "Your my-app")
      #expect(message["html"].isNull)
      #expect(message["text"].string?.hasPrefix("Hi ann@example.com,\nhttps://auth.ex") == true)
      let listed = try await scene.command("mail", "templates", "list")
      #expect(listed.output.contains("resetPassword"))
      let removed = try await scene.command(
        "mail", "templates", "remove", "resetPassword", "--language", "en", "--yes")
      #expect(removed.status == 0, "\(removed.errors)")
      _ = try await app.ask("PASSWORD_RESET", "ann@example.com")
      #expect(try await mail.messages(2).last?["subject"] == "Reset your password for my-app")
    }
  }

  @Test func `a former address gets an email with which it is recovered`() async throws {
    try await MailScene.with { mail, app, _ in
      try await app.signUp("ann@example.com")
      let signedIn = try await app.client.signIn("ann@example.com", MailApp.password)
      let idToken = try #require(signedIn.json["idToken"].string)
      _ = try await app.client.call(
        "sendOobCode", ["requestType": "VERIFY_EMAIL", "idToken": .string(idToken)])
      let verify = try #require(try await mail.messages(1).last)
      let code = try #require(Self.code(in: verify))
      #expect(try await app.client.call("update", ["oobCode": .string(code)]).verdict == "200")
      _ = try await app.client.call(
        "sendOobCode",
        [
          "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": .string(idToken),
          "newEmail": "new@example.com",
        ])
      let change = try #require(try await mail.messages(2).last)
      #expect(change["recipients"] == ["new@example.com"])
      let changeCode = try #require(Self.code(in: change))
      #expect(
        try await app.client.call("update", ["oobCode": .string(changeCode)]).verdict == "200")
      let recovery = try #require(try await mail.messages(3).last)
      #expect(recovery["recipients"] == ["ann@example.com"])
      let recoveryCode = try #require(Self.code(in: recovery))
      let recovered = try await app.client.call("update", ["oobCode": .string(recoveryCode)])
      #expect(recovered.json["email"] == "ann@example.com")
    }
  }

  /// The code of the link in an email's text; the HTML has the same link.
  private static func code(in message: JSON) -> String? {
    guard let text = message["text"].string,
      let code = text.split(separator: "oobCode=").dropFirst().first?.split(separator: "&").first,
      message["html"].string?.contains("oobCode=\(code)&amp;") == true
    else { return nil }
    return String(code)
  }
}
