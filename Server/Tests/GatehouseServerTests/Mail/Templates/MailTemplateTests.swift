import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct MailTemplateTests {
  @Test func `values are written into subject, text and HTML`() throws {
    let template = try MailTemplate(
      subject: "{{code}} for {{ appName }}", text: "Hi {{displayName}}: {{link}} {{expiry}}",
      html: "<a href=\"{{link}}\">{{email}}</a>", for: .signIn)
    let content = template.rendered(values, in: .english).reveal()
    #expect(content.subject == "123456 for Notes")
    #expect(content.text == "Hi Ada: https://example.com/?a=1&b=2 1 hour")
    #expect(
      content.html == "<a href=\"https://example.com/?a=1&amp;b=2\">ada@example.com</a>")
  }

  @Test func `Firebase's placeholders are the same values`() throws {
    let mine = try MailTemplate(
      subject: "{{appName}}", text: "{{displayName}} {{email}} {{newEmail}} {{code}} {{link}}",
      html: "<p>{{displayName}} {{link}}", for: .recoverEmail)
    let firebases = try MailTemplate(
      subject: "%APP_NAME%", text: "%DISPLAY_NAME% %EMAIL% %NEW_EMAIL% %CODE% %LINK%",
      html: "<p>%DISPLAY_NAME% %LINK%", for: .recoverEmail)
    var values = values
    values.newEmail = "new@example.com"
    values.displayName = "<b>%LINK% {{link}}"
    let contents = [mine, firebases].map { $0.rendered(values, in: .english).reveal() }
    #expect(contents[0].text == contents[1].text)
    #expect(contents[0].html == contents[1].html)
    #expect(contents[0].subject == contents[1].subject)
    // A value isn't read as a template.
    #expect(
      contents[0].html
        == "<p>&lt;b&gt;%LINK% {{link}} https://example.com/?a=1&amp;b=2")
  }

  @Test func `a section is shown if there is a value, its opposite if not`() throws {
    let template = try MailTemplate(
      subject: "x", text: "{{#code}}\ncode {{code}}\n{{/code}}\n{{^code}}none {{/code}}%LINK%",
      html: nil, for: .signIn)
    #expect(
      template.rendered(values, in: .english).reveal().text
        == "code 123456\nhttps://example.com/?a=1&b=2")
    var withoutCode = values
    withoutCode.code = nil
    #expect(
      template.rendered(withoutCode, in: .english).reveal().text
        == "none https://example.com/?a=1&b=2")
  }

  @Test(arguments: [
    ("<script>", "&lt;script&gt;"), ("\"'&", "&quot;&#39;&amp;"),
    // With a combining mark, these are other characters for `Character`, but not for a browser.
    ("\"\u{338} x=\"", "&quot;\u{338} x=&quot;"), ("<\u{338}b", "&lt;\u{338}b"),
  ])
  func `every value is escaped in HTML`(name: String, escaped: String) throws {
    let template = try MailTemplate(
      subject: "x", text: "x", html: "<p title=\"{{displayName}}\">", for: .passwordChanged)
    var values = values
    values.displayName = name
    let html = template.rendered(values, in: .english).reveal().html
    #expect(html?.utf8.elementsEqual("<p title=\"\(escaped)\">".utf8) == true)
  }

  @Test func `a subject is one line`() throws {
    let template = try MailTemplate(
      subject: "Hello {{displayName}}", text: "x", html: nil, for: .passwordChanged)
    var values = values
    values.displayName = "Ada\r\nBcc: eve\u{0}"
    #expect(template.rendered(values, in: .english).reveal().subject == "Hello Ada Bcc: eve")
  }

  @Test func `a template without its faults is accepted`() throws {
    _ = try MailTemplate(subject: "x", text: "{{link}}", html: "<p>{{link}}", for: .signIn)
    let longest = String(repeating: "ü", count: 200)
    let body = "{{link}}" + String(repeating: "x", count: 64 * 1024 - 8)
    _ = try MailTemplate(subject: longest, text: body, html: body, for: .signIn)
    // Neither is a placeholder.
    _ = try MailTemplate(
      subject: "100% sure", text: "https://example.com/%C3%A4%AB%CD {{link}} { } }}", html: nil,
      for: .signIn)
    _ = try MailTemplate(
      subject: "x", text: "{{! a comment }}{{link}}", html: nil, for: .signIn)
  }

  @Test(arguments: [
    ("{{link", 1, MailTemplateFault.Reason.syntax), ("{{link}", 1, .syntax), ("{{}}", 1, .syntax),
    ("\n{{li\nnk}}", 2, .syntax), ("{{#code}}", 1, .syntax), ("a\nb\n{{/code}}", 3, .syntax),
    ("{{#code}}{{/email}}", 1, .syntax), ("\n\n{{lnk}}", 3, .unknownName("lnk")),
    ("{{#lnk}}{{/lnk}}", 1, .unknownName("lnk")), ("\n%LINKS%", 2, .unknownName("%LINKS%")),
    ("{{newEmail}}", 1, .unknownName("newEmail")), ("%NEW_EMAIL%", 1, .unknownName("%NEW_EMAIL%")),
    ("{{.}}", 1, .unknownName(".")), ("{{link.count}}", 1, .unknownName("link.count")),
    ("{{{link}}}", 1, .tagNotAllowed("{link")), ("\n{{& link}}", 2, .tagNotAllowed("& link")),
    ("{{> part}}", 1, .tagNotAllowed("> part")), ("{{<part}}", 1, .tagNotAllowed("<part")),
    ("{{$block}}", 1, .tagNotAllowed("$block")), ("{{=<% %>=}}", 1, .tagNotAllowed("=<% %>=")),
    ("{{% CONTENT_TYPE: TEXT}}", 1, .tagNotAllowed("% CONTENT_TYPE: TEXT")),
    ("{{uppercased(link)}}", 1, .tagNotAllowed("uppercased(link)")),
    ("{{li\u{301}nk}}", 1, .tagNotAllowed("li\u{301}nk")), (" \n\t", 1, .empty), ("", 1, .empty),
    ("hello", 1, .linkMissing), ("{{#code}}{{link}}{{/code}}", 1, .linkMissing),
    ("{{! {{link}} }}", 1, .linkMissing),
    (String(repeating: "{{#code}}", count: 9), 1, .nestedTooDeep),
    (String(repeating: "x", count: 65537), 1, .tooLong(maximum: 65536)),
  ])
  func `a fault is refused with its line`(
    text: String, line: Int, reason: MailTemplateFault.Reason
  ) {
    let good = "{{link}}"
    #expect(throws: MailTemplateFault(part: .text, line: line, reason: reason)) {
      try MailTemplate(subject: "x", text: text, html: good, for: .signIn)
    }
    #expect(throws: MailTemplateFault(part: .html, line: line, reason: reason)) {
      try MailTemplate(subject: "x", text: good, html: text, for: .signIn)
    }
  }

  @Test func `a subject of 201 characters is refused`() {
    #expect(
      throws: MailTemplateFault(part: .subject, line: 1, reason: .tooLong(maximum: 200))
    ) {
      try MailTemplate(
        subject: String(repeating: "x", count: 201), text: "{{link}}", html: nil, for: .signIn)
    }
  }

  @Test func `a mail that only informs needs no link, and has none`() throws {
    _ = try MailTemplate(subject: "x", text: "x", html: nil, for: .accountDeleted)
    #expect(
      throws: MailTemplateFault(part: .text, line: 1, reason: .unknownName("link"))
    ) { try MailTemplate(subject: "x", text: "{{link}}", html: nil, for: .accountDeleted) }
  }

  @Test func `a fault is described with part and line`() {
    let fault = MailTemplateFault(part: .html, line: 12, reason: .unknownName("lnk"))
    #expect(fault.description == "html, line 12: this kind of mail has no value “lnk”")
  }
}

private let values: MailValues = {
  var values = MailValues(appName: "Notes", email: "ada@example.com")
  values.displayName = "Ada"
  values.link = Secret("https://example.com/?a=1&b=2")
  values.code = Secret("123456")
  values.validity = .seconds(3600)
  return values
}()
