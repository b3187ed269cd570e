import GatehouseProtocol
import Testing

@testable import GatehouseServer

/// The page that an app opens with `sessionInfo`: the user types the six digits of the email.
@Suite struct ActionPageDigitsTests {
  private typealias Reader = ActionPageReader

  /// A page that asks for digits, and the digits of its email.
  private struct Asked {
    var reader: ActionPageReader
    let digits: String
    /// Six other digits.
    var wrong: String { digits == "111111" ? "222222" : "111111" }

    init(_ server: TestServer, _ type: String, _ more: [(String, JSONValue)] = []) async throws {
      reader = try await ActionPageReader(server, type, more)
      var body: JSONObject = [
        "requestType": .string(type), "email": .string(ActionPageReader.email),
        "returnOobLink": true, "withVerificationCode": true,
      ]
      for (name, value) in more { body[name] = value }
      let sent = try await server.call(
        .admin(.post, "v1/projects/demo/accounts:sendOobCode", .object(body)))
      digits = try #require(sent["verificationCode"]?.string)
      reader = reader.with("oobCode", nil).with("sessionInfo", sent["sessionInfo"]?.string)
    }

    func type(_ digits: String) async throws -> TestReply {
      try await reader.press([("digits", digits)])
    }
  }

  @Test func `the digits lead to the page for a new password`() async throws {
    try await TestServer.with { server in
      let asked = try await Asked(server, "PASSWORD_RESET")
      let page = try await asked.reader.open()
      #expect(page.status == 200)
      #expect(page.heading == "Type the code")
      // Who has only the session doesn't learn whose it is.
      #expect(!page.text.contains("example.com"))
      let next = try await asked.type(" \(asked.digits.prefix(3)) \(asked.digits.suffix(3))")
      #expect(next.status == 200)
      #expect(next.heading == "Choose a new password")
      #expect(next.text.contains("ada<wbr>@example.com"))
      let code = try #require(next.hiddenFields["oobCode"])
      #expect(next.hiddenFields["sessionInfo"] == nil)
      let done = try await asked.reader.with("sessionInfo", nil).with("oobCode", code)
        .press([("newPassword", "a new secret")])
      #expect(done.heading == "The password is changed")
      #expect(try await asked.reader.signIn(Reader.email, "a new secret").status == 200)
    }
  }

  @Test(arguments: ["VERIFY_EMAIL": "Confirm your email address", "EMAIL_SIGNIN": "Sign in"])
  func `they lead where the link leads`(_ type: String, _ heading: String) async throws {
    try await TestServer.with { server in
      let asked = try await Asked(server, type, [("continueUrl", "http://localhost/app")])
      let next = try await asked.type(asked.digits)
      #expect(next.heading == heading)
      if type == "EMAIL_SIGNIN" {
        let id = try #require(asked.reader["sessionInfo"])
        #expect(next.text.contains("oobCode=\(id).\(asked.digits)&amp;"))
      }
    }
  }

  @Test func `after wrong digits the page asks again, five times`() async throws {
    try await TestServer.with { server in
      let asked = try await Asked(server, "VERIFY_EMAIL")
      for _ in 1...5 {
        let again = try await asked.type(asked.wrong)
        #expect(again.status == 400)
        #expect(again.heading == "Type the code")
        #expect(again.text.contains("id=\"problem\" role=\"alert\">These aren’t the digits"))
        #expect(again.text.contains("aria-invalid=\"true\" aria-describedby=\"problem\""))
        #expect(!again.text.contains(asked.wrong))
      }
      #expect(try await asked.type(asked.digits).status == 400)
    }
  }

  @Test(arguments: ["", "12345", "123 45a", "1234567"])
  func `other than six digits is no attempt`(_ typed: String) async throws {
    try await TestServer.with { server in
      let asked = try await Asked(server, "VERIFY_EMAIL")
      for _ in 1...6 { #expect(try await asked.type(typed).status == 400) }
      #expect(try await asked.type(asked.digits).status == 200)
    }
  }

  @Test func `digits of an email for another purpose lead nowhere`() async throws {
    try await TestServer.with { server in
      var asked = try await Asked(server, "VERIFY_EMAIL")
      asked.reader = asked.reader.with("mode", "resetPassword")
      let reply = try await asked.type(asked.digits)
      #expect(reply.status == 400)
      #expect(reply.heading == "This link doesn’t work any more")
    }
  }

  @Test func `another site can't post the digits`() async throws {
    try await TestServer.with { server in
      let asked = try await Asked(server, "VERIFY_EMAIL")
      let other = asked.reader.with { $0.headers[.fetchSite] = "cross-site" }
      #expect(try await other.press([("digits", asked.digits)]).status == 403)
    }
  }

  @Test func `a code and a session together are refused`() async throws {
    try await TestServer.with { server in
      let asked = try await Asked(server, "VERIFY_EMAIL")
      let both = try await asked.reader.with("oobCode", "any").open()
      #expect(both.status == 400)
      #expect(both.heading == "This link doesn’t work")
    }
  }

  @Test(arguments: PageLanguage.allCases)
  func `the page is translated`(_ language: PageLanguage) {
    let texts = ActionPageTexts.texts(in: language).digits
    let all = [texts.asked.title, texts.asked.body, texts.field, texts.button, texts.wrong]
    #expect(all.allSatisfy { !$0.isEmpty })
    guard language != .english else { return }
    let english = ActionPageTexts.texts(in: .english).digits
    #expect(texts.asked.title != english.asked.title && texts.wrong != english.wrong)
  }
}
