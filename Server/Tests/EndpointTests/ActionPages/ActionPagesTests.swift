import Foundation
import GatehouseProtocol
import HTTPTypes
import Testing

/// What a user does on the pages of a link, for each purpose.
@Suite struct ActionPagesTests {
  private typealias Reader = ActionPageReader

  @Test func `a password is reset, once`() async throws {
    try await TestServer.with { server in
      let reader = try await Reader(server, "PASSWORD_RESET")
      let page = try await reader.open()
      #expect(page.status == 200)
      #expect(page.heading == "Choose a new password")
      #expect(page.text.contains("<span class=\"address\">ada<wbr>@example.com</span>"))
      #expect(page.text.contains("<li>at least 6 characters</li>"))
      let done = try await reader.press([("newPassword", "a new secret")])
      #expect(done.status == 200)
      #expect(done.heading == "The password is changed")
      #expect(try await reader.signIn(Reader.email, "a new secret").status == 200)
      #expect(try await reader.signIn().error == "INVALID_PASSWORD")
      let again = try await reader.press([("newPassword", "another secret")])
      #expect(again.status == 400)
      #expect(again.heading == "This link doesn’t work any more")
      #expect(try await reader.signIn(Reader.email, "a new secret").status == 200)
    }
  }

  @Test func `a password manager stores the new password for the address`() async throws {
    try await TestServer.with { server in
      let page = try await Reader(server, "PASSWORD_RESET").open().text
      #expect(
        page.contains("autocomplete=\"username\" value=\"ada@example.com\" readonly hidden>"))
      #expect(page.contains("name=\"newPassword\" autocomplete=\"new-password\" required"))
    }
  }

  @Test func `a password that is too short is refused, and the link still works`() async throws {
    try await TestServer.with { server in
      let reader = try await Reader(server, "PASSWORD_RESET")
      let refused = try await reader.press([("newPassword", "short")])
      #expect(refused.status == 400)
      #expect(refused.heading == "Choose a new password")
      #expect(refused.text.contains("role=\"alert\"><p>This password wasn’t saved. It needs:</p>"))
      #expect(refused.text.contains("aria-describedby=\"problem\" aria-invalid=\"true\""))
      #expect(!refused.text.contains("short"))
      #expect(try await reader.signIn().status == 200)
      #expect(try await reader.press([("newPassword", "longer")]).status == 200)
      #expect(try await reader.signIn(Reader.email, "longer").status == 200)
    }
  }

  @Test func `the page shows the project's password policy, and which rules a password breaks`()
    async throws
  {
    try await TestServer.with { server in
      let reader = try await Reader(server, "PASSWORD_RESET")
      let rules: JSONValue = [
        "passwordPolicyConfig": [
          "passwordPolicyEnforcementState": "ENFORCE",
          "passwordPolicyVersions": [
            [
              "customStrengthOptions": [
                "minPasswordLength": 10, "containsUppercaseCharacter": true,
                "containsNumericCharacter": true, "containsNonAlphanumericCharacter": true,
              ]
            ]
          ],
        ]
      ]
      let changed = try await server.call(.admin(.patch, "v2/projects/demo/config", rules))
      #expect(changed.status == 200)
      let list =
        "<ul id=\"rules\"><li>at least 10 characters</li><li>an upper-case letter (A–Z)</li>"
        + "<li>a digit (0–9)</li><li>a special character such as ! ? # -</li></ul>"
      #expect(try await reader.open().text.contains(list))
      let refused = try await reader.press([("newPassword", "lowercase 1")])
      #expect(refused.text.contains(list))
      #expect(
        refused.text.contains(
          "<ul id=\"missing\"><li>an upper-case letter (A–Z)</li>"
            + "<li>a special character such as ! ? # -</li></ul>"))
      #expect(try await reader.press([("newPassword", "Uppercase 1!")]).status == 200)
    }
  }

  @Test func `an address is verified by the button`() async throws {
    try await TestServer.with { server in
      let reader = try await Reader(server, "VERIFY_EMAIL")
      let page = try await reader.open()
      #expect(page.heading == "Confirm your email address")
      #expect(try await isVerified(server) == false)
      let done = try await reader.press()
      #expect(done.heading == "The address is confirmed")
      #expect(try await isVerified(server) == true)
      #expect(try await reader.press().heading == "This link doesn’t work any more")
    }
  }

  @Test func `an address is changed by the button`() async throws {
    try await TestServer.with { server in
      let reader = try await Reader(
        server, "VERIFY_AND_CHANGE_EMAIL", [("newEmail", "ada@example.org")])
      let page = try await reader.open()
      #expect(page.heading == "Change your email address")
      #expect(page.text.contains("<span class=\"address\">ada<wbr>@example.com</span>"))
      #expect(page.text.contains("<span class=\"address\">ada<wbr>@example.org</span>"))
      let done = try await reader.press()
      #expect(done.heading == "The address is changed")
      #expect(try await reader.signIn("ada@example.org").status == 200)
      #expect(try await reader.signIn().error == "EMAIL_NOT_FOUND")
    }
  }

  @Test func `a recovery restores the address, and offers a new password`() async throws {
    try await TestServer.with { server in
      let reader = try await Reader.afterChange(server)
      #expect(try await reader.open().heading == "Restore your email address")
      let done = try await reader.press()
      #expect(done.heading == "The address is restored")
      let again = try await reader.press()
      #expect(again.text.contains("<p>It has expired or was already used. If your account"))
      #expect(try await reader.signIn().status == 200)
      let form = done.hiddenFields
      #expect(form["step"] == "resetMail")
      #expect(form["oobCode"] == nil)
      let sent = try await reader.with("oobCode", nil).press([
        ("step", "resetMail"), ("email", Reader.email),
      ])
      #expect(sent.heading == "Check your mail")
      let list = try await server.call(.admin(.get, "emulator/v1/projects/demo/oobCodes"))
      let types = (list["oobCodes"]?.array ?? []).map { $0["requestType"]?.string }
      #expect(types.contains("PASSWORD_RESET"))
    }
  }

  @Test(arguments: [true, false])
  func `after a recovery the page speaks of a password only if the project has passwords`(
    allowsPasswords: Bool
  ) async throws {
    try await TestServer.with { server in
      let reader = try await Reader.afterChange(server)
      _ = try await server.services.projects.updateProject(try #require(ProjectID("demo"))) {
        $0.policies.allowsPasswords = allowsPasswords
      }
      let done = try await reader.press()
      #expect(done.heading == "The address is restored")
      #expect(done.text.contains("Someone else may know your password.") == allowsPasswords)
    }
  }

  @Test func `the request for a reset mail doesn't say whether the address has an account`()
    async throws
  {
    try await TestServer.with { server in
      let reader = try await Reader(server, "PASSWORD_RESET").with("oobCode", nil)
      func page(_ email: String) async throws -> String {
        try await reader.press([("step", "resetMail"), ("email", email)]).text
          .replacing(email.replacing("@", with: "<wbr>@"), with: "")
      }
      #expect(try await page(Reader.email) == page("nobody@example.com"))
    }
  }

  @Test func `a sign-in link leads to the app with the code, unused`() async throws {
    try await TestServer.with { server in
      let reader = try await Reader(
        server, "EMAIL_SIGNIN", [("continueUrl", "http://localhost/in?a=1#top")])
      let page = try await reader.open()
      #expect(page.heading == "Sign in")
      #expect(!page.text.contains(Reader.email))
      let code = try #require(reader["oobCode"])
      let target =
        "http://localhost/in?a=1&amp;mode=signIn&amp;oobCode=\(code)&amp;apiKey=any-key&amp;lang=en"
        + "#top"
      #expect(page.text.contains("<a class=\"go\" href=\"\(target)\">Continue</a>"))
      let signedIn = try await server.call(
        .accounts(
          "signInWithEmailLink", ["email": .string(Reader.email), "oobCode": .string(code)]))
      #expect(signedIn.status == 200)
    }
  }

  @Test(arguments: [
    "PASSWORD_RESET", "VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL", "EMAIL_SIGNIN", "RECOVER_EMAIL",
  ]) func `a mail scanner that follows the link changes nothing`(_ type: String) async throws {
    try await TestServer.with { server in
      let reader =
        type == "RECOVER_EMAIL"
        ? try await Reader.afterChange(server)
        : try await Reader(
          server, type,
          [("newEmail", "ada@example.org"), ("continueUrl", "http://localhost/")])
      let before = try await reader.lookup()
      #expect(before.status == 200)
      for method in [HTTPRequest.Method.get, .head, .get, .head] {
        let reply = try await reader.open(method)
        #expect(reply.status == 200)
        #expect(reply.text.isEmpty == (method == .head))
      }
      // Nor does the rest of what a link could name.
      #expect(try await reader.with("newPassword", "chosen by another").open().status == 200)
      #expect(try await reader.lookup().text == before.text)
    }
  }

  @Test(arguments: ["resetPassword", "verifyEmail"])
  func `the last page leads on to the app`(_ mode: String) async throws {
    try await TestServer.with { server in
      let reader = try await Reader(
        server, mode == "resetPassword" ? "PASSWORD_RESET" : "VERIFY_EMAIL",
        [("continueUrl", "http://localhost:3000/done?a=1&b=2#top")])
      let form = try await reader.open().hiddenFields
      #expect(form["continueUrl"] == "http://localhost:3000/done?a=1&amp;b=2#top")
      #expect(form["oobCode"] == reader["oobCode"])
      #expect(form["mode"] == mode)
      let done = try await reader.press([("newPassword", "a new secret")])
      #expect(
        done.text.contains(
          "<a class=\"go\" href=\"http://localhost:3000/done?a=1&amp;b=2#top\">Continue</a>"))
    }
  }

  @Test func `the page names the app, if the project has a name`() async throws {
    try await TestServer.with { server in
      let reader = try await Reader(server, "VERIFY_EMAIL")
      let unnamed = try await reader.open()
      #expect(unnamed.text.contains("<title>Confirm your email address</title>"))
      #expect(!unnamed.text.contains("class=\"app\""))
      _ = try await server.services.projects.updateProject(try #require(ProjectID("demo"))) {
        $0.displayName = "Salt & <b>Pepper</b>"
      }
      let name = "Salt &amp; &lt;b&gt;Pepper&lt;/b&gt;"
      for page in [try await reader.open(), try await reader.with("oobCode", "made-up").open()] {
        #expect(page.text.contains("<p class=\"app\">\(name)</p>"))
        #expect(page.text.contains(" – \(name)</title>"))
      }
    }
  }

  @Test func `in development a link may name its project`() async throws {
    try await TestServer.with { server in
      let made = try await server.call(
        .admin(
          .post, "v1/projects/other/accounts",
          ["email": .string(Reader.email), "password": "secret1"]))
      #expect(made.status == 200)
      let reply = try await server.call(
        .admin(
          .post, "v1/projects/other/accounts:sendOobCode",
          ["requestType": "VERIFY_EMAIL", "email": .string(Reader.email), "returnOobLink": true]))
      let link = try #require(URLComponents(string: reply["oobLink"]?.string ?? ""))
      var reader = Reader(server)
      reader.fields = try #require(link.queryItems).map { ($0.name, $0.value ?? "") }
      #expect(reader["projectId"] == "other")
      let page = try await reader.open()
      #expect(page.hiddenFields["projectId"] == "other")
      let done = try await reader.press()
      #expect(done.heading == "The address is confirmed")
      let here = try await reader.with("projectId", nil).open()
      #expect(here.status == 400)
    }
  }

  struct Words: Sendable, CustomTestStringConvertible {
    let lang: String?
    let browser: String?
    let tag: String
    let heading: String
    var testDescription: String { "\(lang ?? "none"), \(browser ?? "none")" }
  }

  @Test(arguments: [
    Words(lang: "en", browser: "de", tag: "en", heading: "Confirm your email address"),
    Words(lang: "de-AT", browser: "vi", tag: "de", heading: "E-Mail-Adresse bestätigen"),
    Words(lang: "vi", browser: nil, tag: "vi", heading: "Xác nhận địa chỉ email"),
    Words(lang: nil, browser: "fr, vi;q=0.8", tag: "vi", heading: "Xác nhận địa chỉ email"),
    Words(lang: "fr", browser: "de", tag: "de", heading: "E-Mail-Adresse bestätigen"),
    Words(lang: "fr", browser: nil, tag: "en", heading: "Confirm your email address"),
  ]) func `the page has the link's language, or else the browser's`(_ words: Words) async throws {
    try await TestServer.with { server in
      var reader = try await Reader(server, "VERIFY_EMAIL").with("lang", words.lang)
      reader.headers[.acceptLanguage] = words.browser
      let page = try await reader.open()
      #expect(page.heading == words.heading)
      #expect(page.text.contains("<html lang=\"\(words.tag)\">"))
    }
  }

  @Test
  func `a changed address is joined only after the user agrees, if the project asks for that`()
    async throws
  {
    try await TestServer.with { server in
      let token = try FakeProviders.token(
        "oidc.trusted",
        ["sub": "s", "email": .string(Reader.email), "email_verified": true])
      #expect(try await server.call(FakeProviders.signIn("oidc.trusted", token)).status == 200)
      let policy: JSONValue = ["linkConsent": "always"]
      #expect(
        try await server.call(.admin(.patch, "v2/projects/demo/config", policy)).status == 200)
      var reader = Reader(server)
      reader.fields = try await Reader.link(
        server, "VERIFY_AND_CHANGE_EMAIL", [("newEmail", "ada@example.org")])
      let asked = try await reader.press()
      #expect(asked.status == 400)
      #expect(asked.heading == "Do these belong together?")
      #expect(asked.text.contains("<li>oidc.trusted</li>"))
      #expect(asked.text.contains("<li>ada@example.org</li>"))
      #expect(try await reader.lookup().status == 200)
      let joins = try #require(asked.hiddenFields["joins"])
      #expect(try await reader.press([("joins", "phone")]).heading == "Do these belong together?")
      #expect(try await reader.press([("joins", joins)]).heading == "The address is changed")
    }
  }

  private func isVerified(_ server: TestServer) async throws -> Bool? {
    let found = try await server.call(
      .admin(.post, "v1/projects/demo/accounts:lookup", ["email": [.string(Reader.email)]]))
    let isVerified = found["users"]?.array?.first?["emailVerified"]
    return isVerified == true
  }
}
