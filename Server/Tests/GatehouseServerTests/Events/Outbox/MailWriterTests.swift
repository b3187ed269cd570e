import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct MailWriterTests {
  @Test func `the sender has the project's name unless it has one of its own`() throws {
    #expect(try message().from.name == "Notes")
    #expect(try message(from: "Support").from.name == "Support")
    #expect(try message(project: nil).from.name == "test-project")
  }

  @Test(
    arguments: [
      (0, "1 hour"), (2, "1 hour"), (29, "1 hour"), (1200, "40 minutes"), (3599, "1 minute"),
    ] as [(TimeInterval, String)])
  func `an email says how long its link is still valid`(
    _ seconds: TimeInterval, _ expected: String
  ) throws {
    #expect(
      try message(after: seconds).content.reveal().text.contains("is valid for \(expected)"))
  }

  @Test func `a change of the address names both addresses`() throws {
    let text = try message(kind: "verifyAndChangeEmail", newEmail: "new@example.com").content
      .reveal().text
    #expect(text.contains("ann@example.com") || text.contains("new@example.com"))
    #expect(text.contains("new@example.com"))
  }

  @Test(arguments: [("de", "de"), ("de-AT", "de"), ("vi", "vi"), ("xx", "en"), ("", "en")])
  func `the request's language is taken, or English`(_ wanted: String, _ found: String) throws {
    #expect(try message(language: wanted).language.text == found)
  }

  @Test(arguments: [("", "vi"), ("xx", "vi"), ("de", "de"), ("en", "en")])
  func `a project's language replaces English, not the request's`(
    _ wanted: String, _ found: String
  ) throws {
    #expect(try message(language: wanted) { $0.language = "vi" }.language.text == found)
  }

  @Test(arguments: [
    (["fr", "de"], "de"), (["vi", "de"], "vi"), (["fr", "xx"], "vi"), ([], "vi"),
  ])
  func `without a text in the request's language, the account's precedes the project's`(
    _ wanted: [String], _ found: String
  ) throws {
    let message = try message(language: wanted.first ?? "", languages: wanted) {
      $0.language = "vi"
    }
    #expect(message.language.text == found)
  }

  @Test func `a project chooses the sender's name, its part before the @, and where answers go`()
    throws
  {
    let message = try message(from: "Support") {
      $0.senderName = "Notes Team"
      $0.senderLocalPart = "notes"
      $0.replyTo = "help@example.org"
    }
    #expect(message.from.name == "Notes Team")
    #expect(message.from.address == "notes@example.com")
    #expect(message.replyTo?.address == "help@example.org")
    #expect(try self.message(from: "Support").replyTo == nil)
  }

  @Test func `a project's own text replaces the server's in its language`() throws {
    let own = [
      Self.template("de", subject: "Neu: {{appName}}"), Self.template("fr", subject: "Mot"),
    ]
    let german = try message(language: "de", templates: own)
    #expect(german.content.reveal().subject == "Neu: Notes")
    #expect(german.content.reveal().html == nil)
    #expect(try message(language: "fr-CA", templates: own).content.reveal().subject == "Mot")
    let english = try message(language: "en", templates: own)
    #expect(english.content.reveal().subject == "Reset your password for Notes")
  }

  @Test func `a stored text that can't be read is replaced by the server's`() throws {
    let broken = [Self.template("en", subject: "{{nothing}}")]
    #expect(
      try message(templates: broken).content.reveal().subject == "Reset your password for Notes")
  }

  private static func template(_ language: String, subject: String) -> EmailTemplate {
    EmailTemplate(
      kind: .resetPassword, language: language, subject: subject, text: "%LINK%", html: nil,
      updatedAt: OutboxWorld.start)
  }

  private func message(
    from name: String? = nil, project displayName: String? = "Notes",
    kind: String = "resetPassword", newEmail: String? = nil, language: String = "en",
    languages: [String]? = nil,
    templates: [EmailTemplate] = [], after seconds: TimeInterval = 0,
    under change: (inout EmailPolicy) -> Void = { _ in }
  ) throws -> MailMessage {
    var policies = ProjectPolicies()
    change(&policies.email)
    let json = OutboxWorld.mail(
      kind: kind, newEmail: newEmail, language: language, languages: languages)
    let task = try #require(OutboxTask(stored: Array(json.utf8)))
    guard case .sendMail(let mail) = task else { throw MailboxFault.form }
    let project = Project(
      id: try #require(ProjectID("test-project")), number: 1, displayName: displayName,
      issuer: "https://auth.example.com/test-project", authorizedDomains: [],
      policies: policies)
    let writer = MailWriter(
      from: try Mailbox(address: "noreply@example.com", name: name),
      templates: try MailTemplates())
    return try writer.message(
      for: MailOrder(
        id: .random(), task: mail, project: project, templates: templates, displayName: nil),
      now: OutboxWorld.start.addingTimeInterval(seconds))
  }
}
