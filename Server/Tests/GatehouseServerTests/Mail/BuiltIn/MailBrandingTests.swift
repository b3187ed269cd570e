import GatehouseProtocol
import Testing

@testable import GatehouseServer

/// The server's emails with a project's logo, colour and links.
@Suite struct MailBrandingTests {
  private func content(
    _ kind: MailKind = .resetPassword, _ language: String = "en",
    own: [MailKind: [MailLanguage: MailTemplate]] = [:],
    _ change: (inout BrandingPolicy) -> Void = { _ in }
  ) throws -> (text: String, html: String) {
    var values = MailValues(appName: "Notes", email: "ada@example.com")
    values.link = Secret("https://example.com/go")
    change(&values.branding)
    let found = try MailTemplates().with(own, branding: values.branding)
      .template(for: kind, languages: [language])
    let content = found.template.rendered(values, in: found.language).reveal()
    return (content.text, content.html ?? "")
  }

  private static func all(_ branding: inout BrandingPolicy) {
    branding.logoURL = "https://cdn.example.com/logo.png"
    branding.color = "#7C3AED"
    branding.termsURL = "https://example.com/terms"
    branding.privacyURL = "https://example.com/privacy"
  }

  @Test(arguments: MailKind.allCases, MailTemplates.builtInLanguages)
  func `every email has the logo, the colour and the links`(
    _ kind: MailKind, _ language: MailLanguage
  ) throws {
    let mail = try content(kind, language.text, Self.all)
    let names = try #require(PageLanguage(rawValue: language.text)).legalNames
    #expect(
      mail.html.contains("<img src=\"https://cdn.example.com/logo.png\" alt=\"\" height=\"40\""))
    #expect(
      mail.html.contains(
        "<a class=\"quiet\" href=\"https://example.com/terms\" style=\"color:#5b5b60\">\(names.terms)</a>"
      ))
    #expect(mail.html.contains("href=\"https://example.com/privacy\""))
    #expect(mail.html.contains("background:#7c3aed;color:#ffffff;") == kind.hasLink)
    #expect(!mail.html.contains("#1d5c4f") && !mail.html.contains("#7fd1bb"))
    #expect(
      mail.text.hasSuffix(
        "\n\(names.terms): https://example.com/terms\n\(names.privacy): https://example.com/privacy\n"
      ))
    #expect(!mail.text.contains("logo.png"))
  }

  @Test func `each part is there only if it is set`() throws {
    let plain = try content()
    let logo = try content { $0.logoURL = "https://example.com/logo.png" }
    #expect(logo.text == plain.text)
    #expect(logo.html.contains("<img") && logo.html.contains("#1d5c4f"))
    let color = try content { $0.color = "#7c3aed" }
    #expect(color.text == plain.text)
    #expect(
      color.html
        == plain.html.replacing("background:#1d5c4f", with: "background:#7c3aed")
        .replacing("background:#7fd1bb", with: "background:#9c6bf1")
        .replacing("color:#0e2a24", with: "color:#000000"))
    let terms = try content { $0.termsURL = "https://example.com/terms" }
    #expect(terms.text == plain.text + "Terms of service: https://example.com/terms\n")
    #expect(!terms.html.contains("<img") && !terms.html.contains("Privacy"))
  }

  @Test func `a value can't end its attribute or be a tag or a placeholder`() throws {
    // Each is a URL that the policy allows.
    for text in [
      "https://example.com/'onload='a", "https://example.com/%FADE%20?a=b&code",
      "https://a.example/%LINK%",
    ] {
      var branding = BrandingPolicy()
      branding.termsURL = text
      branding.logoURL = text
      #expect(branding.fault == nil)
      let mail = try content { $0 = branding }
      #expect(mail.text.hasSuffix("Terms of service: \(text)\n"))
      #expect(mail.html.contains("<img src=\"\(HTML.escaped(text))\" alt"))
      #expect(mail.html.contains("href=\"\(HTML.escaped(text))\" style"))
    }
  }

  @Test func `a project's own text has no branding but what it names`() throws {
    let own = try MailTemplate(
      subject: "Own", text: "{{link}}{{#termsURL}} {{termsURL}}{{/termsURL}}",
      html: "<a href=\"{{link}}\"></a>{{#logoURL}}<img src=\"{{logoURL}}\">{{/logoURL}}",
      for: .resetPassword)
    let templates = [MailKind.resetPassword: [MailLanguage.english: own]]
    #expect(try content(own: templates).text == "https://example.com/go")
    let branded = try content(own: templates, Self.all)
    #expect(branded.text == "https://example.com/go https://example.com/terms")
    #expect(
      branded.html
        == "<a href=\"https://example.com/go\"></a><img src=\"https://cdn.example.com/logo.png\">")
  }
}
