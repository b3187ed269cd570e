import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct MailTemplatesTests {
  @Test(arguments: [
    (["vi"], "vi"), (["vi-VN"], "vi"), (["fr", "de-AT"], "de"), (["fr"], "en"), ([], "en"),
    (["en-GB", "de"], "en"), (["", "*", "de"], "de"), (["\r\n"], "en"), (["pt-BR"], "pt"),
    (["pt", "vi"], "pt"),
  ])
  func `the first language that there is is taken`(tags: [String], language: String) throws {
    let portuguese = try MailTemplate(
      subject: "Redefinir", text: "{{link}}", html: nil, for: .resetPassword)
    let templates = try MailTemplates(
      own: [.resetPassword: [try #require(MailLanguage("pt")): portuguese]])
    let found = templates.template(for: .resetPassword, languages: tags)
    #expect(found.language.text == language)
    #expect((found.template.subject == "Redefinir") == (language == "pt"))
  }

  @Test func `a template of the project replaces the server's of that kind and language`() throws {
    let own = try MailTemplate(subject: "Own", text: "{{link}}", html: nil, for: .signIn)
    let templates = try MailTemplates(own: [.signIn: [.english: own]])
    #expect(templates.template(for: .signIn, languages: []).template.subject == "Own")
    #expect(templates.template(for: .signIn, languages: ["de"]).template.subject != "Own")
    #expect(templates.template(for: .verifyEmail, languages: []).template.subject != "Own")
  }

  @Test(arguments: MailKind.allCases, MailTemplates.builtInLanguages)
  func `every mail names the app and the address, and has its link twice`(
    kind: MailKind, language: MailLanguage
  ) throws {
    let found = try MailTemplates().template(for: kind, languages: [language.text])
    #expect(found.language == language)
    var values = MailValues(appName: "Notes", email: "ada@example.com")
    values.newEmail = "new@example.com"
    values.providerName = "Apple"
    values.link = Secret("https://example.com/go")
    values.validity = .seconds(3600)
    let content = found.template.rendered(values, in: language).reveal()
    let html = try #require(content.html)
    #expect(content.subject.contains("Notes"))
    for body in [content.text, html] {
      #expect(body.contains("Notes"))
      #expect(body.contains(kind == .verifyAndChangeEmail ? "new@example.com" : "ada@example.com"))
      #expect(!body.contains("{{") && !body.contains("%"))
    }
    #expect(content.text.components(separatedBy: "https://").count == (kind.hasLink ? 2 : 1))
    #expect(
      html.components(separatedBy: "href=\"https://example.com/go\"").count
        == (kind.hasLink ? 3 : 1))
    // Nothing is loaded, and nothing tells when the mail is read.
    for loaded in ["src=", "url(", "<img", "<link", "@import", "http:"] {
      #expect(!html.contains(loaded))
    }
  }

  @Test(arguments: [
    ("en", 3600, "1 hour"), ("en", 3 * 86400, "3 days"), ("en", 5400, "90 minutes"),
    ("de", 3600, "1 Stunde"), ("de", 86400, "1 Tag"), ("vi", 1800, "30 phút"),
    ("fr", 7200, "2 heures"), ("en", 59, "1 minute"), ("en", -5, "1 minute"),
  ])
  func `the validity is in words`(language: String, seconds: Int, words: String) throws {
    let template = try MailTemplate(
      subject: "{{expiry}}", text: "{{link}}", html: nil, for: .signIn)
    var values = MailValues(appName: "Notes", email: "ada@example.com")
    values.validity = .seconds(seconds)
    let content = template.rendered(values, in: try #require(MailLanguage(language))).reveal()
    #expect(content.subject == words)
  }
}
