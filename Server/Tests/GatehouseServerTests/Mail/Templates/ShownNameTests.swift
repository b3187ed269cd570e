import GatehouseServer
import Testing

@Suite struct ShownNameTests {
  @Test(arguments: [
    "Ada", "Nguyễn Văn A", "J. R. R. Tolkien", "O'Neill", "Müller-Lüdenscheidt", "李小龙",
    "Dr. Ada", "Ada Jr.", String(repeating: "a", count: 64),
  ])
  func `a name is shown`(name: String) throws {
    #expect(try greeting(name) == "Hello \(name)")
  }

  @Test(arguments: [
    "Win money http://evil.example", "evil.example", "www.evil", "WWW.evil", "a.b/c", "see /path",
    "eve@evil.example", "evil．example", "evil。example", "mailto:eve＠evil", "evil.1",
    String(repeating: "a", count: 65),
    "a" + String(repeating: "\u{301}", count: 200), "\u{202E}", "",
  ])
  func `a name that could become a link or is too long is left out`(name: String) throws {
    #expect(try greeting(name) == "Hello")
  }

  private func greeting(_ name: String) throws -> String {
    let template = try MailTemplate(
      subject: "Hello{{#displayName}} {{displayName}}{{/displayName}}", text: "x", html: nil,
      for: .passwordChanged)
    var values = MailValues(appName: "Notes", email: "ada@example.com")
    values.displayName = name
    return template.rendered(values, in: .english).reveal().subject
  }
}
