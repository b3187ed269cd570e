import GatehouseProtocol
import HTTPTypes
import Testing

@testable import GatehouseServer

/// What the pages' HTML contains, and what browsers are told about them.
@Suite struct ActionPageHTMLTests {
  private static let hostile = [
    "\"><img src=x onerror=alert(1)>", "'><svg/onload=alert(1)>",
    "</title><script>alert(1)</script>",
    "{email}{newEmail}", "\"\u{301}><b>", "&#60;img&#62;",
  ]

  @Test(
    arguments: hostile,
    ["mode", "oobCode", "apiKey", "continueUrl", "lang", "ibi", "email", "sessionInfo", "digits"])
  func `nothing of the link becomes HTML`(_ text: String, _ name: String) async throws {
    try await TestServer.with { server in
      for type in ["PASSWORD_RESET", "VERIFY_EMAIL", "EMAIL_SIGNIN"] {
        let reader = try await ActionPageReader(
          server, type, [("continueUrl", "http://localhost/")]
        ).with(name, text)
        for reply in [
          try await reader.open(), try await reader.press([("newPassword", text)]),
          try await reader.press([("step", "resetMail")]),
        ] {
          for tag in ["<img", "<svg", "<script", "<b>", "&#60;img", "onerror=alert(1)>"] {
            #expect(!reply.text.contains(tag))
          }
          #expect(reply.text.components(separatedBy: "<h1>").count == 2)
        }
      }
    }
  }

  @Test func `a value that looks like a placeholder isn't replaced`() {
    let html = TextTemplate("From {email} to {newEmail}.").html([
      "email": "{newEmail}", "newEmail": "<b>",
    ])
    #expect(
      html.text
        == "From <span class=\"address\">{newEmail}<wbr></span> to "
        + "<span class=\"address\">&lt;b&gt;<wbr></span>."
    )
  }

  @Test func `the headers keep the page's address and content to itself`() async throws {
    try await TestServer.with { server in
      let reader = try await ActionPageReader(server, "PASSWORD_RESET")
      for reply in [
        try await reader.open(), try await reader.with("oobCode", "made-up").open(),
        try await reader.press([("newPassword", "a new secret")]),
      ] {
        let policy = reply.headers[.contentSecurityPolicy] ?? ""
        #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
        #expect(policy.hasSuffix("base-uri 'none'; form-action 'self'; frame-ancestors 'none'"))
        #expect(reply.headers[.cacheControl] == "no-store")
        #expect(reply.headers[.referrerPolicy] == "same-origin")
        #expect(reply.headers[.testFrameOptions] == "DENY")
        #expect(reply.headers[.robotsTag] == "noindex")
        #expect(reply.headers[.contentType] == "text/html; charset=utf-8")
        #expect(reply.headers[.accessControlAllowOrigin] == nil)
        #expect(!reply.text.contains("<script"))
      }
    }
  }

  @Test(arguments: PageLanguage.allCases)
  func `every text exists, with the addresses it is about`(_ language: PageLanguage) {
    let texts = ActionPageTexts.texts(in: language)
    for fault in ActionPageFault.allCases { #expect(!texts.faults[fault].title.isEmpty) }
    #expect(texts.passwordReset.asked.body.contains("{email}"))
    #expect(texts.emailVerification.asked.body.contains("{email}"))
    #expect(texts.emailChange.asked.body.contains("{email}"))
    #expect(texts.emailChange.asked.body.contains("{newEmail}"))
    #expect(texts.emailRecovery.asked.body.contains("{email}"))
    #expect(texts.resetMail.sent.body.contains("{email}"))
    #expect(texts.rule(.minimumLength(8)).contains("8"))
    #expect(texts.rule(.maximumLength(64)).contains("64"))
  }
}

extension HTTPField.Name {
  fileprivate static let robotsTag = HTTPField.Name("x-robots-tag") ?? .age
}
